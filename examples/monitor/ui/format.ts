// Formats figures with three significant digits. The short form omits trailing
// zeros.

function scaled(n: number, units: string[], short = false): string {
  let i = 0;
  while (n >= 999.5 && i < units.length - 1) {
    n /= 1000;
    i++;
  }
  const digits = i === 0 ? String(n) : n.toPrecision(3);
  return `${short ? Number(digits) : digits} ${units[i]}`;
}

export const bytes = (n: number, short?: boolean) => scaled(n, ["B", "kB", "MB", "GB", "TB"], short);
export const nanos = (n: number, short?: boolean) => scaled(n, ["ns", "µs", "ms", "s"], short);
export const count = (n: number) => n.toLocaleString(undefined, { maximumFractionDigits: 1 });

export function span(seconds: number): string {
  const h = Math.floor(seconds / 3600);
  const m = Math.floor(seconds / 60) % 60;
  const s = Math.floor(seconds % 60);
  return [h && `${h}\u00a0h`, m && `${m}\u00a0min`, (s || seconds < 60) && !h && `${s}\u00a0s`].filter(Boolean).join("\u00a0");
}
