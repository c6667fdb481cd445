// Decides which orders should rest for one symbol, and which creates and cancels that takes. Cached until something
// changes.
import type { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderRequest, Slot } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Unwinding } from '../../quoting/block.ts';
import { MOST_REMEMBERED_MS } from '../../quoting/feature-settings.ts';
import type { LiveOrder } from '../../quoting/live-order.ts';
import { diffQuotes } from '../../quoting/moves/diff.ts';
import type { QuotingInput } from '../../quoting/pipeline/draft.ts';
import { restingLimits } from '../../quoting/pipeline/guards.ts';
import { keepingLast } from '../../quoting/pipeline/last-result.ts';
import { guardedQuotes, type QuotingResult, refusedQuotes, roundedQuotes } from '../../quoting/pipeline/pipeline.ts';
import { unwindQuotes } from '../../quoting/pipeline/unwind.ts';
import { farFromBook } from '../../quoting/risk/order-checks.ts';
import type { Approved, Assessment } from '../../quoting/risk/risk.ts';
import type { RiskContext } from '../../quoting/risk/risk-context.ts';
import type { MarketView } from '../../quoting/strategy.ts';
import { handedView } from '../../quoting/strategy-call/ask-strategy.ts';
import { type Flaw, failureText, type StrategyFailure } from '../../quoting/strategy-call/read-answer.ts';
import { type Durable, liveIntents } from '../durable/durable.ts';
import { priceDoubt } from '../knowledge/knowledge-of.ts';
import { touchDependents, updateEstimates } from '../knowledge/record-reads.ts';
import { liveOrders } from '../orders/live-orders.ts';
import type { Decision, DecisionInputs, Denied, Market, WaitsForRoom, WantedCreate } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { count, type TraderState, type With } from '../state/state.ts';
import { haltSymbol, notice, type Step } from '../state/turn.ts';
import { unwindingOf } from '../state/unwinding.ts';
import { assessCreate, type Judged, leavesPlaces, planMoves, roomTakenByLeaving } from './moves.ts';
import { type Blocker, haltOf, inStartGrace, notReady, priceBlockers } from './readiness.ts';
import {
  ageReference,
  extendJump,
  isNear,
  isSlipped,
  measureTravel,
  renewExternal,
  travelBpsOf,
  whyNoReference,
} from './reference.ts';
import {
  decisionInputsOf,
  hasRoomForMessages,
  marketView,
  markWithheld,
  recentReferenceOf,
  riskContext,
} from './view.ts';

const VALID_MS = 1_000;
const REFERENCE_EVERY_MS = 5_000;
/** Enough to include one from before the longest look-back, however the later ones are spaced. */
const REFERENCES_KEPT = MOST_REMEMBERED_MS / REFERENCE_EVERY_MS + 2;

/** Renews the decisions that were touched since they were made. */
export function renewTouched(state: TraderState, now: EpochMs): void {
  for (const market of state.markets.values())
    if (market.version !== market.decision?.version) renewDecision(state, market, now);
}

/** Renews an outdated decision, and records what it saw: prices and denials. */
export function renewDecision(state: TraderState, market: Market, now: EpochMs): void {
  renewExternal(market, now);
  const { decision: before } = market;
  if (before !== null && stands(market, before, now) && maySend(state, market, before, now)) return;
  const start = startOf(state, market, now);
  market.inputs = start.inputs;
  takePrice(state, market, start, now);
  const made = decide(state, market, start, now);
  market.decision = made;
  for (const { code } of made.denied.values()) {
    count(market.denialCounts, code);
    if (code === 'message-rate') markWithheld(state, now);
  }
}

/** The decision for a symbol. An outdated one is computed again, but not kept. */
export function decisionOf(state: TraderState, market: Market, now: EpochMs): Decision {
  const { decision } = market;
  if (decision !== null && stands(market, decision, now)) return decision;
  return decide(state, market, startOf(state, market, now), now);
}

/** The inputs of a decision. */
interface Start {
  readonly blockers: readonly Blocker[];
  readonly inputs: DecisionInputs;
  readonly view: MarketView | null;
}

function startOf(state: TraderState, market: Market, now: EpochMs): Start {
  const inputs = decisionInputsOf(state, market);
  return { blockers: blockersOf(state, market, now), inputs, view: marketView(inputs, market, now) };
}

/** A halt doesn't block what it allows. */
function blockersOf(state: TraderState, market: Market, now: EpochMs): Blocker[] {
  const blockers = notReady(state, market, now);
  return unwindingOf(state, market, now) === null ? blockers : blockers.filter(({ code }) => code !== 'loss');
}

/** The cached decision may be a second old: before a create leaves, readiness and funds are checked again (S12). */
function maySend(state: TraderState, market: Market, { creates, approved }: Decision, now: EpochMs): boolean {
  if (creates.length === 0) return true;
  if (blockersOf(state, market, now).length > 0) return false;
  if (approved.size === 0) return true;
  return decisionInputsOf(state, market) === market.inputs && hasRoomForMessages(state, now);
}

const stands = ({ version }: Market, decision: Decision, now: EpochMs): boolean =>
  decision.version === version && now < decision.validUntil;

/** Records the market's price, whatever the decision is. */
function takePrice(state: TraderState, market: Market, { view }: Start, now: EpochMs): void {
  const before = priceDoubt(state, market);
  // Even if something else blocks: otherwise the first decision would be the first to see a price.
  if (view !== null && priceBlockers(state, market, now).length === 0 && acceptReference(market, view))
    updateEstimates(market, view);
  // Markets quoted from this one may have been decided already.
  if (before !== priceDoubt(state, market)) touchDependents(state, market.symbol);
  measureTravel(state, market);
}

function decide(state: TraderState, market: Market, start: Start, now: EpochMs): Decision {
  const { symbol, version } = market;
  const { view } = start;
  const base = {
    ...{ version, at: now, validUntil: now + VALID_MS, actions: [], creates: [], result: null },
    ...{ approved: new Map(), waiting: new Map(), denied: new Map(), failure: failureOf(state, market) },
  };
  const reasons = [...start.blockers, ...withoutReference(state, market, start, now)];
  const [first] = reasons;
  if (first !== undefined || view === null) {
    const pulling = reasons.find(({ pull }) => pull);
    const cancels = pulling === undefined ? [] : pullAll(state.durable, symbol, pulling.reason);
    return { ...base, reason: first?.reason ?? null, view, cancels };
  }
  const verdictOf = assessor(state, market, now);
  const quoted = quoteUnlessFailed(state, market, {
    view,
    live: liveOrders(state, market, now),
    travelBps: travelBpsOf(state, market),
    unwinding: unwindingOf(state, market, now),
    judged: (wanted) => judged(state, market, { wanted, verdict: verdictOf(wanted), now }),
  });
  if (quoted.kind !== 'quoted') {
    const reason = failureText(quoted);
    return { ...base, failure: quoted, reason, view, cancels: pullAll(state.durable, symbol, reason) };
  }
  const { quoted: moves } = quoted;
  return { ...base, reason: null, view, ...moves, ...judgeCreates(state, market, moves, { verdictOf, now }) };
}

/**
 * Without a reference price it is unknown where an order may stay, whatever else blocks quoting; in the first seconds
 * of a start it may just not have been read yet.
 */
function withoutReference(
  state: With<'session'>,
  market: Market,
  { blockers, inputs, view }: Start,
  now: EpochMs,
): Pick<Blocker, 'reason' | 'pull'>[] {
  if (view !== null) return [];
  const reason = whyNoReference(market.run, inputs.source.external);
  return [{ reason, pull: blockers.length === 0 || !inStartGrace(state.session, now) }];
}

type VerdictOf = (wanted: WantedCreate) => Assessment;

/** The risk gate's verdicts on the creates of one decision: each is judged once, all in the same context. */
function assessor(state: TraderState, market: Market, now: EpochMs): VerdictOf {
  const verdicts = new Map<WantedCreate, Assessment>();
  let context: RiskContext | null = null;
  return (wanted) => {
    const known = verdicts.get(wanted);
    if (known !== undefined) return known;
    context ??= riskContext(state, market, now);
    const verdict = assessCreate(state, market, wanted, context);
    verdicts.set(wanted, verdict);
    return verdict;
  };
}

/** Sorts creates into those that may leave, must wait, or are denied; invalid quotes count as denied. */
function judgeCreates(
  state: TraderState,
  market: Market,
  { creates, result }: Quoted,
  { verdictOf, now }: { readonly verdictOf: VerdictOf; readonly now: EpochMs },
): Pick<Decision, 'approved' | 'waiting' | 'denied'> {
  const approved = new Map<Slot, Approved<OrderRequest>>();
  const waiting = new Map<Slot, WaitsForRoom>();
  const denied = new Map<string, Denied>();
  for (const wanted of creates) {
    const { slot } = wanted;
    const verdict = verdictOf(wanted);
    if (verdict.kind === 'approved') {
      if (!result.flaws.some((flaw) => flaw.slot === slot)) approved.set(slot, verdict.order);
      continue;
    }
    const waitsFor = roomTakenByLeaving(state, market, wanted, { denial: verdict, now });
    if (waitsFor !== null) waiting.set(slot, waitsFor);
    else denied.set(slot, { code: verdict.code, message: verdict.message });
  }
  for (const { slot, why } of result.flaws) denied.set(slot, { code: 'strategy-quote', message: why });
  return { approved, waiting, denied };
}

interface Judging {
  readonly wanted: WantedCreate;
  readonly verdict: Assessment;
  readonly now: EpochMs;
}

function judged(state: TraderState, market: Market, { wanted, verdict, now }: Judging): Judged {
  const waits =
    verdict.kind === 'denied'
      ? roomTakenByLeaving(state, market, wanted, { denial: verdict, now }) !== null
      : !leavesPlaces(liveOrders(state, market, now), market.run.limits);
  return { verdict, waits };
}

/** The strategy's failure, until it halts the symbol (`watchStrategy`). */
const failureOf = (state: With<'durable'>, market: Market): StrategyFailure | null =>
  haltOf(state, market) === null ? (market.decision?.failure ?? null) : null;

/** A failed strategy is not called again. */
function quoteUnlessFailed(
  state: With<'durable'>,
  market: Market,
  quoting: Quoting,
): StrategyFailure | { readonly kind: 'quoted'; readonly quoted: Quoted } {
  const { memory } = market.knowledge;
  const failed = failureOf(state, market) ?? (memory.kind === 'strategy-failed' ? memory : null);
  if (failed !== null && quoting.unwinding === null) return failed;
  const quoted = quote(market, quoting, memory.kind === 'kept' ? memory.memory : undefined);
  return quoted.result.failure ?? { kind: 'quoted', quoted };
}

interface Quoting {
  readonly view: MarketView;
  readonly live: readonly LiveOrder[];
  readonly travelBps: number;
  /** Instead of the strategy's quotes; null: those. */
  readonly unwinding: Unwinding | null;
  readonly judged: (wanted: WantedCreate) => Judged;
}

interface Quoted extends Pick<Decision, 'actions' | 'creates' | 'cancels'> {
  readonly result: QuotingResult;
}

function quote(market: Market, { view, live, travelBps, unwinding, judged }: Quoting, memory: unknown): Quoted {
  const { run } = market;
  const { strategy, params, quoting, refresh, instrument, limits } = run;
  const input = { strategy, params, view, memory, settings: quoting, live, limits };
  const { now, referencePrice } = view;
  const result =
    unwinding === null
      ? quotesFrom(run, input)
      : unwindQuotes({ ...input, unwinding, recentReference: recentReferenceOf(market, now) ?? referencePrice });
  const facts = { now, instrument, referencePrice, travelBps };
  const actions =
    unwinding?.takes === true
      ? diffQuotes(result.quotes, live, { ...refresh, minHalfSpreadBps: undefined }, facts)
      : diffQuotes(result.quotes, live, refresh, { ...facts, restingLimits: restingLimits(view, quoting.guard) });
  return { result, actions, ...planMoves(actions, live, judged) };
}

const lastRounded = keepingLast(roundedQuotes, handedView);
const lastGuarded = keepingLast(guardedQuotes);

/** `computeQuotes`; where the strategy ignores the moment, each part is computed only if its input has changed. */
function quotesFrom(run: RunSettings, input: QuotingInput): QuotingResult {
  const refused = refusedQuotes(input);
  if (refused !== null) return refused;
  if (run.strategy.ignoresNow !== true) return guardedQuotes(roundedQuotes(input));
  const rounded = lastRounded(run, input, input.memory);
  return lastGuarded(run, { ...rounded, view: touchAlone(input.view), live: input.live }, rounded);
}

/** The guards read no deeper level. */
function touchAlone(view: MarketView): MarketView {
  const { bids, asks } = view.book;
  return { ...view, book: { bids: bids.slice(0, 1), asks: asks.slice(0, 1) } };
}

function pullAll(durable: Durable, symbol: InstrumentSymbol, why: string): Decision['cancels'] {
  return liveIntents(durable, symbol)
    .filter((intent) => intent.state === 'open')
    .map((intent) => ({ intentId: intent.intentId, why }));
}

/**
 * Whether the price is accepted. The first good reference needs a second book to confirm it: at a start nothing else
 * reveals a slipped decimal (F61). A price that its own book contradicts is not accepted: the right price would then
 * look like a jump.
 */
function acceptReference(market: Market, view: MarketView): boolean {
  const { jumpBps, collarBps } = market.run.limits;
  const { referencePrice: price, bookSentAt } = view;
  ageReference(market, bookSentAt);
  if (market.oldReference !== null) {
    if (isSlipped(price, market.oldReference)) {
      extendJump(market, price, bookSentAt);
      return false;
    }
    market.jump = null;
  }
  const isAstray = farFromBook(view.book, price, collarBps) !== null;
  const known = market.lastGoodReference ?? market.statedReference;
  const last = known ?? market.firstReference?.price ?? null;
  if (last !== null && isNear(price, last, jumpBps)) {
    market.jump = null;
    if (isAstray) return false;
    if (bookSentAt === market.firstReference?.bookSentAt) return false;
    market.lastGoodReference = price;
    market.lastGoodAt = bookSentAt;
    market.statedReference = null;
    market.oldReference = null;
    market.firstReference = null;
    keepReference(market, price, view.now);
    return true;
  }
  if (known !== null) extendJump(market, price, bookSentAt);
  else if (!isAstray) market.firstReference = { price, bookSentAt };
  return false;
}

/** Keeps a good price now and then for the collar, which compares with the price of some minutes ago. */
function keepReference(market: Market, price: Decimal, now: EpochMs): void {
  const { references } = market;
  const last = references.at(-1);
  if (last && now - last.at < REFERENCE_EVERY_MS) return;
  references.push({ at: now, price, float: price.toNumber() });
  market.travel = null;
  if (references.length > REFERENCES_KEPT) references.shift();
}

// Failures of strategies: they halt the symbol, and people are notified.

/** Halts the symbol if its strategy failed, and notifies of invalid quotes. */
export function watchStrategy(turn: Step<'session'>, market: Market): void {
  const { decision } = market;
  const failure = decision?.failure ?? null;
  if (failure !== null) haltSymbol(turn, market, failureText(failure), 'strategy');
  const result = decision?.result ?? null;
  if (result !== null) notifyFlaws(turn, market, result.flaws);
}

/** Notifies once per unbroken run of decisions with the flaw. */
function notifyFlaws(turn: Step, market: Market, flaws: readonly Flaw[]): void {
  const before = market.flawedSlots;
  if (flaws.length === 0 && before.size === 0) return;
  for (const { slot, why } of flaws)
    if (!before.has(slot)) notice(turn, { level: 'warn', op: 'strategy-quote', symbol: market.symbol, message: why });
  market.flawedSlots = new Set(flaws.map(({ slot }) => slot));
}
