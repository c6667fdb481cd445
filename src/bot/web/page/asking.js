// Asks for the status again and again and has the answer drawn; when there is none, the page says so and turns gray.
import { elementOf, h, patch } from './dom.js';
import { button } from './steer/controls.js';
import { readSession, send } from './steer/session.js';
import { showTimesIn } from './times.js';

/** How soon the page notices that a session has ended. */
const SESSION_EVERY_MS = 60_000;
/** Ages advance more often than answers come. */
const DRAW_EVERY_MS = 500;

/**
 * An answer; `at` by the browser's wall clock, for people, and `tick` by its monotonic one, for ages.
 * @template Status
 * @typedef {{ readonly status: Status, readonly at: number, readonly tick: number }} News
 */
/** @typedef {{ readonly ms: number, readonly stale: boolean }} Silence */

/**
 * `draw` gets the last news, and for how long there was none; it returns what to say above the page, or null.
 * @template {{ readonly timeZone: string }} Status
 * @param {{
 *   readonly everyMs: number, readonly take: (news: News<Status>) => void,
 *   readonly draw: (news: News<Status> | null, silent: Silence) => string | null,
 * }} page
 */
export function askOften({ everyMs, take, draw }) {
  /** @type {News<Status> | null} */
  let news = null;
  let asked = 0;
  /** The latest request that was answered. */
  let answered = 0;
  /** Whether the page answers, but shows nothing without a sign-in. */
  let isShut = false;
  const openedAt = performance.now(); // style-allow ambient-time: this runs in a browser
  const banner = elementOf('stale');

  async function ask() {
    const mine = ++asked;
    const answer = await send('/api/status');
    /** @type {Status | null} */
    const status = answer.ok ? await answer.json() : null;
    // A person's command asks, too: the answer to an earlier request may come later.
    if (mine < answered) return;
    answered = mine;
    isShut = answer.status === 401;
    if (isShut) news = null;
    if (status === null) throw new Error(`The page answered ${answer.status}.`);
    showTimesIn(status.timeZone);
    // An answer shared with an earlier request is as old as it says.
    const age = Number(answer.headers.get('age-ms') ?? 0);
    // style-allow ambient-time: this runs in a browser
    news = { status, at: Date.now(), tick: performance.now() - age };
    take(news);
  }

  function redraw() {
    const ms = performance.now() - (news?.tick ?? openedAt); // style-allow ambient-time: this runs in a browser
    const signIn = h('p', { class: 'opening' }, 'Sign in to see this page. ', button('sign-in', 'Sign in …'));
    if (isShut) patch(elementOf('page'), [signIn]);
    const sentence = draw(news, { ms, stale: ms > 3 * everyMs && !isShut });
    document.body.classList.toggle('stale', sentence !== null);
    banner.hidden = sentence === null;
    if (sentence !== null && banner.textContent !== sentence) banner.textContent = sentence;
  }

  /** One request at a time: a slow answer delays the next. */
  async function askOn() {
    // Without an answer the banner says so; the next request tries again.
    await ask().then(redraw, redraw);
    setTimeout(askOn, everyMs);
  }

  void readSession().then(redraw);
  setInterval(readSession, SESSION_EVERY_MS);
  setInterval(redraw, DRAW_EVERY_MS);
  void askOn();
  return { redraw, latest: () => news, changed: () => ask().then(redraw, redraw) };
}
