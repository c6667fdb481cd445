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

let zone = 'UTC';
let format = formatIn(zone);

export const zoneShown = () => zone;

/** The bot's zone, from `timeZone` of its configuration. @param {string} timeZone */
export function showTimesIn(timeZone) {
  if (timeZone === zone) return;
  zone = timeZone;
  format = formatIn(zone);
}

/** @param {string} timeZone */
function formatIn(timeZone) {
  /** @type {Intl.DateTimeFormatOptions} */
  const date = { year: 'numeric', month: '2-digit', day: '2-digit', calendar: 'iso8601', timeZoneName: 'short' };
  return new Intl.DateTimeFormat('en-US', {
    ...{ ...date, timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
}

/** @param {number} at @returns {Record<string, string>} */
const partsOf = (at) => Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));

/** Hours, minutes and seconds. @param {number} at @returns {string} */
export function clockText(at) {
  const { hour, minute, second } = partsOf(at);
  return `${hour}:${minute}:${second}`;
}

/** Month and day. @param {number} at @returns {string} */
export function dayText(at) {
  const { month, day } = partsOf(at);
  return `${month}-${day}`;
}

/** In full, with the zone. @param {number} at @returns {string} */
export function momentText(at) {
  const { year, month, day, timeZoneName } = partsOf(at);
  return `${year}-${month}-${day} ${clockText(at)} ${timeZoneName}`;
}

/** @param {number} value @returns {string} */
const two = (value) => String(Math.floor(value)).padStart(2, '0');
