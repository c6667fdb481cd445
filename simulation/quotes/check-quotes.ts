// K11: what is quoted is what the configuration asks for. Reference price, distances, floor, skew, rounding and sizes
// are worked out anew for each create and, now and then, for all that is wanted, from the book that came, the records
// and the settings.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import { MINUTE } from '../../src/domain/time.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { SymbolView } from '../../src/trader/status/snapshot.ts';
import type { CheckContext } from '../checks/context.ts';
import { isLocked, type JournalIntent, type Told } from '../checks/journal-model.ts';
import { isKnown } from '../presence/quoted.ts';
import type { Totals } from '../proofs/ledger-totals.ts';
import { bestOfOthers, type ShownBook } from '../shown/shown-book.ts';
import { type Expected, expectedOf } from './expected.ts';

/** So many of a symbol's last intents may be in a book, or may have been when it was read. */
const RECENT = 200;
/** Numbers that are kept to twenty places differ by less. */
const ALMOST = new Decimal('1e-12');
/** Lots that a create may be smaller by, to be told from another. */
const MOST_LOTS_OFF = 9;
const SIDES = ['buy', 'sell'] as const;

export interface Money {
  readonly totals: Totals;
  /** What can't be had of each asset: reserved, and locked by others. */
  readonly taken: Totals;
}

export interface Asked extends Money {
  readonly run: RunSettings;
  readonly book: ShownBook;
  readonly reference: Decimal;
}

interface Quoted {
  readonly side: Side;
  readonly level: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

export interface QuoteJudge {
  recorded(context: CheckContext, told: Told): void;
  /** An intent, as it is written down. */
  judgeIntent(context: CheckContext, intent: JournalIntent, asked: Asked): void;
  /** All that a symbol wants now. */
  judgeWanted(context: CheckContext, view: SymbolView, asked: Asked): void;
}

/** The last intents of each symbol. */
type Recent = Map<string, JournalIntent[]>;

export function createQuoteJudge(): QuoteJudge {
  const recent: Recent = new Map();
  return {
    recorded(context, told) {
      if (told.type !== 'intent') return;
      const intent = context.journal.intents.get(String(told.payload.intentId));
      if (intent === undefined) return;
      recent.set(intent.symbol, [...(recent.get(intent.symbol) ?? []), intent].slice(-RECENT));
    },
    judgeIntent(context, intent, asked) {
      const [, level = '0'] = intent.slot.split(':');
      const { side, price, quantity } = intent;
      const quoted = { side, level: Number(level), price: new Decimal(price), quantity: new Decimal(quantity) };
      const lots = Math.max(MOST_LOTS_OFF, asked.run.quoting.saltLots);
      judge(recent, context, { asked, quotes: [quoted], lots, isAll: false });
    },
    judgeWanted(context, { wanted }, asked) {
      const quotes = wanted.map(({ side, level, price, quantity }) => ({
        ...{ side, level },
        ...{ price: new Decimal(price), quantity: new Decimal(quantity) },
      }));
      judge(recent, context, { asked, quotes, lots: 0, isAll: true });
    },
  };
}

/**
 * Every pair of best prices that the others may have: any order of ours that may be in the book, taken out or not.
 */
function touches(recent: Recent, context: CheckContext, { run, book }: Asked): Record<Side, Decimal>[] {
  const from = context.now() - 2 * context.settings.assumptions.readLagBoundMs - 2 * MINUTE;
  const own = (recent.get(run.instrument.symbol) ?? []).filter(
    ({ state, since }) => state !== 'closed' || since > from,
  );
  const isOwn = (of: Side) => (price: Decimal) => own.some(({ side, price: at }) => side === of && price.eq(at));
  const asks = bestOfOthers(book.asks, isOwn('sell'));
  return bestOfOthers(book.bids, isOwn('buy')).flatMap((buy) => asks.map((sell) => ({ buy, sell })));
}

/** Those that make the reference price; null where none does, and the reason has been told. */
function fitting(
  context: CheckContext,
  asked: Asked,
  all: readonly Record<Side, Decimal>[],
): Record<Side, Decimal>[] | null {
  const { run, reference } = asked;
  const isMid = run.referenceSource === 'mid';
  const fit = all.filter(({ buy, sell }) =>
    isMid ? isAlmost(reference, buy.add(sell).div(2)) : reference.gte(buy) && reference.lte(sell),
  );
  if (fit.length > 0) return fit;
  const words = all.map(({ buy, sell }) => `${buy.toFixed()} and ${sell.toFixed()}`).join('; ');
  const { symbol } = run.instrument;
  context.violated('K11', `${reference.toFixed()} is the reference price of ${symbol}; the book has ${words}.`);
  return null;
}

function judge(recent: Recent, context: CheckContext, question: Question): void {
  if (!isKnown(question.asked.run)) return;
  const { asked, quotes } = question;
  const fit = fitting(context, asked, touches(recent, context, asked));
  if (fit === null) return;
  const { base, quote, symbol } = asked.run.instrument;
  const held = { base: asked.totals.get(base) ?? ZERO, quote: asked.totals.get(quote) ?? ZERO };
  const flaws = fit.map((touch) => {
    const expected = expectedOf(asked.run, { ...held, reference: asked.reference, touch });
    const own = (recent.get(symbol) ?? []).filter(({ state }) => state !== 'closed');
    return flawOf({ ...question, expected: unlocked(context, symbol, expected), touch, own });
  });
  context.counters.add('quotes worked out anew', quotes.length);
  if (flaws.every((flaw) => flaw !== null)) context.violated('K11', `${symbol}: ${flaws[0]}`);
}

/** A side that is locked wants nothing. */
const unlocked = (context: CheckContext, symbol: string, expected: Judged['expected']): Judged['expected'] => ({
  buy: isLocked(context.journal, symbol, 'buy') ? [] : expected.buy,
  sell: isLocked(context.journal, symbol, 'sell') ? [] : expected.sell,
});

const nameOf = ({ side, level }: Quoted): string => `the ${side} on level ${level}`;

const isAlmost = (a: Decimal, b: Decimal): boolean => a.sub(b).abs().lte(b.mul(ALMOST));

interface Question {
  readonly asked: Asked;
  readonly quotes: readonly Quoted[];
  /** That it may be smaller by. */
  readonly lots: number;
  /** Whether nothing beside it is wanted. */
  readonly isAll: boolean;
}

interface Judged extends Question {
  readonly expected: Readonly<Record<Side, readonly Expected[]>>;
  readonly touch: Readonly<Record<Side, Decimal>>;
  /** Orders that may be live. */
  readonly own: readonly JournalIntent[];
}

/** The first thing that is wrong, as a sentence; null where nothing is. */
function flawOf(judged: Judged): string | null {
  for (const quote of judged.quotes) {
    const expected = judged.expected[quote.side].find(({ level }) => level === quote.level);
    if (expected === undefined) return `No ${quote.side} is wanted on level ${quote.level}.`;
    const flaw = flawOfPrice(judged, quote, expected) ?? flawOfSize(judged, quote, expected);
    if (flaw !== null) return flaw;
  }
  if (!judged.isAll || judged.quotes.length === 0) return null;
  for (const side of SIDES)
    for (const each of judged.expected[side])
      if (
        isPlaceable(judged, side, each) &&
        !judged.quotes.some((quote) => quote.side === side && quote.level === each.level)
      )
        return `A ${side} on level ${each.level} is wanted and lacks, with money for it.`;
  return null;
}

/** On its tick, or further out for a reason: the other side of the market, an order of ours, or the level before it. */
function flawOfPrice({ asked, touch, own, quotes }: Judged, quote: Quoted, expected: Expected): string | null {
  const { instrument, quoting } = asked.run;
  const { tickSize } = instrument;
  const [out, other] = quote.side === 'buy' ? ([-1, 'sell'] as const) : ([1, 'buy'] as const);
  const onTick = (price: Decimal): Decimal => {
    const ticks = price.div(tickSize);
    return (out < 0 ? ticks.floor() : ticks.ceil()).mul(tickSize);
  };
  const slack = expected.price.mul(ALMOST);
  const right = [expected.price, expected.price.add(slack), expected.price.sub(slack)].map(onTick);
  if (right.some((price) => price.eq(quote.price))) return null;
  const words = `${nameOf(quote)} is at ${quote.price.toFixed()}, wanted is ${right[0]?.toFixed()}`;
  if (quote.price.sub(expected.price).mul(out).lt(0)) return `${words}.`;
  // How far the margin reaches where the price is taken to travel is not asked for.
  const isTravelling = quoting.guard.volatilityBpsPerSqrtSecond > 0 && quoting.guard.volatilityMultiplier > 0;
  const margin = tickSize.mul(quoting.guard.guardTicks);
  const isNear = touch[other].sub(expected.price).mul(-out).lte(margin);
  const meets = (at: Decimal): boolean => at.sub(expected.price).mul(-out).lte(0);
  const others = [...own.filter(({ side }) => side === other).map(({ price }) => new Decimal(price))];
  const wanted = quotes.filter(({ side }) => side === other).map(({ price }) => price);
  const isApart = quotes.some(
    ({ side, level, price }) =>
      side === quote.side && level === quote.level - 1 && quote.price.sub(price).mul(out).eq(tickSize),
  );
  const isBeside = own.some(
    ({ state, price }) => state !== 'open' && quote.price.sub(price).abs().lte(tickSize.mul(2)),
  );
  if (isTravelling || isNear || isApart || isBeside || [...others, ...wanted].some(meets)) return null;
  return `${words}, and nothing is in its way.`;
}

function flawOfSize(judged: Judged, quote: Quoted, { size }: Expected): string | null {
  const { asked, lots } = judged;
  if (asked.run.quoting.inventorySkew.enabled) return null;
  const { lotSize } = asked.run.instrument;
  const inLots = (of: Decimal): Decimal => of.div(lotSize).floor().mul(lotSize);
  const [most, least] = [inLots(size.add(size.mul(ALMOST))), inLots(size.sub(size.mul(ALMOST)))];
  const words = `${nameOf(quote)} is of ${quote.quantity.toFixed()}, wanted is ${most.toFixed()}`;
  if (quote.quantity.gt(most)) return `${words}.`;
  const isSmall = quote.quantity.lt(least.sub(lotSize.mul(lots)));
  return isSmall && isRoomy(judged, quote.side) ? `${words}, with money for it.` : null;
}

const isPlaceable = (judged: Judged, side: Side, { price, size }: Expected): boolean =>
  price.mul(size).gt(judged.asked.run.instrument.minNotional.mul(2)) &&
  !judged.asked.run.quoting.inventorySkew.enabled &&
  isRoomy(judged, side);

/** Whether all open orders may be worth what rests and twice what is wanted, and as much again in the other markets. */
function hasNotional({ asked, expected, own }: Judged): boolean {
  const { maxOpenNotional, maxOpenNotionalOverAll = maxOpenNotional } = asked.run.limits;
  const worth = (orders: readonly { price: Decimal | string; size: Decimal | string }[]): Decimal =>
    orders.reduce((sum, { price, size }) => sum.add(new Decimal(price).mul(size)), ZERO);
  const resting = worth(own.map(({ price, quantity }) => ({ price, size: quantity })));
  const all = worth([...expected.buy, ...expected.sell])
    .mul(2)
    .add(resting);
  return all.lte(maxOpenNotional) && all.mul(asked.totals.size).lte(maxOpenNotionalOverAll);
}

/** Whether money, limits and inventory are plenty for all that the side wants, twice. */
function isRoomy(judged: Judged, side: Side): boolean {
  const { asked, expected } = judged;
  if (!hasNotional(judged)) return false;
  const { instrument, quoting } = asked.run;
  const { inventory, budget } = quoting;
  const need = expected[side]
    .reduce((sum, { price, size }) => sum.add(side === 'buy' ? price.mul(size) : size), ZERO)
    .mul(2);
  const asset = side === 'buy' ? instrument.quote : instrument.base;
  const total = asked.totals.get(asset) ?? ZERO;
  const capped = side === 'buy' ? budget.maxQuote : budget.maxBase;
  if (capped !== undefined || (side === 'buy' && (inventory.maxBase !== undefined || inventory.maxBaseRatio < 1)))
    return false;
  const reserve = side === 'buy' ? budget.reserveQuote : Decimal.max(budget.reserveBase, inventory.minBase);
  return total
    .sub(asked.taken.get(asset) ?? ZERO)
    .sub(reserve)
    .gte(need);
}
