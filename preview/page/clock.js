// clock formats a time in milliseconds as the time of day in this machine's time
// zone, as other programs of the user show it.
export function clock(time) {
  const d = new Date(time);
  const digits = (n, width) => String(n).padStart(width, "0");
  return `${digits(d.getHours(), 2)}:${digits(d.getMinutes(), 2)}:${digits(d.getSeconds(), 2)}.${digits(d.getMilliseconds(), 3)}`;
}
