// The page of one bot: asks once a second.
import { askOften } from './asking.js';
import { listenToBooks } from './books/books.js';
import { elementOf, patch } from './dom.js';
import { createHistory } from './history.js';
import { isGone, modeText, page, titleOf } from './page.js';
import { listenToButtons } from './steer/actions.js';
import { currentSession, send } from './steer/session.js';
import { listenToGestures } from './symbol/gestures.js';
import { drawPlots, forgetPlots, shownAt } from './symbol/plots.js';
import { viewOf } from './symbol/view.js';
import { clockText, momentText } from './times.js';

/** @import { BotStatus } from '../../status/bot-status.ts' */
/** @import { News } from './asking.js' */

const ASK_EVERY_MS = 1_000;
/** A chart that a person moves is asked for once it rests. */
const REST_MS = 150;

// style-allow ambient-time: this runs in a browser
const history = createHistory(() => performance.now(), send, viewOf);
const root = elementOf('page');

const { redraw, latest, changed } = askOften({
  everyMs: ASK_EVERY_MS,
  take: (/** @type {News<BotStatus>} */ { status }) => history.take(status),
  draw(news, { ms, stale }) {
    if (news === null) return stale ? 'The bot does not answer. Does it run? Its terminal or its log says more.' : null;
    const { status } = news;
    patch(root, page(status, { now: nowOf(status, ms), history, session: currentSession() }));
    drawPlots(root, drawnOf);
    document.title = stale ? `${modeText(status)} · no news · quotekeeper` : titleOf(status);
    document.body.classList.toggle('past', status.isPast);
    elementOf('stale').classList.toggle('gone', isGone(status));
    if (stale) return staleSentence(news);
    return status.isPast ? pastSentence(status) : null;
  },
});

/** By the bot's clock; a past status ages by the browser's. @param {BotStatus} status @param {number} silentMs */
function nowOf({ trader, isPast }, silentMs) {
  const here = Date.now(); // style-allow ambient-time: this runs in a browser
  return isPast ? Math.max(here, trader.at) : trader.at + silentMs;
}

/** @param {string} name */
function drawnOf(name) {
  const symbol = latest()?.status.trader.symbols.find((each) => each.symbol === name);
  if (symbol === undefined) return null;
  return { symbol, course: history.of(name) };
}

/** @param {BotStatus} status */
function pastSentence(status) {
  const asOf = `as of ${momentText(status.trader.at)}`;
  return isGone(status)
    ? `GONE, ${asOf}: the bot’s process is gone. Orders of it may rest on the exchange: \`quotekeeper cancel-all\` ` +
        'cancels them. What is below was true then.'
    : `STOPPED, ${asOf}: this bot does not run. It only shows what was. ${status.headline.sentence}`;
}

/** @param {News<BotStatus>} news */
function staleSentence({ at, status: { trader, stopping, headline } }) {
  if (trader.phase === 'stopped') return `${headline.word}: ${headline.sentence}`;
  const then = stopping === null ? 'What is below was true then.' : 'It was stopping then.';
  return `No news from the bot since ${clockText(at)}. ${then}`;
}

const shown = () => latest()?.status ?? null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let rest;
listenToGestures(root, shownAt, () => {
  redraw();
  clearTimeout(rest);
  rest = setTimeout(() => {
    const status = shown();
    if (status !== null) history.take(status);
  }, REST_MS);
});
listenToBooks(root, redraw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forgetPlots);
const dialog = elementOf('dialog');
if (dialog instanceof HTMLDialogElement) listenToButtons(dialog, { changed, shown });
