// Asks the bot once a second and draws the answer; when there is none, the page says so and turns gray.
import { listenToBooks } from './books/books.js';
import { elementOf, h, patch } from './dom.js';
import { createHistory } from './history.js';
import { isGone, modeText, page, titleOf } from './page.js';
import { listenToButtons } from './steer/actions.js';
import { button } from './steer/controls.js';
import { currentSession, readSession, send } from './steer/session.js';
import { listenToGestures } from './symbol/gestures.js';
import { drawPlots, forgetPlots, shownAt } from './symbol/plots.js';
import { viewOf } from './symbol/view.js';
import { clockText, momentText, showTimesIn } from './times.js';

/** @import { BotStatus } from '../../status/bot-status.ts' */

const ASK_EVERY_MS = 1_000;
/** How soon the page notices that a session has ended. */
const SESSION_EVERY_MS = 60_000;
/** Ages advance more often than answers come. */
const DRAW_EVERY_MS = 500;
const STALE_AFTER_MS = 3_000;
/** A chart that a person moves is asked for once it rests. */
const REST_MS = 150;

/** The last answer; `at` by the browser's wall clock, for people, and `tick` by its monotonic one, for ages. */
/** @type {{ status: BotStatus, at: number, tick: number } | null} */
let news = null;
let asked = 0;
/** The latest request that was answered. */
let answered = 0;
/** Whether the bot answers, but shows nothing without a sign-in. */
let isShut = false;
// style-allow ambient-time: this runs in a browser
const history = createHistory(() => performance.now(), send, viewOf);
const openedAt = performance.now(); // style-allow ambient-time: this runs in a browser
const root = elementOf('page');
const banner = elementOf('stale');

async function ask() {
  const mine = ++asked;
  const answer = await send('/api/status');
  /** @type {BotStatus | null} */
  const status = answer.ok ? await answer.json() : null;
  // A person's command asks, too: the answer to an earlier request may come later.
  if (mine < answered) return;
  answered = mine;
  isShut = answer.status === 401;
  if (isShut) news = null;
  if (status === null) throw new Error(`The bot answered ${answer.status}.`);
  // An answer shared with an earlier request is as old as it says.
  showTimesIn(status.timeZone);
  const age = Number(answer.headers.get('age-ms') ?? 0);
  news = { status, at: Date.now(), tick: performance.now() - age }; // style-allow ambient-time: this runs in a browser
  history.take(status);
}

/** One request at a time: a slow answer delays the next. */
async function askOn() {
  try {
    await ask();
  } catch {
    // The banner shows it; the next second tries again.
  }
  draw();
  setTimeout(askOn, ASK_EVERY_MS);
}

function draw() {
  const tick = performance.now(); // style-allow ambient-time: this runs in a browser
  const silentMs = tick - (news?.tick ?? openedAt);
  const stale = silentMs > STALE_AFTER_MS && !isShut;
  if (isShut) patch(root, [h('p', { class: 'opening' }, 'Sign in to see this page. ', button('sign-in', 'Sign in …'))]);
  if (news !== null) {
    patch(root, page(news.status, { now: nowOf(news.status, silentMs), history, session: currentSession() }));
    drawPlots(root, drawnOf);
    document.title = stale ? `${modeText(news.status)} · no news · quotekeeper` : titleOf(news.status);
  }
  const isPast = news?.status.isPast === true;
  document.body.classList.toggle('stale', stale || isPast);
  document.body.classList.toggle('past', isPast);
  banner.classList.toggle('gone', news !== null && isGone(news.status));
  banner.hidden = !stale && !isPast;
  const sentence = isPast && !stale ? pastSentence() : staleSentence();
  if (!banner.hidden && banner.textContent !== sentence) banner.textContent = sentence;
}

/** By the bot's clock; a past status ages by the browser's. @param {BotStatus} status @param {number} silentMs */
function nowOf({ trader, isPast }, silentMs) {
  const here = Date.now(); // style-allow ambient-time: this runs in a browser
  return isPast ? Math.max(here, trader.at) : trader.at + silentMs;
}

/** @param {string} name */
function drawnOf(name) {
  const symbol = news?.status.trader.symbols.find((each) => each.symbol === name);
  if (symbol === undefined) return null;
  return { symbol, course: history.of(name) };
}

function pastSentence() {
  if (news === null) return '';
  const asOf = `as of ${momentText(news.status.trader.at)}`;
  return isGone(news.status)
    ? `GONE, ${asOf}: the bot’s process is gone. Orders of it may rest on the exchange: \`quotekeeper cancel-all\` ` +
        'cancels them. What is below was true then.'
    : `STOPPED, ${asOf}: this bot does not run. It only shows what was. ${news.status.headline.sentence}`;
}

function staleSentence() {
  if (news === null) return 'The bot does not answer. Does it run? Its terminal or its log says more.';
  const { trader, stopping, headline } = news.status;
  const since = clockText(news.at);
  if (trader.phase === 'stopped') return `${headline.word}: ${headline.sentence}`;
  const then = stopping === null ? 'What is below was true then.' : 'It was stopping then.';
  return `No news from the bot since ${since}. ${then}`;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let rest;
listenToGestures(root, shownAt, () => {
  draw();
  clearTimeout(rest);
  rest = setTimeout(() => news !== null && history.take(news.status), REST_MS);
});
listenToBooks(root, draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forgetPlots);
const dialog = elementOf('dialog');
if (dialog instanceof HTMLDialogElement) {
  listenToButtons(dialog, { changed: () => ask().then(draw, draw), shown: () => news?.status ?? null });
}
void readSession().then(draw);
setInterval(readSession, SESSION_EVERY_MS);
setInterval(draw, DRAW_EVERY_MS);
void askOn();
