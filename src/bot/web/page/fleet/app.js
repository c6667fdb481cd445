// Asks for all accounts every two seconds and draws the answer; when there is none, the page says so and turns gray.
import { elementOf, h, patch } from '../dom.js';
import { listenToButtons } from '../steer/actions.js';
import { button } from '../steer/controls.js';
import { currentSession, readSession, send } from '../steer/session.js';
import { clockText, showTimesIn } from '../times.js';
import { FLEET_COMMANDS } from './commands.js';
import { fleetPage, titleOf } from './page.js';

/** @import { FleetNews } from '../../../fleet/fleet-page.ts' */

const ASK_EVERY_MS = 2_000;
const SESSION_EVERY_MS = 60_000;
const DRAW_EVERY_MS = 500;
const STALE_AFTER_MS = 6_000;

/** The last answer that had news; `at` by the browser's wall clock, `tick` by its monotonic one. */
/** @type {{ fleet: FleetNews, at: number, tick: number } | null} */
let news = null;
/** Why the last answer had none. */
let failure = '';
let asked = 0;
/** The latest request that was answered. */
let answered = 0;
/** Whether nothing is shown without a sign-in. */
let isShut = false;
const openedAt = performance.now(); // style-allow ambient-time: this runs in a browser
const root = elementOf('page');
const banner = elementOf('stale');

async function ask() {
  const mine = ++asked;
  const answer = await send('/api/status');
  /** @type {FleetNews | null} */
  const fleet = answer.ok ? await answer.json() : null;
  // A person's command asks, too: the answer to an earlier request may come later.
  if (mine < answered) return;
  answered = mine;
  isShut = answer.status === 401;
  if (isShut) news = null;
  if (fleet === null) throw new Error(`The page answered ${answer.status}.`);
  showTimesIn(fleet.timeZone);
  failure = fleet.failure ?? '';
  if (failure === '') news = { fleet, at: Date.now(), tick: performance.now() }; // style-allow ambient-time: this runs in a browser
}

/** One request at a time: a slow answer delays the next. */
async function askOn() {
  try {
    await ask();
  } catch {
    // The banner shows it; the next request tries again.
  }
  draw();
  setTimeout(askOn, ASK_EVERY_MS);
}

function draw() {
  const silentMs = performance.now() - (news?.tick ?? openedAt); // style-allow ambient-time: this runs in a browser
  const stale = !isShut && (failure !== '' || silentMs > STALE_AFTER_MS);
  if (isShut) patch(root, [h('p', { class: 'opening' }, 'Sign in to see this page. ', button('sign-in', 'Sign in …'))]);
  if (news !== null) {
    patch(root, fleetPage(news.fleet, currentSession()));
    document.title = stale ? 'no news · fleet · quotekeeper' : titleOf(news.fleet);
  }
  document.body.classList.toggle('stale', stale);
  banner.hidden = !stale;
  const since = news === null ? '' : ` No news since ${clockText(news.at)}: what is below was true then.`;
  const sentence = `${failure || '`quotekeeper fleet page` does not answer: does it run?'}${since}`;
  if (stale && banner.textContent !== sentence) banner.textContent = sentence;
}

const dialog = elementOf('dialog');
if (dialog instanceof HTMLDialogElement) {
  const changed = () => ask().then(draw, draw);
  listenToButtons(dialog, { changed, shown: () => null, commands: FLEET_COMMANDS });
}
void readSession().then(draw);
setInterval(readSession, SESSION_EVERY_MS);
setInterval(draw, DRAW_EVERY_MS);
void askOn();
