// A person's changes while the bot runs (F130): the parameters of a run, as by `set` and `reload`, in the file or in
// the running bot alone; symbols resumed without a restart (F131); pauses of a bot whose watchdog is not visible
// (F132); and the second market, configured later (F133). Each act returns whether it had an effect.
import { chance, pick, type RandomStream, uniform } from '../../src/crowd/random.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { Trading } from '../../src/loop/start-trading.ts';
import { whyNotWithoutStart } from '../../src/trader/observe/resume.ts';
import { whyNotRevised } from '../../src/trader/observe/revise-run.ts';
import { marketOf } from '../../src/trader/state/state.ts';
import type { CheckContext } from '../checks/context.ts';
import type { Restarts } from '../machine/restarts.ts';
import { profileOf, runOf } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import type { PresentRuns } from './present-runs.ts';
import { revisedMarket } from './revised-market.ts';

export interface SteerParts {
  readonly plan: Plan;
  readonly runs: PresentRuns;
  readonly context: CheckContext;
  readonly restarts: Pick<Restarts, 'now'>;
  /** By the clock that the person and the bot share. */
  readonly now: () => EpochMs;
  readonly later: (ms: DurationMs, act: () => void) => void;
  readonly chaosLeftMs: () => DurationMs;
}

const BY = 'operator';

export function reviseRun(parts: SteerParts, stream: RandomStream): boolean {
  const { plan, runs, context } = parts;
  const profile = profileOf(plan);
  const market = profile.markets[pick(stream, profile.markets.length)];
  const isLasting = chance(stream, 1 / 2);
  if (market === undefined || !runs.now().some(({ instrument }) => instrument.symbol === market.instrument.symbol))
    return false;
  const revised = revisedMarket(market, profile, stream);
  const run = { ...runOf(revised.market, profile), parameters: revised.parameters };
  const trading = tradingOf(parts);
  if (trading === null) {
    // A person edits the file while the bot is down: the next start reports the changes.
    if (isLasting) runs.revise(run, true);
    return isLasting;
  }
  if (whyNotRevised(marketOf(trading.loop.state(), run.instrument.symbol), run) !== null) {
    context.counters.add('revision refused');
    return false;
  }
  runs.revise(run, isLasting);
  trading.loop.tell({ kind: 'revise-run', run, by: BY });
  context.counters.add(isLasting ? 'run revised' : 'run revised for a while');
  return true;
}

/** Resumes halted symbols, at the price that the person sees where one jumped. */
export function resumeSymbols(parts: SteerParts, truePrice: (symbol: string) => Decimal | null): boolean {
  const { context, now } = parts;
  const trading = tradingOf(parts);
  if (trading === null) return false;
  let isDone = false;
  for (const [symbol, { code }] of [...context.journal.halts]) {
    const price = code === 'price' ? truePrice(symbol) : null;
    if (whyNotWithoutStart(trading.loop.state(), { symbol, price }, now()) !== null) continue;
    trading.loop.tell({ kind: 'resume-symbol', resumed: { symbol, price }, by: BY });
    isDone = true;
    context.counters.add('symbol resumed while the bot ran');
    if (context.canWrite() && context.isUp() && context.journal.halts.has(symbol))
      context.violated('K15', `${symbol} is halted after a person resumed it.`);
  }
  return isDone;
}

const SHORTEST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 5 * MINUTE;

/**
 * As with `watchdog.mode: required`: no watchdog runs for a while. A process started meanwhile does not know of the
 * pause.
 */
export function pauseForAWhile(parts: SteerParts, stream: RandomStream): boolean {
  const drawn = SHORTEST_PAUSE_MS * (LONGEST_PAUSE_MS / SHORTEST_PAUSE_MS) ** uniform(stream);
  const trading = tradingOf(parts);
  if (trading === null) return false;
  trading.loop.tell({ kind: 'pause', reason: 'No watchdog shows that it lives.' });
  parts.later(Math.min(drawn, parts.chaosLeftMs()), () => tradingOf(parts)?.loop.tell({ kind: 'resume' }));
  return true;
}

const TRADES_AROUND = 3;

/**
 * A person writes the second market into the file, and restarts the bot. On a shared account the owner trades
 * meanwhile, as if to acquire the asset to be quoted.
 */
export function addMarket(parts: SteerParts, stream: RandomStream, trade: () => void): boolean {
  const { plan, runs, restarts, context, later } = parts;
  if (runs.isComplete()) return false;
  runs.complete();
  context.counters.add('market added');
  restarts.now()?.crashAt('now');
  const trades = plan.foreignOrders === 'refuse' ? 0 : TRADES_AROUND;
  for (let n = 0; n < trades; n += 1) later(Math.ceil(uniform(stream) * MINUTE), trade);
  return true;
}

function tradingOf({ restarts }: SteerParts): Trading | null {
  const process = restarts.now();
  return process === null || process.isOver() || !process.canWrite() ? null : process.trading;
}
