// The words for an own order and for a side of a symbol, as everything that shows them has them.

/**
 * - `live`: the exchange named it, and the bot wants it to stay.
 * - `placing`: its create is on its way.
 * - `leaving`: it is being canceled or is to be, or is gone from the list and not settled yet. It may still fill.
 * - `unknown`: whether it was placed is not known.
 */
export type Standing = 'live' | 'placing' | 'leaving' | 'unknown';

/** What can be said of one side of one symbol: the first that holds. */
export const SIDE_STATES = [
  'halted',
  'quoted',
  'paused',
  'waiting',
  'no-quote',
  'leaving',
  'unknown',
  'denied',
  'placing',
] as const;
export type SideState = (typeof SIDE_STATES)[number];
