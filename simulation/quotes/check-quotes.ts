// K11: what is quoted is what the configuration asks for. Reference price, distances, floor, skew, rounding and sizes
// are worked out anew for each create and, now and then, for all that is wanted, from the books that came, the records
// and the settings.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { SymbolView } from '../../src/trader/status/snapshot.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent, Told } from '../checks/journal-model.ts';
import { isLocked } from '../fold/journal-locks.ts';
import type { Books, ShownBook } from '../shown/shown-book.ts';
import { chainsOf } from './chains.ts';
import { expectedOf } from './expected.ts';
import { flawOf, isAlmost, type Judged, type Money, type Question } from './flaws.ts';
import { touchesOf } from './touches.ts';
import { isByBestSizes, isWorkedOut, microPriceOf, type Touch } from './wanted.ts';

/** So many of a symbol's last intents may be in a book, or may have been when it was read. */
const RECENT = 200;
/** Lots that a create may be smaller by, to be told from another. */
const MOST_LOTS_OFF = 9;

export interface Asked extends Money {
  readonly run: RunSettings;
  readonly book: ShownBook;
  readonly reference: Decimal;
  /** Those of every market. */
  readonly books: Books;
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
      if (told.type !== 'intent' && told.type !== 'duplicate-found') return;
      const intent = context.journal.intents.get(String(told.payload.intentId));
      if (intent === undefined) return;
      recent.set(intent.symbol, [...(recent.get(intent.symbol) ?? []), intent].slice(-RECENT));
    },
    judgeIntent(context, intent, asked) {
      const [, level = '0'] = intent.slot.split(':');
      const { side, price, quantity } = intent;
      const quoted = { side, level: Number(level), price: new Decimal(price), quantity: new Decimal(quantity) };
      const lots = Math.max(MOST_LOTS_OFF, asked.run.quoting.saltLots);
      judge(recent, context, { asked, quotes: [quoted], lots, isAll: false, itself: intent });
    },
    judgeWanted(context, { wanted }, asked) {
      const quotes = wanted.map(({ side, level, price, quantity }) => ({
        ...{ side, level },
        ...{ price: new Decimal(price), quantity: new Decimal(quantity) },
      }));
      judge(recent, context, { asked, quotes, lots: 0, isAll: true, itself: null });
    },
  };
}

interface Judging extends Pick<Question, 'quotes' | 'lots' | 'isAll'> {
  readonly asked: Asked;
  /** The intent that is judged: it is in no way of itself. */
  readonly itself: JournalIntent | null;
}

/** Those that make the reference price; null where none does, and the reason has been told. */
function fitting(context: CheckContext, { run, reference }: Asked, all: readonly Touch[]): readonly Touch[] | null {
  const fit = all.filter((touch) => makes(run, touch, reference));
  if (fit.length > 0) return fit;
  const words = all.map(({ buy, sell }) => `${buy.price.toFixed()} and ${sell.price.toFixed()}`).join('; ');
  const { symbol } = run.instrument;
  context.violated('K11', `${reference.toFixed()} is the reference price of ${symbol}; the book has ${words}.`);
  return null;
}

/** Of one that weighs the sizes of several levels only that it lies between the best prices. */
function makes({ referenceSource }: RunSettings, touch: Touch, reference: Decimal): boolean {
  const { buy, sell } = touch;
  if (referenceSource === 'mid') return isAlmost(reference, buy.price.add(sell.price).div(2));
  if (referenceSource === 'micro') return isAlmost(reference, microPriceOf(touch));
  return reference.gte(buy.price) && reference.lte(sell.price);
}

function judge(recent: Recent, context: CheckContext, { asked, itself, ...question }: Judging): void {
  const { run, book, reference, books, totals, taken } = asked;
  if (!isWorkedOut(run)) return;
  const { base, quote, symbol } = run.instrument;
  const touches = fitting(context, asked, touchesOf(recent, context, { symbol, book, withSizes: isByBestSizes(run) }));
  if (touches === null) return;
  const chains = chainsOf(context, run, { recent, books, reference });
  if (chains === null) return;
  if (chains.length === 0 && question.quotes.length > 0)
    return context.violated(
      'K11',
      `${symbol} is quoted, and no books of its legs are young enough and make a price that is near enough.`,
    );
  const held = { base: totals.get(base) ?? ZERO, quote: totals.get(quote) ?? ZERO };
  const own = (recent.get(symbol) ?? []).filter((each) => each.state !== 'closed' && each !== itself);
  context.counters.add('quotes worked out anew', question.quotes.length);
  context.counters.add(`quotes worked out anew of ${run.strategy.name}`, question.quotes.length);
  let first: string | null = null;
  for (const touch of touches)
    for (const chain of chains) {
      const expected = unlocked(context, symbol, expectedOf(run, { ...held, reference, touch, chain }));
      const flaw = flawOf({ ...question, run, totals, taken, expected, touch, own });
      if (flaw === null) return;
      first ??= flaw;
    }
  if (first !== null) context.violated('K11', `${symbol}: ${first}`);
}

/** A side that is locked wants nothing. */
const unlocked = (context: CheckContext, symbol: string, expected: Judged['expected']): Judged['expected'] => ({
  buy: isLocked(context.journal, symbol, 'buy') ? [] : expected.buy,
  sell: isLocked(context.journal, symbol, 'sell') ? [] : expected.sell,
});
