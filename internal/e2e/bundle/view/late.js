var late = topLevel + ", deferred";
order.push("deferred, with #text " + (document.getElementById("text") ? "there" : "missing"));
