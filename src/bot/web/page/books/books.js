// The list of trades and the profit by day: asked for when a person opens them, and kept until they ask again.
import { send } from '../steer/session.js';

/** @import { profitDays } from '../../profit-days.ts' */
/** @import { tradePage } from '../../trade-list.ts' */

/** @typedef {ReturnType<typeof profitDays>} ProfitDays */
/** @typedef {ReturnType<typeof tradePage>} TradePage */

/**
 * Empty fields choose all.
 * @typedef {{ readonly symbol: string, readonly side: string, readonly from: string, readonly to: string }} Filter
 * `pages`: those before this one, the newest first; `why`: why there is nothing.
 * @typedef {{
 *   trades: TradePage | null, pages: readonly (number | null)[], days: ProfitDays | null, of: string, why: string,
 * }} Books
 */

/** @type {Books} */
const books = { trades: null, pages: [], days: null, of: '', why: 'Asking the bot …' };
/** @type {Filter} */
let filter = { symbol: '', side: '', from: '', to: '' };

/** @returns {Readonly<Books>} */
export const shownBooks = () => books;

/** Most answers in one file. */
const MOST_ANSWERS = 1_000;

/** @param {number | null} before @param {Readonly<Record<string, string>>} [more] */
function askTrades(before, more = {}) {
  const chosen = Object.entries({ ...filter, ...more }).filter(([, value]) => value !== '');
  return send(
    `/api/trades?${new URLSearchParams([...chosen, ...(before === null ? [] : [['before', String(before)]])])}`,
  );
}

/**
 * The bot looks at some thousand records for each answer: asks on until a page has a row, or there is no more.
 * @param {readonly (number | null)[]} pages
 */
async function loadTrades(pages) {
  let before = pages.at(-1) ?? null;
  /** @type {TradePage | null} */
  let found = null;
  for (let tries = 0; tries < MOST_ANSWERS && (found === null || found.rows.length === 0); tries += 1) {
    found = await bodyOf(await askTrades(before));
    if (found === null || found.next === null) break;
    before = found.rows.length === 0 ? found.next : before;
  }
  Object.assign(books, { trades: found, pages });
}

/** @param {string} month */
async function loadDays(month) {
  books.days = await bodyOf(await send(`/api/days${month === '' ? '' : `?month=${month}`}`));
}

/** Null if the bot refuses. @template Body @param {Response} answer @returns {Promise<Body | null>} */
async function bodyOf(answer) {
  if (answer.ok) return answer.json();
  books.why =
    answer.status === 404
      ? 'Only a bot that runs lists them; `quotekeeper export` and `report` read those of one that has ended.'
      : await answer.json().then(({ error, refused }) => error ?? refused);
  return null;
}

/** Everything that the filter chooses, as a file. */
async function saveCsv() {
  /** @type {string[]} */
  const parts = [];
  for (let before = null, tries = 0; tries < MOST_ANSWERS; tries += 1) {
    const answer = await askTrades(before, { format: 'csv' });
    if (!answer.ok) return;
    const text = await answer.text();
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\n') + 1));
    const next = answer.headers.get('next') ?? '';
    if (next === '') break;
    before = Number(next);
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  link.download = 'trades.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @type {Readonly<Record<string, (pressed: HTMLElement) => Promise<void>>>} */
const ACTIONS = {
  newest: () => loadTrades([]),
  newer: () => loadTrades(books.pages.slice(0, -1)),
  older: () => loadTrades([...books.pages, books.trades?.next ?? null]),
  csv: saveCsv,
  month: ({ dataset: { month = '' } }) => loadDays(month),
};

/** @param {HTMLElement} root @param {() => void} changed */
export function listenToBooks(root, changed) {
  const perform = (/** @type {() => Promise<void>} */ work) =>
    work()
      .catch(() => void Object.assign(books, { why: 'The bot does not answer.' }))
      .then(changed);
  root.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest('[data-books]') : null;
    const act = pressed instanceof HTMLElement ? ACTIONS[pressed.dataset.books ?? ''] : undefined;
    if (pressed instanceof HTMLElement && act !== undefined) void perform(() => act(pressed));
  });
  root.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    if (target.dataset.days !== undefined) {
      books.of = target.value;
      changed();
    } else if (target.dataset.filter !== undefined) {
      filter = { ...filter, [target.dataset.filter]: target.value };
      void perform(() => loadTrades([]));
    }
  });
  // Does not bubble.
  root.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      if (target.dataset.opens === 'trades') void perform(() => loadTrades([]));
      if (target.dataset.opens === 'days') void perform(() => loadDays(''));
    },
    true,
  );
}
