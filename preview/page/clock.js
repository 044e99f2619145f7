// clock returns the time of day, as a person's other programs show it: in the
// time zone of this machine, with milliseconds.
export function clock(time) {
  const d = new Date(time);
  const digits = (n, most) => String(n).padStart(most, "0");
  return `${digits(d.getHours(), 2)}:${digits(d.getMinutes(), 2)}:${digits(d.getSeconds(), 2)}.${digits(d.getMilliseconds(), 3)}`;
}
