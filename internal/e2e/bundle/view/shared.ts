let calls = 0;

declare const order: string[];

/** Notes who ran; one counter for all scripts of the page. */
export function note(who: string): void {
  order.push(`${who}, call ${++calls}`);
}
