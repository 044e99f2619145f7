// One chart: the current figures, and their history drawn as SVG.
import type { ServerTools } from "mcp-app";
import { span } from "./format";

/** A sample, as declared by the server in tools.d.ts. */
export type Sample = ServerTools["show_monitor"]["structuredContent"]["latest"];

export interface Series {
  of: (s: Sample) => number;
  kind: "area" | "steps" | "bars" | "line" | "line dashed" | "line faint";
}

export interface Spec {
  id: string;
  title: string;
  axis: (value: number, short?: boolean) => string;
  /** The lowest value for the top of the axis. */
  floor: number;
  /** The values are integers, and so must be the labels of the axis. */
  whole?: boolean;
  series: Series[];
  /** The class and text of each entry in the legend. */
  key?: [string, string][];
  /** The large figure for a sample. before has the samples up to and including it. */
  now: (s: Sample, before: Sample[]) => string;
  /** The line of text under the figure. */
  sub: (s: Sample, before: Sample[]) => string;
}

const gutter = 54; // pixels for the labels of the vertical axis

/** A round number for the top of the axis, at least max, whose half is round too. */
function niceTop(max: number, whole: boolean): number {
  const unit = 10 ** Math.floor(Math.log10(max));
  return unit * ([1, 2, 3, 4, 5, 6, 8].find((m) => m * unit >= max * 0.999 && !(whole && (m * unit) % 2)) ?? 10);
}

/**
 * The time range of the charts in seconds: at most the requested one, and shorter
 * as long as there are few samples.
 */
function timeRange(samples: Sample[], seconds: number): number {
  const age = (samples.at(-1)!.time - samples[0].time) / 1000;
  return Math.min(seconds, [20, 30, 60, 120, 300].find((s) => s >= age) ?? seconds);
}

export class Chart {
  readonly #spec: Spec;
  readonly #now: HTMLElement;
  readonly #sub: HTMLElement;
  readonly #svg: SVGSVGElement;
  #end = 0; // the end of the time range, in Unix milliseconds; 0 before the first sample
  #seconds = 0; // the length of the time range

  /** Called with the time under the pointer in Unix milliseconds, and with null when the pointer leaves. */
  onpick?: (time: number | null) => void;

  constructor(spec: Spec, parent: HTMLElement) {
    this.#spec = spec;
    const key = (spec.key ?? []).map(([name, text]) => `<span class="${name}">${text}</span>`).join("");
    const section = document.createElement("section");
    section.id = spec.id;
    section.style.setProperty("--ink", `var(--${spec.id})`);
    section.innerHTML = `<div class="head"><h2>${spec.title}</h2><div class="key small muted">${key}</div></div>
      <div class="now">–</div><div class="sub muted small"></div><svg class="plot" role="img"></svg>`;
    parent.append(section);
    this.#now = section.querySelector(".now")!;
    this.#sub = section.querySelector(".sub")!;
    this.#svg = section.querySelector("svg")!;
    this.#svg.onpointermove = (e) => this.onpick?.(this.#timeAt(e.clientX));
    this.#svg.onpointerleave = this.#svg.onpointercancel = () => this.onpick?.(null);
  }

  #timeAt(clientX: number): number | null {
    if (!this.#end) return null;
    const box = this.#svg.getBoundingClientRect();
    const share = Math.min(1, (clientX - box.left) / (box.width - gutter));
    return this.#end - (1 - share) * this.#seconds * 1000;
  }

  /** Draws the samples: at least one, the oldest first. The figures are those of picked, or of the newest sample if it is null. */
  render(samples: Sample[], picked: Sample | null, lookBack: number): void {
    const shown = picked ?? samples.at(-1)!;
    const before = samples.filter((s) => s.seq <= shown.seq);
    this.#now.textContent = this.#spec.now(shown, before);
    this.#sub.textContent = this.#spec.sub(shown, before);
    this.#end = samples.at(-1)!.time;
    this.#seconds = timeRange(samples, lookBack);
    this.#draw(samples, picked);
  }

  #draw(samples: Sample[], picked: Sample | null): void {
    const { axis, floor, series, title, whole = false } = this.#spec;
    const { clientWidth: width, clientHeight: height } = this.#svg;
    if (!width) return;
    const right = width - gutter, top = 8, bottom = height - 20;
    const seconds = this.#seconds, end = this.#end, start = end - seconds * 1000;
    const peak = niceTop(Math.max(floor, ...samples.flatMap((s) => series.map((l) => l.of(s)))), whole);
    const x = (time: number) => (Math.max(0, time - start) / (end - start)) * right;
    const y = (value: number) => bottom - (value / peak) * (bottom - top);
    const px = (n: number) => n.toFixed(1);

    let svg = "";
    for (const v of [0, peak / 2, peak]) {
      svg += `<line class="${v ? "grid" : "base"}" x1="0" x2="${right}" y1="${y(v)}" y2="${y(v)}"/>`;
      svg += `<text x="${right + 9}" y="${y(v) + 4}">${v ? axis(v, true) : "0"}</text>`;
    }
    svg += `<text y="${height - 4}">−${span(seconds)}</text>`;
    svg += `<text x="${right / 2}" y="${height - 4}" text-anchor="middle">−${span(seconds / 2)}</text>`;
    svg += `<text x="${right}" y="${height - 4}" text-anchor="end">now</text>`;

    for (const { of, kind } of series) {
      if (kind === "bars") {
        const bars = samples.filter(of).map((s) => `M${px(x(s.time))},${bottom}V${px(y(of(s)))}`);
        svg += `<path class="bars" d="${bars.join("")}"/>`;
        continue;
      }
      const line = samples.map((s, i) => {
        const [sx, sy] = [px(x(s.time)), px(y(of(s)))];
        if (i === 0) return `M${sx},${sy}`;
        return kind === "steps" ? `H${sx}V${sy}` : `L${sx},${sy}`;
      }).join("");
      const filled = kind === "area" || kind === "steps";
      if (filled) svg += `<path class="area" d="${line}V${bottom}H${px(x(samples[0].time))}Z"/>`;
      svg += `<path class="${filled ? "line" : kind}" d="${line}"/>`;
    }

    const newest = samples.at(-1)!, marked = picked ?? newest;
    if (picked) svg += `<line class="cross" x1="${x(marked.time)}" x2="${x(marked.time)}" y1="${top}" y2="${bottom}"/>`;
    if (series[0].kind !== "bars") svg += `<circle class="dot" cx="${x(marked.time)}" cy="${y(series[0].of(marked))}" r="4"/>`;
    this.#svg.innerHTML = svg;
    this.#svg.setAttribute("aria-label", `${title} over the last ${span(seconds)}, now ${this.#spec.now(newest, samples)}`);
  }
}
