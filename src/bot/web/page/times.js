// Times and ages. Ages are by the bot's clock, so they are right even if the computer's clock is wrong.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `0.4s`, `12s`, `3m 04s`, `2h 05m`, `3d 4h`: short enough for a column. @param {number} ms @returns {string} */
export function ageText(ms) {
  const age = Math.max(0, ms);
  if (age < 10 * SECOND) return `${(Math.floor(age / 100) / 10).toFixed(1)}s`;
  if (age < MINUTE) return `${Math.floor(age / SECOND)}s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m ${two((age % MINUTE) / SECOND)}s`;
  if (age < DAY) return `${Math.floor(age / HOUR)}h ${two((age % HOUR) / MINUTE)}m`;
  return `${Math.floor(age / DAY)}d ${Math.floor((age % DAY) / HOUR)}h`;
}

/** Time since `at`. @param {number | null} at @param {number} now @returns {string} */
export const agoText = (at, now) => (at === null ? 'not yet' : `${ageText(now - at)} ago`);

/** Hours, minutes and seconds in the reader's time zone. @param {number} at @returns {string} */
export function clockText(at) {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

/** In full, for a tooltip. @param {number} at @returns {string} */
export const momentText = (at) => new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** @param {number} value @returns {string} */
const two = (value) => String(Math.floor(value)).padStart(2, '0');
