// The second half of `check`: whether the exchange answers, how its clock differs, what the key may do, and whether the
// configured trading rules and fees match what it shows. Reads only.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockEstimate } from '../../client/clock/server-clock.ts';
import { plain } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { type Instrument, type InstrumentSymbol, isOnLot, isOnTick } from '../../domain/instrument.ts';
import { type OrderBook, spreadBps, touchOf } from '../../domain/order-book.ts';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { ForeignOrders, RunSettings } from '../../trader/state/settings.ts';
import { ROUNDING, whyExpensive } from '../../trader/trades/book-trades.ts';
import { LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import type { Permission } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { VenueRequest } from '../../venue/requests.ts';
import { keyTrouble } from '../keys/key-trouble.ts';
import type { ApiKeys } from '../keys/keys.ts';
import { openVenueSession, type VenueSession } from '../keys/venue-session.ts';
import { greatestStep } from '../probe/step-findings.ts';
import type { Settings } from '../settings/types.ts';

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

// The key's permissions, by one read each, and whether own trades cost what is configured.

/** Reads the wallet, open orders, and own trades of each run; only the wallet if the key is refused for everything. */
async function checkAccount(session: VenueSession, settings: Settings): Promise<readonly Finding[]> {
  const wallet = await session.ask({ kind: 'wallet', stamp: session.stamp() });
  const refused = refusalIn(wallet, 'wallet', settings);
  if (refused?.isWhole) return [refused.finding];
  const orders = await session.ask({ kind: 'open-orders', stamp: session.stamp() });
  const findings = [
    refused?.finding ?? walletFinding(wallet),
    refusalIn(orders, 'orders', settings)?.finding ?? ordersFinding(orders, settings.trader.foreignOrders),
  ];
  for (const run of settings.trader.runs) {
    const trades = await session.ask({
      kind: 'spot-trades',
      symbol: run.instrument.symbol,
      filter: { by: 'symbol' },
      limit: LIST_LIMIT_MAX,
      stamp: session.stamp(),
    });
    const refusal = refusalIn(trades, 'trades', settings)?.finding;
    findings.push(...(refusal ? [refusal] : tradesFindings(trades, run)));
    if (refusal) break;
  }
  return findings;
}

interface Refusal {
  readonly finding: Finding;
  readonly isWhole: boolean;
}

/** Whether an answer refuses the key or one of its permissions, with advice for the owner. */
function refusalIn({ outcome }: Completed, permission: Permission, { venue }: Settings): Refusal | null {
  const refusal = outcome.kind === 'rejected' ? outcome.refusal : undefined;
  const trouble = keyTrouble(refusal, permission, venue.apiKeyHeader);
  if (outcome.kind !== 'rejected' || trouble === null) return null;
  const isWhole = trouble.reach === 'whole';
  return { isWhole, finding: wrong(isWhole ? 'key' : `key: ${permission}`, `${outcome.code}: ${trouble.advice}`) };
}

function walletFinding(wallet: Completed): Finding {
  const what = 'key: wallet';
  if (wallet.kind !== 'wallet' || wallet.outcome.kind !== 'read') return wrong(what, whyNot(wallet));
  const held = wallet.outcome.read.rows.filter(({ free, locked }) => free.gt(0) || locked.gt(0));
  const balances = held.map(({ asset, free, locked }) => `${plain(free.add(locked))} ${asset}`).join(', ');
  return good(
    what,
    balances === '' ? 'It may read the wallet, which is empty.' : `It may read the wallet: ${balances}.`,
  );
}

function ordersFinding(orders: Completed, foreignOrders: ForeignOrders): Finding {
  const what = 'key: orders';
  if (orders.kind !== 'open-orders' || orders.outcome.kind !== 'read') return wrong(what, whyNot(orders));
  return openOrdersFinding(orders.outcome.read.rows.length, foreignOrders);
}

/** What the bot does about unmatched open orders depends on `foreignOrders`. */
export function openOrdersFinding(count: number, foreignOrders: ForeignOrders): Finding {
  const what = 'key: orders';
  if (count === 0) return good(what, 'It may read orders; none is open.');
  return note(what, `It may read orders; ${count} ${count === 1 ? 'is' : 'are'} open. ${FOREIGN_WORDS[foreignOrders]}`);
}

const FOREIGN_WORDS: Readonly<Record<ForeignOrders, string>> = {
  ignore: 'The bot leaves orders alone that its journal does not have.',
  refuse: "An order that is not in the bot's journal halts every symbol (account.foreignOrders: refuse).",
};

function tradesFindings(trades: Completed, run: RunSettings): readonly Finding[] {
  const { symbol } = run.instrument;
  const what = `key: trades of ${symbol}`;
  if (trades.kind !== 'spot-trades' || trades.outcome.kind !== 'read') return [wrong(what, whyNot(trades))];
  const fills = trades.outcome.read.rows;
  if (fills.length === 0) return [good(what, 'It may read own trades; there is none yet to compare fees with.')];
  return [good(what, `It may read own trades: ${fills.length}.`), feeFinding(fills, run)];
}

/** Only fees in the quote asset can be compared with a ratio of the notional. */
function feeFinding(fills: readonly Fill[], run: RunSettings): Finding {
  const { costs, instrument } = run;
  const { symbol, quote } = instrument;
  const what = `fees of ${symbol}`;
  const comparable = fills.filter(
    ({ commissionAsset, quoteQuantity }) => commissionAsset === quote && quoteQuantity.gt(0),
  );
  const expected = ({ liquidity, quoteQuantity }: Fill) =>
    quoteQuantity.mul(liquidity === 'maker' ? costs.makerFeeRatio : costs.takerFeeRatio);
  const dear = fills.map((fill) => whyExpensive(fill, run)).find((why) => why !== null);
  if (dear !== undefined) return wrong(what, dear);
  const cheaper = comparable.filter((fill) => fill.commission.lt(expected(fill).sub(ROUNDING))).length;
  const words = `${comparable.length} of ${fills.length} own trades could be compared; none was dearer than configured`;
  return cheaper === 0 ? good(what, `${words}.`) : note(what, `${words}, ${cheaper} were cheaper.`);
}

// Findings of `check`: what it examined, and its verdict.

/** One thing examined. `wrong` keeps the bot from quoting as configured. */
export interface Finding {
  readonly what: string;
  readonly verdict: 'good' | 'note' | 'wrong';
  /** A sentence. */
  readonly detail: string;
}

export const good = (what: string, detail: string): Finding => ({ what, verdict: 'good', detail });
export const note = (what: string, detail: string): Finding => ({ what, verdict: 'note', detail });
export const wrong = (what: string, detail: string): Finding => ({ what, verdict: 'wrong', detail });

// Outcomes of reads as sentences.

/** One sentence: why there are no rows. */
function whyNot({ outcome }: Completed): string {
  switch (outcome.kind) {
    case 'rejected':
      return `It answers ${outcome.code}: ${outcome.msg}`;
    case 'throttled':
      return outcome.refusal === 'maintenance'
        ? `It answers HTTP ${outcome.status} with ${outcome.code}: it is in maintenance.`
        : `It answers HTTP ${outcome.status}: too many requests, or closed for the moment.`;
    case 'failed':
    case 'unknown':
    case 'not-sent':
      return outcome.fault.detail;
    default:
      return `Its answer was unexpected (${outcome.kind}).`;
  }
}
