// The second half of `check`: whether the exchange is there, what its clock says, what the key may do, whether the
// configured trading rules and fees fit what is seen, and what each endpoint answers. Reads only.
import { setTimeout as sleep } from 'node:timers/promises';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { VenueRequest } from '../../venue/requests.ts';
import type { ApiKeys } from '../keys/keys.ts';
import { openVenueSession, type VenueSession } from '../keys/venue-session.ts';
import type { Settings } from '../settings/types.ts';
import { checkAccount } from './account-checks.ts';
import { clockFinding } from './clock-finding.ts';
import { type EndpointRow, endpointRows } from './endpoint-rows.ts';
import { type Finding, good, note, wrong } from './finding.ts';
import { checkMarket } from './market-checks.ts';
import { MAINTENANCE, whyNot } from './outcome-words.ts';
import { READS, smallRead } from './read-requests.ts';

export interface VenueReport {
  readonly findings: readonly Finding[];
  readonly endpoints: readonly EndpointRow[];
}

/**
 * Asks for symbols, books, wallet, open orders and own trades, at the configured pace; with `all` each of the 22 reads.
 * The first finding says whether it answers at all.
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

/** Beside a running bot, which shares the limit, the exchange may refuse for the rate: that says nothing of the key. */
const PAUSES: readonly DurationMs[] = [SECOND, 2 * SECOND, 4 * SECOND];

/** Asks again what is throttled, after a pause and whatever wait the answer named. The last answer is remembered. */
function patient(session: VenueSession, asked: Completed[]): VenueSession {
  return {
    ...session,
    ask: async (request: VenueRequest) => {
      let completed = await session.ask(request);
      for (const pause of PAUSES) {
        const { outcome } = completed;
        if (outcome.kind !== 'throttled' || outcome.code === MAINTENANCE) break;
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

/** Every read that was not needed so far, once. A key that is refused as a whole is refused everywhere. */
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

/** What the findings need in any case. */
const NEEDED: ReadonlySet<string> = new Set(['symbols', 'order-book', 'wallet', 'open-orders', 'spot-trades']);

/** What the bot does not need may be out of order without keeping it from quoting. */
function endpointFindings(rows: readonly EndpointRow[], all: boolean): readonly Finding[] {
  const failed = rows.filter(({ ok }) => !ok).map(({ endpoint, result }) => `${endpoint} (${result})`);
  if (failed.length > 0)
    return [
      note('endpoints', `${failed.length} of ${rows.length} did not answer as they should: ${failed.join(', ')}.`),
    ];
  return all ? [good('endpoints', `All ${rows.length} that were asked answer as documented.`)] : [];
}
