// Checks that the configured symbols are listed and have a market, and that the orders in the book obey the configured
// trading rules.
import { plain } from '../../domain/decimal.ts';
import { type Instrument, type InstrumentSymbol, isOnLot, isOnTick } from '../../domain/instrument.ts';
import { type OrderBook, spreadBps, touchOf } from '../../domain/order-book.ts';
import { LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import type { VenueSession } from '../keys/venue-session.ts';
import { greatestStep } from '../probe/step-findings.ts';
import { type Finding, good, note, whyNot, wrong } from './finding.ts';

/** The coarser step is worth mentioning if chance would produce it from a finer one less often than this. */
const NOTABLE_DOUBT = 1e-6;

/** Sends one request. */
export async function checkMarket(
  session: VenueSession,
  instrument: Instrument,
  listed: readonly InstrumentSymbol[],
): Promise<readonly Finding[]> {
  const { symbol } = instrument;
  if (!listed.includes(symbol)) return [wrong(symbol, 'The exchange does not list it.')];
  const seen = await session.ask({ kind: 'order-book', symbol, limit: LIST_LIMIT_MAX });
  if (seen.kind !== 'order-book' || seen.outcome.kind !== 'read')
    return [wrong(symbol, `Its book cannot be read: ${whyNot(seen)}`)];
  const book = seen.outcome.read.rows;
  const touch = touchOf(book);
  const market = touch
    ? good(
        symbol,
        `Bid ${plain(touch.bid.price)}, ask ${plain(touch.ask.price)}: ` +
          `${spreadBps(touch).toDecimalPlaces(1).toFixed()} bps wide.`,
      )
    : note(symbol, 'A side of its book is empty or it is crossed: there would be no quotes now.');
  return [market, ruleFinding(book, instrument)];
}

/**
 * Orders in the book obey the exchange's rules, so a price or size off the configured steps proves the configuration
 * wrong.
 */
function ruleFinding({ bids, asks }: OrderBook, instrument: Instrument): Finding {
  const { symbol, tickSize, lotSize } = instrument;
  const what = `${symbol} rules`;
  const levels = [...bids, ...asks];
  const offTick = levels.find(({ price }) => !isOnTick(price, instrument));
  if (offTick)
    return wrong(
      what,
      `A price of ${plain(offTick.price)} rests in the book: it is not a multiple of tick size ${plain(tickSize)}.`,
    );
  const offLot = levels.find(({ quantity }) => !isOnLot(quantity, instrument));
  if (offLot)
    return wrong(
      what,
      `A quantity of ${plain(offLot.quantity)} rests in the book: it is not a multiple of lot size ${plain(lotSize)}.`,
    );
  const fit = `All ${levels.length} levels fit tick size ${plain(tickSize)} and lot size ${plain(lotSize)}.`;
  const coarser = coarserWords(levels, instrument);
  return coarser === null ? good(what, fit) : note(what, `${fit} ${coarser}`);
}

/** If the real step is coarser than configured, the exchange refuses orders one by one. */
function coarserWords(levels: OrderBook['bids'], { tickSize, lotSize }: Instrument): string | null {
  const tick = greatestStep(levels.map(({ price }) => price));
  const lot = greatestStep(levels.map(({ quantity }) => quantity));
  const words = [
    ...(tick && tick.doubt < NOTABLE_DOUBT && tick.step.gt(tickSize)
      ? [`prices multiples of ${plain(tick.step)}`]
      : []),
    ...(lot && lot.doubt < NOTABLE_DOUBT && lot.step.gt(lotSize) ? [`quantities multiples of ${plain(lot.step)}`] : []),
  ];
  return words.length === 0 ? null : `But all are ${words.join(' and ')}: the real steps may be coarser.`;
}
