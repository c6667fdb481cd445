// The second half of `check`: whether the exchange answers, how its clock differs, what the key may do, whether the
// configured trading rules and fees match what it shows, and what each endpoint answers. Reads only.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockEstimate } from '../../client/clock/server-clock.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { ReadKind, ReadRequest, Stamp, VenueRequest } from '../../venue/requests.ts';
import type { ApiKeys } from '../keys/keys.ts';
import { openVenueSession, type VenueSession } from '../keys/venue-session.ts';
import type { Settings } from '../settings/types.ts';
import { checkAccount } from './account-checks.ts';
import { type EndpointRow, endpointRows, type Finding, good, note, whyNot, wrong } from './finding.ts';
import { checkMarket } from './market-checks.ts';

export interface VenueReport {
  readonly findings: readonly Finding[];
  readonly endpoints: readonly EndpointRow[];
}

/**
 * Requests symbols, books, wallet, open orders and own trades at the configured pace; with `all`, each of the 22 reads.
 * The first finding says whether the exchange answers at all.
 */
export async function checkVenue(settings: Settings, keys: ApiKeys, { all }: { all: boolean }): Promise<VenueReport> {
  const asked: Completed[] = [];
  const session = patient(openVenueSession(settings, keys), asked);
  try {
    const findings = await findingsOf(session, settings, all);
    const endpoints = endpointRows(asked);
    return { findings: [...findings, ...endpointFindings(endpoints, all)], endpoints };
  } finally {
    session.close();
  }
}

/** Waits between tries: a running bot shares the rate limit, so throttling says nothing about the key. */
const PAUSES: readonly DurationMs[] = [SECOND, 2 * SECOND, 4 * SECOND];

/** Retries throttled requests after a pause plus the wait that the answer named. Records the last answer. */
function patient(session: VenueSession, asked: Completed[]): VenueSession {
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
      asked.push(completed);
      return completed;
    },
  };
}

async function findingsOf(session: VenueSession, settings: Settings, all: boolean): Promise<readonly Finding[]> {
  const reached = await session.ask({ kind: 'symbols' });
  if (reached.kind !== 'symbols' || reached.outcome.kind !== 'read') return [wrong('exchange', whyNot(reached))];
  const listed = reached.outcome.read.rows;
  const took = reached.facts.receivedAt - reached.facts.sentAt;
  const findings = [good('exchange', `It answers in ${took} ms and lists ${listed.length} symbols.`)];
  for (const { instrument } of settings.trader.runs) findings.push(...(await checkMarket(session, instrument, listed)));
  const account = await checkAccount(session, settings);
  if (all) findings.push(...(await askTheRest(session, settings, account.isKeyGood)));
  return [
    ...findings,
    clockFinding(session.clock(), settings.trader.assumptions.maxClockUncertaintyMs),
    ...account.findings,
  ];
}

/** Each read that was not needed so far, once. A key refused as a whole is refused everywhere. */
async function askTheRest(
  session: VenueSession,
  { trader, venue }: Settings,
  isKeyGood: boolean,
): Promise<readonly Finding[]> {
  const [run] = trader.runs;
  if (run === undefined) return [];
  const { symbol, base } = run.instrument;
  const hasLegacy = venue.legacyBaseUrl !== null;
  for (const kind of READS.filter((name) => !NEEDED.has(name))) {
    const request = smallRead(kind, { symbol, asset: base, stamp: session.stamp });
    if ('stamp' in request ? isKeyGood : hasLegacy || !kind.startsWith('legacy')) await session.ask(request);
  }
  return [
    ...(hasLegacy ? [] : [note('legacy', 'It was not asked: venue.legacyBaseUrl is not set.')]),
    ...(isKeyGood ? [] : [note('private', 'The other private endpoints were not asked: the key is refused.')]),
  ];
}

/** Reads that the findings need in any case. */
const NEEDED: ReadonlySet<string> = new Set(['symbols', 'order-book', 'wallet', 'open-orders', 'spot-trades']);

/** Endpoints that the bot does not need may fail without keeping it from quoting. */
function endpointFindings(rows: readonly EndpointRow[], all: boolean): readonly Finding[] {
  const failed = rows.filter(({ ok }) => !ok).map(({ endpoint, result }) => `${endpoint} (${result})`);
  if (failed.length > 0)
    return [
      note('endpoints', `${failed.length} of ${rows.length} did not answer as they should: ${failed.join(', ')}.`),
    ];
  return all ? [good('endpoints', `All ${rows.length} that were asked answer as documented.`)] : [];
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

// The smallest possible request for each of the 22 reads.

export interface Subject {
  readonly symbol: InstrumentSymbol;
  readonly asset: Asset;
  /** Stamp of private requests; taken at the moment of sending. */
  stamp(): Stamp;
}

const ALL_TIMES = { time: { by: 'all' } } as const;
const ONE_ROW = { limit: 1 } as const;

type Makers = { readonly [K in ReadKind]: (about: Subject) => ReadRequest<K> };

const MAKERS: Makers = {
  'legacy-best-prices': () => ({ kind: 'legacy-best-prices' }),
  'legacy-tickers': () => ({ kind: 'legacy-tickers' }),
  'legacy-depth': ({ symbol }) => ({ kind: 'legacy-depth', symbol }),
  'legacy-trades': ({ symbol }) => ({ kind: 'legacy-trades', symbol }),
  tickers: ({ symbol }) => ({ kind: 'tickers', symbol }),
  symbols: () => ({ kind: 'symbols' }),
  'public-trades': ({ symbol }) => ({ kind: 'public-trades', symbol, ...ONE_ROW }),
  'order-book': ({ symbol }) => ({ kind: 'order-book', symbol, ...ONE_ROW }),
  assets: ({ asset }) => ({ kind: 'assets', asset }),
  wallet: ({ stamp }) => ({ kind: 'wallet', stamp: stamp() }),
  'crypto-deposits': ({ stamp }) => ({ kind: 'crypto-deposits', filter: ALL_TIMES, ...ONE_ROW, stamp: stamp() }),
  'crypto-deposits-historical': ({ stamp }) => ({
    kind: 'crypto-deposits-historical',
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'crypto-withdrawals': ({ stamp }) => ({ kind: 'crypto-withdrawals', filter: ALL_TIMES, ...ONE_ROW, stamp: stamp() }),
  'crypto-withdrawals-historical': ({ stamp }) => ({
    kind: 'crypto-withdrawals-historical',
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'fiat-deposits': ({ stamp }) => ({ kind: 'fiat-deposits', filter: ALL_TIMES, ...ONE_ROW, stamp: stamp() }),
  'fiat-deposits-historical': ({ stamp }) => ({
    kind: 'fiat-deposits-historical',
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'fiat-withdrawals': ({ stamp }) => ({ kind: 'fiat-withdrawals', filter: ALL_TIMES, ...ONE_ROW, stamp: stamp() }),
  'fiat-withdrawals-historical': ({ stamp }) => ({
    kind: 'fiat-withdrawals-historical',
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'open-orders': ({ symbol, stamp }) => ({ kind: 'open-orders', symbol, stamp: stamp() }),
  'spot-trades': ({ symbol, stamp }) => ({
    kind: 'spot-trades',
    symbol,
    filter: { by: 'symbol' },
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'spot-trades-historical': ({ symbol, stamp }) => ({
    kind: 'spot-trades-historical',
    symbol,
    filter: { by: 'symbol' },
    ...ONE_ROW,
    stamp: stamp(),
  }),
  'sbs-trades': ({ symbol, stamp }) => ({
    kind: 'sbs-trades',
    symbol,
    filter: ALL_TIMES,
    ...ONE_ROW,
    stamp: stamp(),
  }),
};

/** The reads, in the order of the specification. */
const READS: readonly ReadKind[] = Object.values(ENDPOINTS)
  .map(({ name }) => name)
  .filter((name): name is ReadKind => name in MAKERS);

function smallRead(kind: ReadKind, about: Subject): ReadRequest {
  return MAKERS[kind](about);
}
