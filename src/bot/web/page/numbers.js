// Numbers as people read them. Decimals stay text: the bot's exact numbers never become floats.

const DASH = '–';
/** Assets whose smallest unit in daily use is a hundredth. */
const TWO_PLACES = new Set(['INR', 'USD', 'EUR', 'GBP', 'USDT', 'USDC']);
const COIN_PLACES = 8;

/** Making one takes longer than all it formats. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** @param {number} places @param {'negative' | 'exceptZero'} signDisplay @returns {Intl.NumberFormat} */
function formatOf(places, signDisplay) {
  const key = `${places} ${signDisplay}`;
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places };
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', { ...digits, signDisplay });
  formats.set(key, format);
  return format;
}

/**
 * Rounded, halves away from zero, and grouped, with a true minus: `−1,234,567.50`; a dash if unknown. Exact: `Intl`
 * takes the digits of a text as they are.
 * @param {string | null} text
 * @param {number} places
 * @param {'negative' | 'exceptZero'} [signDisplay]
 */
export const amount = (text, places, signDisplay = 'negative') =>
  text === null
    ? DASH
    : formatOf(places, signDisplay)
        .format(/** @type {`${number}`} */ (text))
        .replace('-', '−');

/** With all its digits. @param {string} text @returns {string} */
export const grouped = (text) => amount(text, placesOf(text));

/** With its sign, but none at zero. @param {string | null} text @param {number} places @returns {string} */
export const signed = (text, places) => amount(text, places, 'exceptZero');

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
export const bps = (value) => (value === null ? DASH : `${amount(value.toFixed(1), 1)} bps`);

/** A count with its separators. @param {number} value @returns {string} */
export const count = (value) => grouped(String(value));

/** `1 order`, `2 orders`. @param {number} value @param {string} noun @returns {string} */
export const counted = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
