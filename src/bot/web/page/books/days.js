// Profit by day, a month at a time: as a calendar and as a table.
import { h } from '../dom.js';
import { assetPlaces, signed } from '../numbers.js';
import { empty, table } from '../parts.js';
import { zoneShown } from '../times.js';
import { shownBooks } from './books.js';

/** @import { ProfitDays } from './books.js' */

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', signDisplay: 'exceptZero' });
const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function days() {
  const { month, of, why } = shownBooks().days;
  const aside = (month !== null && why) || 'calendar and table';
  const summary = h('summary', {}, 'Profit by day', h('span', { class: 'aside' }, aside));
  if (month === null) return h('details', { class: 'section why', 'data-opens': 'days' }, summary, empty(why));
  const quotes = [...new Set(month.profits.map(({ quote }) => quote))];
  const all = [...quotes.map((quote) => `all in ${quote}`), ...month.profits.map(({ symbol }) => symbol)];
  const chosen = all.includes(of) ? of : (all[0] ?? '');
  const profits = profitsOf(month, chosen);
  const move = (/** @type {string} */ to) =>
    h('button', { type: 'button', 'data-books': 'month', 'data-month': to }, to);
  return h(
    'details',
    { class: 'section why', 'data-opens': 'days' },
    summary,
    h(
      'div',
      { class: 'choices' },
      move(month.before),
      h('b', {}, month.month),
      move(month.after),
      h(
        'label',
        {},
        'Of ',
        h(
          'select',
          { name: 'days', 'data-days': '' },
          ...all.map((value) => h('option', { value, selected: value === chosen }, value)),
        ),
      ),
    ),
    calendar(month.month, profits),
    profits.length === 0
      ? empty('No day of this month is recorded.')
      : table({
          label: 'Profit by day',
          columns: [
            { name: 'Day', cell: ({ day }) => day },
            { name: 'Profit', number: true, cell: ({ text, profit }) => ({ text, class: profit < 0 ? 'stop' : null }) },
            { name: '', wide: true, cell: ({ quote }) => quote },
          ],
          rows: profits,
        }),
    h(
      'p',
      { class: 'note' },
      `A day ends at midnight, ${zoneShown()}. The first recorded day includes all earlier profit.`,
    ),
  );
}

/** Newest first, of a symbol or of all with one quote asset. @param {ProfitDays} month @param {string} chosen */
function profitsOf({ profits }, chosen) {
  const mine = profits.filter(({ symbol, quote }) => symbol === chosen || chosen === `all in ${quote}`);
  const quote = mine[0]?.quote ?? '';
  const byDay = Map.groupBy(
    mine.flatMap(({ days: each }) => each),
    ({ day }) => day,
  );
  return [...byDay]
    .map(([day, parts]) => {
      const profit = parts.reduce((sum, each) => sum + each.profit, 0);
      const exact = profit.toFixed(8);
      // A day of the calendar has no room for more.
      const isMoney = assetPlaces(quote) === 2 && Math.abs(profit) < 100_000;
      const short = isMoney ? signed(exact, Math.abs(profit) < 100 ? 2 : 0) : COMPACT.format(profit).replace('-', '−');
      return { day, profit, quote, short, text: signed(exact, assetPlaces(quote)) };
    })
    .sort((a, b) => (a.day < b.day ? 1 : -1));
}

/** A week is a line. @param {string} month @param {ReturnType<typeof profitsOf>} profits */
function calendar(month, profits) {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const first = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const found = new Map(profits.map((each) => [Number(each.day.slice(-2)), each]));
  const cells = Array.from({ length: Math.ceil((first + count) / 7) * 7 }, (_, index) => {
    const day = index - first + 1;
    const { short = '', profit = 0 } = found.get(day) ?? {};
    const tone = profit < 0 ? 'stop' : profit > 0 ? 'good' : '';
    if (day < 1 || day > count) return h('td', {});
    return h('td', {}, h('span', { class: 'day' }, day), h('span', { class: tone }, short));
  });
  const weeks = Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(7 * week, 7 * week + 7));
  return h(
    'table',
    { class: 'calendar', 'aria-label': `Profit of ${month}` },
    h('thead', {}, h('tr', {}, ...WEEK.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...weeks.map((week) => h('tr', {}, ...week))),
  );
}
