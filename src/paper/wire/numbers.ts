// Numbers of a request that may be of any length: whether one is too large is said before anything else is said of it.

/** Plain or with an exponent, as programs write numbers. */
const NUMERIC = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,9})?$/i;

export function isNumeric(text: string): boolean {
  return NUMERIC.test(text);
}

/** Whether the text is a number above `most`. */
export function isBeyond(text: string, most: number): boolean {
  return isNumeric(text) && Number(text) > most;
}
