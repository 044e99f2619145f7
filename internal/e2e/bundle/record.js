// Evaluates to what a person and a script see of the page that it runs in.
(() => {
	// Elements that the bundler adds, removes or replaces by one another.
	const replaced = new Set(["SCRIPT", "STYLE", "LINK", "BASE"]);
	// Attributes whose values are addresses are compared by what they load.
	const addresses = new Set(["src", "href", "srcset", "poster", "data", "background", "style", "xlink:href", "imagesrcset"]);
	const elements = [];

	// The text of a custom property keeps the spaces and addresses that are written.
	function valueOf(style, name) {
		const value = style.getPropertyValue(name);
		return name.startsWith("--") ? value.replace(/url\([^)]*\)/gi, "url()").replace(/\s+/g, " ").trim() : value;
	}

	function styleOf(element, parent, pseudo) {
		const style = getComputedStyle(element, pseudo), above = parent && getComputedStyle(parent), found = {};
		for (const name of style) {
			const value = valueOf(style, name);
			if (!above || value !== valueOf(above, name)) found[name] = value;
		}
		return found;
	}

	function walk(parent, path) {
		let n = 0;
		for (const e of parent.children) {
			if (replaced.has(e.tagName.toUpperCase())) continue;
			const at = `${path}>${e.localName}[${n++}]`, box = e.getBoundingClientRect(), parentElement = parent.nodeType === 1 ? parent : parent.nodeType === 11 ? parent.host : null;
			const found = { path: at, box: [box.x, box.y, box.width, box.height].map((v) => Math.round(v * 100) / 100).join(" "), values: {} };
			const values = found.values;
			values.text = [...e.childNodes].filter((c) => c.nodeType === 3).map((c) => c.data).join("").replace(/\s+/g, " ").trim();
			for (const a of e.attributes) if (!addresses.has(a.name)) values["attribute " + a.name] = a.value;
			for (const key of ["value", "checked", "selectedIndex", "naturalWidth", "naturalHeight", "open", "validationMessage", "scrollTop"]) {
				if (key in e && typeof e[key] !== "object") values["property " + key] = String(e[key]);
			}
			// Of several images of one picture a browser takes the best that it needs not load.
			if ("currentSrc" in e && !e.srcset && e.parentElement?.localName !== "picture") values["property currentSrc"] = e.currentSrc.replace(/#.*/, "");
			if (e.localName === "canvas") try { values.pixels = e.toDataURL() } catch (err) { values.pixels = String(err) }
			if (e.error) values.error = String(e.error.code);
			found.style = styleOf(e, parentElement);
			for (const pseudo of ["::before", "::after", "::marker"]) {
				const content = getComputedStyle(e, pseudo).content;
				if (content !== "none" && content !== "normal") found["style" + pseudo] = styleOf(e, e, pseudo);
			}
			elements.push(found);
			walk(e, at);
			if (e.shadowRoot) walk(e.shadowRoot, at + ">#shadow");
			if (e.localName === "iframe" || e.localName === "frame") try { e.contentDocument && walk(e.contentDocument, at + ">#document") } catch { /* of another origin */ }
		}
	}
	walk(document, "");
	const root = document.scrollingElement ?? document.documentElement;
	return {
		elements,
		page: {
			title: document.title, mode: document.compatMode, characters: document.characterSet, focus: document.activeElement?.localName ?? "",
			scroll: [root.scrollWidth, root.scrollHeight].join(" "), forms: String(document.forms.length), animations: String(document.getAnimations().length),
			hash: location.hash, modules: String(document.adoptedStyleSheets.length),
		},
		globals: Object.getOwnPropertyNames(window).filter((n) => !/^\d+$/.test(n)),
	};
})()
