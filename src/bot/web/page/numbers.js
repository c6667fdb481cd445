// Numbers as people read them. Decimals stay text: the bot's exact numbers never become floats.

const DASH = '–';
/** Assets whose smallest unit in daily use is a hundredth. */
const TWO_PLACES = new Set(['INR', 'USD', 'EUR', 'GBP', 'USDT', 'USDC']);
const COIN_PLACES = 8;

/** `-1234567.5` → `−1,234,567.5` with a true minus. @param {string} text @returns {string} */
export function grouped(text) {
  const negative = text.startsWith('-');
  const [whole = '', fraction] = (negative ? text.slice(1) : text).split('.');
  const shown = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${negative ? '−' : ''}${shown}${fraction === undefined ? '' : `.${fraction}`}`;
}

/**
 * Rounds decimal text to a number of places, halves away from zero.
 * @param {string} text
 * @param {number} places
 * @returns {string}
 */
export function rounded(text, places) {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const digits = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const up = (fraction[places] ?? '0') >= '5' ? 1n : 0n;
  const all = String(digits + up).padStart(places + 1, '0');
  const at = all.length - places;
  const value = places === 0 ? all : `${all.slice(0, at)}.${all.slice(at)}`;
  return negative && /[1-9]/.test(value) ? `-${value}` : value;
}

/**
 * Rounded and grouped; a dash if unknown.
 * @param {string | null} text
 * @param {number} places
 * @returns {string}
 */
export const amount = (text, places) => (text === null ? DASH : grouped(rounded(text, places)));

/** With its sign, but none at zero. @param {string | null} text @param {number} places @returns {string} */
export function signed(text, places) {
  const shown = amount(text, places);
  return text !== null && !text.startsWith('-') && /[1-9]/.test(shown) ? `+${shown}` : shown;
}

/** Digits after the point that a step allows: `0.05` → 2, `10` → 0. @param {string} step @returns {number} */
export const placesOf = (step) => step.split('.')[1]?.length ?? 0;

/** Number of decimals shown for an asset. @param {string} asset @returns {number} */
export const assetPlaces = (asset) => (TWO_PLACES.has(asset) ? 2 : COIN_PLACES);

/** @param {string} text @returns {string} */
export const negated = (text) => (text.startsWith('-') ? text.slice(1) : `-${text}`);

/** The exact sum of two decimals, as text. @param {string} a @param {string} b @returns {string} */
export function sum(a, b) {
  const places = Math.max(placesOf(a), placesOf(b));
  const units = BigInt(scaled(a, places)) + BigInt(scaled(b, places));
  const all = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const value = places === 0 ? all : `${all.slice(0, -places)}.${all.slice(-places)}`;
  return units < 0n ? `-${value}` : value;
}

/** @param {string} text @param {number} places @returns {string} */
function scaled(text, places) {
  const [whole = '0', fraction = ''] = text.split('.');
  return whole + fraction.padEnd(places, '0');
}

/** @param {string} a @param {string} b @returns {string} */
export const difference = (a, b) => sum(a, negated(b));

/** Whether decimal text is zero, however it is written. @param {string} text @returns {boolean} */
export const isZero = (text) => !/[1-9]/.test(text);

/** @param {number | null} value @returns {string} */
export const bps = (value) => (value === null ? DASH : `${signless(value.toFixed(1))} bps`);

/** A count with its separators. @param {number} value @returns {string} */
export const count = (value) => grouped(String(value));

/** @param {string} text @returns {string} */
const signless = (text) => grouped(text === '-0.0' ? '0.0' : text);

/** `1 order`, `2 orders`. @param {number} value @param {string} noun @returns {string} */
export const counted = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
