// The second half of `check`: whether the exchange answers, how its clock differs, what the key may do, and whether the
// configured trading rules and fees match what it shows. Reads only.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockEstimate } from '../../client/clock/server-clock.ts';
import { plain } from '../../domain/decimal.ts';
import { type Instrument, type InstrumentSymbol, isOnLot, isOnTick } from '../../domain/instrument.ts';
import { type OrderBook, spreadBps, touchOf } from '../../domain/order-book.ts';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import { LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import type { VenueRequest } from '../../venue/requests.ts';
import type { ApiKeys } from '../keys/keys.ts';
import { openVenueSession, type VenueSession } from '../keys/venue-session.ts';
import { greatestStep } from '../probe/step-findings.ts';
import type { Settings } from '../settings/types.ts';
import { checkAccount } from './account-checks.ts';
import { type Finding, good, note, whyNot, wrong } from './finding.ts';

/**
 * Requests symbols, books, wallet, open orders and own trades at the configured pace. The first finding says whether
 * the exchange answers at all.
 */
export async function checkVenue(settings: Settings, keys: ApiKeys): Promise<readonly Finding[]> {
  const session = patient(openVenueSession(settings, keys));
  try {
    return await findingsOf(session, settings);
  } finally {
    session.close();
  }
}

/** Waits between tries: a running bot shares the rate limit, so throttling says nothing about the key. */
const PAUSES: readonly DurationMs[] = [SECOND, 2 * SECOND, 4 * SECOND];

/** Retries throttled requests after a pause plus the wait that the answer named. */
function patient(session: VenueSession): VenueSession {
  return {
    ...session,
    ask: async (request: VenueRequest) => {
      let completed = await session.ask(request);
      for (const pause of PAUSES) {
        const { outcome } = completed;
        if (outcome.kind !== 'throttled' || outcome.refusal === 'maintenance') break;
        await sleep(pause);
        completed = await session.ask(request);
      }
      return completed;
    },
  };
}

async function findingsOf(session: VenueSession, settings: Settings): Promise<readonly Finding[]> {
  const reached = await session.ask({ kind: 'symbols' });
  if (reached.kind !== 'symbols' || reached.outcome.kind !== 'read') return [wrong('exchange', whyNot(reached))];
  const listed = reached.outcome.read.rows;
  const took = reached.facts.receivedAt - reached.facts.sentAt;
  const findings = [good('exchange', `It answers in ${took} ms and lists ${listed.length} symbols.`)];
  for (const { instrument } of settings.trader.runs) findings.push(...(await checkMarket(session, instrument, listed)));
  const account = await checkAccount(session, settings);
  return [...findings, clockFinding(session.clock(), settings.trader.assumptions.maxClockUncertaintyMs), ...account];
}

// Compares the exchange's clock with this machine's.

/** The bot follows the exchange's clock; beyond this difference a person should find out which one is wrong. */
const FAR_APART_MS: DurationMs = 2 * SECOND;

/** `known` is null if no answer carried a `Date`. */
export function clockFinding(known: ClockEstimate | null, maxClockUncertaintyMs: DurationMs): Finding {
  const what = 'clock';
  if (known === null)
    return wrong(what, 'The exchange sends no Date header: its clock cannot be known, and nothing would be created.');
  const { offsetMs, uncertaintyMs } = known;
  const apart = `${Math.round(Math.abs(offsetMs))} ms ${offsetMs < 0 ? 'behind' : 'ahead of'}`;
  const words = `The exchange's clock is ${apart} ours, known to ${Math.round(uncertaintyMs)} ms.`;
  if (Math.abs(offsetMs) >= FAR_APART_MS) {
    const question = "Whose clock is wrong, this machine's or the exchange's? Compare `date -u` with a third clock.";
    return note(what, `${words} The bot goes by the exchange's. ${question}`);
  }
  return uncertaintyMs > maxClockUncertaintyMs
    ? note(what, `${words} More answers will narrow it.`)
    : good(what, words);
}

// Checks that the configured symbols are listed and have a market, and that the orders in the book obey the configured
// trading rules.

/** The coarser step is worth mentioning if chance would produce it from a finer one less often than this. */
const NOTABLE_DOUBT = 1e-6;

/** Sends one request. */
async function checkMarket(
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
