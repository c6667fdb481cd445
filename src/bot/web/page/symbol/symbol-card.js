// Everything about one symbol: quotes, holdings and profit, and why.
import { h } from '../dom.js';
import { amount, assetPlaces, bps, count, difference, isZero, negated, placesOf, signed } from '../numbers.js';
import { age, empty, figure, stateWord, table, unit } from '../parts.js';
import { symbolControls } from '../steer/controls.js';
import { ageText, momentText } from '../times.js';
import { charts } from './chart.js';
import { externalWords } from './external.js';
import { ladder } from './ladder.js';
import { fills, orders } from './orders.js';

/** @import { StatusSnapshot, SymbolView } from '../../../../trader/status/snapshot.ts' */
/** @import { VNode } from '../dom.js' */
/** @import { Course } from '../history.js' */

/**
 * @typedef {{ readonly now: number, readonly limits: StatusSnapshot['limits'], readonly reason: string,
 *   readonly presence: string, readonly course: Course, readonly isOver: boolean }} CardContext
 */

/** @param {SymbolView} symbol @param {CardContext} context @returns {VNode} */
export function symbolCard(symbol, context) {
  const { now, limits, reason, presence } = context;
  const bookClock = { now, limitMs: limits.bookAgeMs };
  const external = externalWords(symbol, now);
  return h(
    'article',
    { class: 'card', 'data-symbol': symbol.symbol },
    h(
      'header',
      {},
      h('h2', {}, symbol.symbol),
      stateWord(symbol.verdict),
      h('p', { class: 'reason' }, reason),
      symbolControls(symbol.symbol),
    ),
    h('dl', { class: 'figures' }, ...figuresOf(symbol, bookClock)),
    h('dl', { class: 'figures profits' }, ...profitsOf(symbol, bookClock)),
    h(
      'dl',
      { class: 'sides' },
      sideLine(symbol, 'sell'),
      sideLine(symbol, 'buy'),
      deniedLine(symbol),
      ...lockLines(symbol, now),
    ),
    h('p', { class: 'presence', hidden: presence === '' }, presence),
    h('p', { class: 'presence', hidden: external === '' }, external),
    h('p', { class: 'presence estimates' }, symbol.estimates.join(' ')),
    h(
      'div',
      { class: 'body' },
      ladder(symbol, bookClock),
      h(
        'div',
        { class: 'stack' },
        charts(symbol.symbol, context.course, context.isOver),
        orders(symbol, context),
        fills(symbol, context),
      ),
    ),
    explanation(symbol),
  );
}

/** @param {SymbolView} symbol @param {{ now: number, limitMs: number }} clock @returns {VNode[]} */
function figuresOf(symbol, clock) {
  const { referencePrice, quotedSpreadBps, marketSpreadBps, quote, fills: done } = symbol;
  const places = placesOf(symbol.tickSize) + 1;
  const isDoubtful = referencePrice !== null && !symbol.referenceTrusted;
  const last = symbol.pnl.price === null ? 'none' : amount(symbol.pnl.price, places);
  const liquidity = done.takers === 0 ? 'all as maker' : `${count(done.takers)} as taker`;
  const traded = `${amount(done.quoteVolume, assetPlaces(quote))} ${quote}, ${liquidity}`;
  return [
    figure(
      'Reference price',
      [`${amount(referencePrice, places)}${isDoubtful ? '?' : ''}`, unit(quote)],
      isDoubtful
        ? h('span', { title: 'It is far from the last price that was trusted' }, 'not trusted; last trusted ', last)
        : h('span', { title: 'What quotes center on' }, 'book read ', age(symbol.bookSentAt, clock)),
    ),
    figure('Spread quoted', bps(quotedSpreadBps), `market ${bps(marketSpreadBps)}`),
    inventoryFigure(symbol),
    figure(
      'Fills',
      [count(done.buys + done.sells), unit(`(${count(done.buys)} bought, ${count(done.sells)} sold)`)],
      done.buys + done.sells === 0 ? 'none since the ledger was opened' : traded,
    ),
  ];
}

/** @param {SymbolView} symbol @returns {VNode} */
function inventoryFigure({ inventory, inventoryTarget, referencePrice, base, lotSize }) {
  const places = placesOf(lotSize);
  if (referencePrice === null) {
    return figure('Inventory', [amount(inventory, places), unit(base)], 'no target without a reference price');
  }
  const off = difference(inventory, inventoryTarget);
  const range = Math.max(2 * Number(inventoryTarget), 1.1 * Number(inventory)) || 1;
  return figure(
    'Inventory',
    [amount(inventory, places), unit(base)],
    h(
      'span',
      {},
      `target ${amount(inventoryTarget, places)}, ${isZero(amount(off, places)) ? 'on it' : signed(off, places)}`,
      h(
        'span',
        { class: 'gauge', 'aria-hidden': 'true' },
        h('span', { class: 'held', '--share': Number(inventory) / range }),
        h('span', { class: 'wanted', '--share': Number(inventoryTarget) / range }),
      ),
    ),
  );
}

/**
 * The total and its parts.
 * @param {SymbolView} symbol
 * @param {{ now: number, limitMs: number }} clock
 */
function profitsOf({ pnl, quote, tickSize }, clock) {
  const places = assetPlaces(quote);
  /** @type {(name: string, text: string, title: string, ...notes: string[]) => VNode} */
  const part = (name, text, title, ...notes) =>
    figure(name, h('span', { title: `${title} (${text} ${quote})` }, signed(text, places)), ...notes);
  const besides = pnl.otherFees.map(({ asset, amount: fees }) => `${amount(fees, assetPlaces(asset))} ${asset}`);
  return [
    figure(
      'Profit and loss',
      h('span', { title: `${pnl.total} ${quote} since the ledger was opened` }, signed(pnl.total, places), unit(quote)),
      pnl.since === null ? null : h('span', {}, `since ${momentText(pnl.since)}`),
      pnl.price === null
        ? null
        : h('span', {}, `at ${amount(pnl.price, placesOf(tickSize) + 1)} of `, age(pnl.pricedAt, clock)),
    ),
    part('by spread', pnl.spread, 'How much better fills were than the middle of the book'),
    part('by inventory', pnl.inventory, 'Effect of the price on the holdings, at the middle of the book'),
    part(
      'fees',
      negated(pnl.fees),
      'Fees, with the tax on them',
      ...(besides.length === 0 ? [] : [`and ${besides.join(', ')}, not counted`]),
    ),
    pnl.taxInTotal
      ? part('tax withheld', negated(pnl.taxWithheld), 'Withheld from sales: a cost here')
      : figure(
          'tax withheld, apart',
          h(
            'span',
            { title: 'Withheld from sales and yours to claim back: not in the total' },
            amount(pnl.taxWithheld, places),
          ),
        ),
  ];
}

/**
 * Own orders on one side, or why there are none.
 * @param {SymbolView} symbol
 * @param {'buy' | 'sell'} side
 */
function sideLine(symbol, side) {
  const live = symbol.orders.filter((order) => order.side === side && order.standing === 'live');
  const best = live.toSorted((a, b) => (side === 'buy' ? -1 : 1) * (Number(a.price) - Number(b.price)))[0];
  const { why, placing, leaving, unknown } = symbol.sides[side];
  const others = [
    placing === 0 ? '' : `, ${count(placing)} on the way`,
    leaving === 0 ? '' : `, ${count(leaving)} leaving`,
    unknown === 0 ? '' : `, ${count(unknown)} unknown`,
  ];
  const name = side === 'buy' ? 'Bid' : 'Ask';
  /** @param {{ quantity: string, filled: string }} order */
  const rest = ({ quantity, filled }) => amount(difference(quantity, filled), placesOf(symbol.lotSize));
  const content =
    best === undefined
      ? [h('b', {}, 'no live order'), ...others, why === null ? '.' : `. ${why}`]
      : [
          h('b', {}, `${rest(best)} @ ${amount(best.price, placesOf(symbol.tickSize))}`),
          best.distanceBps === null ? '' : `, ${bps(best.distanceBps)} from the reference`,
          live.length > 1 ? `, ${live.length - 1} more behind` : '',
          ...others,
        ];
  return h('div', {}, h('dt', { class: side }, name), h('dd', {}, content));
}

/**
 * Only if something else keeps the symbol from being quoted; otherwise each side shows its own lock.
 * @param {SymbolView} symbol
 * @param {number} now
 */
function lockLines({ risk, reason: other }, now) {
  return (other === null ? [] : risk.locks).map(({ side, reason, until }) => {
    const what = side === null ? 'Both sides' : side === 'buy' ? 'Buying' : 'Selling';
    const end = until === null ? 'until it is removed' : `for ${ageText(until - now)}`;
    const words = `${what} ${end}. ${reason}`;
    return h('div', { class: 'lock' }, h('dt', { class: 'warn' }, '■ Locked'), h('dd', {}, words));
  });
}

/** @param {SymbolView} symbol @returns {VNode | null} */
function deniedLine({ denied }) {
  return denied === null
    ? null
    : h(
        'div',
        {},
        h('dt', { class: 'warn' }, '▲ Denied'),
        h('dd', {}, h('b', {}, denied.code), ` — ${denied.message}`),
      );
}

// Why this price: every step of the pipeline from the reference price to the quote.

/** @param {SymbolView} symbol @returns {VNode} */
function explanation({ symbol, explain, wanted }) {
  const quotes = wanted.length === 0 ? 'no quote' : wanted.length === 1 ? '1 quote' : `${wanted.length} quotes`;
  return h(
    'details',
    { class: 'section why' },
    h('summary', {}, 'Why this price', h('span', { class: 'aside' }, `${explain.length} steps to ${quotes}`)),
    explain.length === 0
      ? empty('Nothing was worked out while the symbol is not quoted.')
      : table({
          label: `Why ${symbol} is quoted as it is`,
          class: 'steps',
          columns: [
            { name: 'Step', cell: ({ name }) => name },
            { name: 'Quote', cell: ({ slot }) => slotText(slot) },
            { name: 'Before', number: true, cell: ({ before }) => before },
            { name: 'After', number: true, cell: ({ after }) => after },
            { name: 'Because', wide: true, cell: ({ why }) => why },
          ],
          rows: explain,
          classOf: ({ before, after }) => (before === after ? 'same' : null),
        }),
  );
}

/** `buy:0` → `bid 0`. @param {string | null} slot @returns {string} */
function slotText(slot) {
  if (slot === null) return '';
  const [side, level] = slot.split(':');
  return `${side === 'buy' ? 'bid' : 'ask'} ${level}`;
}
