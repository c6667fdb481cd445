// A run's parameters are changed while it is quoted, or were changed since the last start.
import type { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { decisionOf } from '../decision/decide.ts';
import type { Durable } from '../durable/durable.ts';
import { marketIn } from '../durable/market.ts';
import { changesBetween, changeText, type ParameterChange, type Parameters } from '../durable/revision.ts';
import { beginMemory } from '../knowledge/record-reads.ts';
import { type Decision, type Market, needsOf } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { marketOf, type TraderState, touchAll } from '../state/state.ts';
import { emit, notice, type Step } from '../state/turn.ts';

/**
 * Parameters that an order's place and rules depend on, or that the watchdog, a separate process, computes its bound
 * from; all others of a run may change while it is quoted.
 */
const FIXED = /^(?:symbol|strategy|instrument\..*|limits\.maxOpenOrders)$/;

/** Whether a parameter stays as it is until the next start. */
export const isFixed = (path: string): boolean => FIXED.test(path);

/** The parameter revision that the symbol is quoted with. */
export const revisionOf = (durable: Durable, symbol: InstrumentSymbol): number =>
  marketIn(durable, symbol).revision?.number ?? 0;

/** Changes from the current parameters to the run's. */
export const changesTo = (market: Market, { parameters }: RunSettings): ParameterChange[] =>
  changesBetween(market.run.parameters, parameters);

/** One sentence why the run can't replace its symbol's run while the bot runs; null if it can. */
export function whyNotRevised(market: Market, run: RunSettings): string | null {
  const { symbol, knowledge } = market;
  const fixed = changesTo(market, run).filter(({ path }) => isFixed(path));
  if (fixed.length > 0) return `${symbol}: ${fixed.map(changeText).join(', ')} can't change while the bot runs.`;
  if (JSON.stringify(needsOf(run)) === JSON.stringify(knowledge.needs)) return null;
  return `${symbol}: its strategy needs other reads than now with these, which can't change while the bot runs.`;
}

/** The decision that the run would make now. Changes nothing. */
export function decisionUnder(state: TraderState, run: RunSettings, now: number): Decision {
  const { symbol } = run.instrument;
  const market = marketOf(state, symbol);
  const copy = { ...market, knowledge: { ...market.knowledge } };
  const other = { ...state, markets: new Map(state.markets).set(symbol, copy) };
  takeRun(copy, run);
  const decision = decisionOf(other, copy, now);
  if (copy.lastGoodReference !== null || market.lastGoodReference === null) return decision;
  // By the time the run quotes, a second book has confirmed the price.
  copy.lastGoodReference = decision.view?.referencePrice ?? null;
  return decisionOf(other, copy, now);
}

/** Call `whyNotRevised` first. */
export function reviseRun(turn: Step, run: RunSettings, by: string): void {
  const market = marketOf(turn.state, run.instrument.symbol);
  const why = whyNotRevised(market, run);
  invariant(why === null, () => why ?? '');
  if (changesTo(market, run).length === 0) return;
  takeRun(market, run);
  recordRevision(turn, run, by);
  touchAll(turn.state);
}

/** The author of a revision that a start found. */
export const BY_START = 'start';

/** Records the parameters if the journal has others. */
export function recordRevision(turn: Step, { instrument: { symbol }, parameters }: RunSettings, by: string): void {
  const known = marketIn(turn.state.durable, symbol).revision;
  const changes = changesBetween(known?.parameters ?? NONE, parameters);
  if (known !== null && changes.length === 0) return;
  const revision = (known?.number ?? 0) + 1;
  emit(turn, { type: 'run-revised', payload: { symbol, revision, changes, by, at: turn.now } });
  if (known === null) return;
  const who = by === BY_START ? 'changed since the last start' : `changed by ${by}`;
  const message = `${symbol} is quoted by revision ${revision} of its parameters, ${who}: ${listed(changes)}.`;
  notice(turn, { level: 'info', op: 'run-revised', symbol, message });
}

const NONE: Parameters = {};
const MOST_LISTED = 8;

function listed(changes: readonly ParameterChange[]): string {
  const more = changes.length - MOST_LISTED;
  const named = changes.slice(0, MOST_LISTED).map(changeText).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

/** Everything computed from the old parameters is computed again; the strategy's memory begins as at a start. */
function takeRun(market: Market, run: RunSettings): void {
  const { run: before, lastGoodReference } = market;
  Object.assign(market, { run, decision: null, inputs: null, profit: null, travel: null });
  if (!isSameSource(before, run)) beginReferences(market, lastGoodReference ?? market.oldReference);
  beginMemory(market);
}

/**
 * Prices from another source are not compared with earlier ones: their difference is no jump of the market. A person
 * stated a fixed price; any other needs a second book to confirm the first, and a slipped decimal still shows.
 */
export function beginReferences(market: Market, old: Decimal | null): void {
  const { referenceSource, fixedReference = null } = market.run;
  const stated = referenceSource === 'fixed' ? fixedReference : null;
  const oldReference = stated === null ? old : null;
  Object.assign(market, { lastGoodReference: stated, lastGoodAt: null, oldReference, firstReference: null });
  Object.assign(market, { statedReference: null, jump: null, references: [], travel: null });
}

const isSameSource = (a: RunSettings, b: RunSettings): boolean =>
  a.referenceSource === b.referenceSource &&
  (a.referenceSource !== 'fixed' || a.fixedReference?.toString() === b.fixedReference?.toString());
