// The list of trades and the profit by day: asked for when a person opens them, and kept until they ask again.
import { send } from '../steer/session.js';

/** @import { profitDays } from '../../profit-days.ts' */
/** @import { tradePage } from '../../trade-list.ts' */

/** @typedef {ReturnType<typeof profitDays>} ProfitDays */
/** @typedef {ReturnType<typeof tradePage>} TradePage */

/**
 * `pages`: those before this one, the newest first. `why`: what is being done, or why there is nothing.
 * @typedef {{ page: TradePage | null, pages: readonly (number | null)[], why: string }} Trades
 * @typedef {{ month: ProfitDays | null, of: string, why: string }} Days
 * @typedef {{ trades: Trades, file: { why: string }, days: Days }} Books
 */

/** @type {Books} */
const books = {
  trades: { page: null, pages: [], why: '' },
  file: { why: '' },
  days: { month: null, of: '', why: '' },
};

/** @returns {Readonly<Books>} */
export const shownBooks = () => books;

/** What the bot refuses, in its words. */
class Refused extends Error {}

/** @param {string} path @param {Readonly<Record<string, string>>} query */
async function ask(path, query) {
  const chosen = Object.entries(query).filter(([, value]) => value !== '');
  const answer = await send(`${path}?${new URLSearchParams(chosen)}`);
  if (answer.ok) return answer;
  if (answer.status === 404)
    throw new Refused('Only a running bot lists them; after it has ended, use `quotekeeper export` and `report`.');
  const { error, refused } = await answer.json();
  throw new Refused(error ?? refused);
}

/** @typedef {Readonly<Record<string, string>>} Filter Empty fields choose all. */

/** As the fields show it. @param {HTMLElement} root @returns {Filter} */
const filterIn = (root) =>
  Object.fromEntries(
    [...root.querySelectorAll('[data-filter]')].flatMap((field) =>
      field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? [[field.name, field.value]] : [],
    ),
  );

/**
 * The bot looks at some hundred records for each answer: asks on until a page has a row, or there is no more.
 * @param {Filter} filter @param {readonly (number | null)[]} pages @param {() => boolean} isWanted
 */
async function tradesOf(filter, pages, isWanted) {
  for (let before = pages.at(-1) ?? null; ; ) {
    /** @type {TradePage} */
    const page = await (await ask('/api/trades', { ...filter, before: String(before ?? '') })).json();
    if (page.rows.length > 0 || page.next === null || !isWanted()) return { page, pages };
    before = page.next;
  }
}

/** Everything that the filter chooses, as one file or none. @param {Filter} filter @param {() => boolean} isWanted */
async function saveCsv(filter, isWanted) {
  /** @type {string[]} */
  const parts = [];
  for (let before = ''; ; ) {
    const answer = await ask('/api/trades', { ...filter, before, format: 'csv' });
    const text = await answer.text();
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\n') + 1));
    before = answer.headers.get('next') ?? '';
    if (!isWanted()) return {};
    if (before === '') break;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  link.download = 'trades.csv';
  link.click();
  URL.revokeObjectURL(link.href);
  return {};
}

/** @param {HTMLElement} root @param {() => void} changed */
export function listenToBooks(root, changed) {
  /** The last work on each. @type {Partial<Record<keyof Books, object>>} */
  const last = {};
  /**
   * What it finds is shown unless a person has asked for something else meanwhile; nothing older stays if it fails.
   * @template {keyof Books} Name
   * @param {Name} name @param {Partial<Books[Name]>} none
   * @param {(isWanted: () => boolean) => Promise<Partial<Books[Name]>>} work
   */
  const perform = async (name, none, work) => {
    const mine = {};
    last[name] = mine;
    const isWanted = () => last[name] === mine;
    books[name].why = 'Asking the bot …';
    changed();
    const found = await work(isWanted).then(
      (all) => ({ ...all, why: '' }),
      (error) => ({ ...none, why: error instanceof Refused ? error.message : 'The bot does not answer.' }),
    );
    if (!isWanted()) return;
    Object.assign(books[name], found);
    changed();
  };
  const load = (/** @type {readonly (number | null)[]} */ pages) =>
    perform('trades', { page: null, pages: [] }, (isWanted) => tradesOf(filterIn(root), pages, isWanted));
  const loadDays = (month = '') =>
    perform('days', { month: null }, async () => ({ month: await (await ask('/api/days', { month })).json() }));
  /** @type {Readonly<Record<string, (pressed: HTMLElement) => Promise<void>>>} */
  const actions = {
    newest: () => load([]),
    newer: () => load(books.trades.pages.slice(0, -1)),
    older: () => load([...books.trades.pages, books.trades.page?.next ?? null]),
    csv: () => perform('file', {}, (isWanted) => saveCsv(filterIn(root), isWanted)),
    month: ({ dataset: { month } }) => loadDays(month),
  };
  root.addEventListener('click', ({ target }) => {
    const pressed = target instanceof Element ? target.closest('[data-books]') : null;
    if (pressed instanceof HTMLElement) void actions[pressed.dataset.books ?? '']?.(pressed);
  });
  root.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    if (target.dataset.filter !== undefined) void load([]);
    if (target.dataset.days === undefined) return;
    books.days.of = target.value;
    changed();
  });
  // Does not bubble.
  root.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      if (target.dataset.opens === 'trades') void load([]);
      if (target.dataset.opens === 'days') void loadDays();
    },
    true,
  );
}
