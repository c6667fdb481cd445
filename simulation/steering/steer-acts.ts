// What a person changes while the bot runs (F130): the parameters of a run, as `set` and `reload` do, in the file or
// in the running bot alone; the symbols that he lets quote again without a start (F131); and the pauses of a bot whose
// watchdog is not to be seen (F132); and the second market that he configures later (F133). Each act says whether it
// came to something.
import { chance, pick, type RandomStream, uniform } from '../../src/crowd/random.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { Trading } from '../../src/loop/start-trading.ts';
import { decisionOf } from '../../src/trader/decision/decide.ts';
import { whyNotWithoutStart } from '../../src/trader/observe/resume.ts';
import { decisionUnder, whyNotRevised } from '../../src/trader/observe/revise-run.ts';
import type { Decision } from '../../src/trader/state/decision.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { takeSnapshot } from '../../src/trader/status/take-snapshot.ts';
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
  readonly written: () => number;
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
  const run = { ...runOf(revised.market, profile, plan), parameters: revised.parameters };
  const trading = tradingOf(parts);
  if (trading === null) {
    // Somebody edits the file while the bot is down: the next start says what changed.
    if (isLasting) runs.revise(run, true);
    return isLasting;
  }
  if (whyNotRevised(trading.loop.state(), run) !== null) {
    context.counters.add('revision refused');
    return false;
  }
  const preview = previewed(parts, trading, run);
  runs.revise(run, isLasting);
  const writtenBefore = parts.written();
  trading.loop.tell({ kind: 'revise-run', run, by: BY });
  context.counters.add(isLasting ? 'run revised' : 'run revised for a while');
  // Beside the revision itself nothing has happened since: what is wanted is what was shown.
  if (parts.written() <= writtenBefore + 1) compare(parts, trading, { run, preview });
  return true;
}

/** Lets what is halted quote again, at the price that he sees where one jumped. */
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

/** As `watchdog.mode: required` does: nobody watches for a while. A process that begins meanwhile knows of no pause. */
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
 * Somebody writes the second market into the file, and starts the bot anew. Where the account is his as well he trades
 * meanwhile, as who wants to have what is to be quoted.
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

/** What the page shows before anybody says yes. */
function previewed({ context, now }: SteerParts, { loop }: Trading, run: RunSettings): Decision {
  const shown = (): string => JSON.stringify(takeSnapshot(loop.state(), now()));
  const before = shown();
  const preview = decisionUnder(loop.state(), run, now());
  if (shown() !== before) context.violated('K15', `A preview of ${run.instrument.symbol} changed what the bot shows.`);
  return preview;
}

function compare(
  { context, now }: SteerParts,
  { loop }: Trading,
  { run, preview }: { readonly run: RunSettings; readonly preview: Decision },
): void {
  const { symbol } = run.instrument;
  const [before, after] = [wordsOf(preview), wordsOf(decisionOf(loop.state(), symbol, now()))];
  context.counters.add('preview compared');
  if (before !== after)
    context.violated('K15', `The preview of ${symbol} wanted ${before}, and the revised run wants ${after}.`);
}

function wordsOf({ reason, result }: Decision): string {
  if (reason !== null || result === null) return `nothing (${reason ?? 'no quotes'})`;
  const quotes = result.quotes.map(
    ({ side, level, price, quantity }) => `${side}:${level} ${quantity.toFixed()} @ ${price.toFixed()}`,
  );
  return quotes.length === 0 ? 'no quotes' : quotes.join(', ');
}
