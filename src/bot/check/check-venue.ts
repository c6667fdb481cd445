// The second half of `check`: whether the exchange answers, how its clock differs, what the key may do, and whether the
// configured trading rules and fees match what it shows. Reads only.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockEstimate } from '../../client/clock/server-clock.ts';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { VenueRequest } from '../../venue/requests.ts';
import type { ApiKeys } from '../keys/keys.ts';
import { openVenueSession, type VenueSession } from '../keys/venue-session.ts';
import type { Settings } from '../settings/types.ts';
import { checkAccount } from './account-checks.ts';
import { type Finding, good, note, whyNot, wrong } from './finding.ts';
import { checkMarket } from './market-checks.ts';

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
