// Inputs of strategy and risk gate: the market, our holdings and our orders as of now.
import { type Decimal, maxOf, minOf, ZERO } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import { amountDecimal, NO_AMOUNT } from '../../ledger/amount.ts';
import { type InventoryRange, inventoryRange, inventoryTargetOf } from '../../quoting/inventory.ts';
import { isFlattening } from '../../quoting/pipeline/sessions.ts';
import type { QuotingSettings } from '../../quoting/quoting-settings.ts';
import type { AssetMoves, MessageCounts, QuoteAsBase, RiskContext, Totals } from '../../quoting/risk/risk-context.ts';
import type { Limits } from '../../quoting/risk/risk-limits.ts';
import type { Holding, MarketView } from '../../quoting/strategy.ts';
import type { Books } from '../durable/books.ts';
import { liveIntents } from '../durable/durable.ts';
import { type Intent, mayBeLive, remainingOf, reservedIn, reserveLeft } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { countWithin, dayOf, type MessageLog } from '../durable/remembered.ts';
import { averageCostOf, bookOfOthers, doubtedBooks, knowledgeOf, ownFillsOf } from '../knowledge/knowledge-of.ts';
import { exposedPart, liveOrders } from '../orders/live-orders.ts';
import type { DecisionInputs, DecisionSources, Market } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { ledgerTotal, runOf, symbolsOf, type TraderState, type With } from '../state/state.ts';
import { unwindingOf } from '../state/unwinding.ts';
import { coinsBeside, placeOf } from './portfolio.ts';
import { externalPriceAt, referenceFor } from './reference.ts';

/** Maximum age of the collar's second reference price. */
const COLLAR_WINDOW_MS = 5 * 60_000;

function holdingOf(books: Books, asset: Asset, { reserved, lockedByOthers }: DecisionSources): Holding {
  const total = ledgerTotal(books, asset);
  const taken = amountDecimal(reserved.get(asset) ?? NO_AMOUNT).add(lockedByOthers.get(asset) ?? ZERO);
  return { asset, total, free: maxOf(ZERO, total.sub(taken)) };
}

/** The decision inputs of the symbol: the cached ones, until a source of them changes. */
export function decisionInputsOf(state: TraderState, market: Market): DecisionInputs {
  const { symbol } = market;
  const { book, sentAt } = market.book;
  const { base, quote } = market.run.instrument;
  const { orders } = state.durable;
  const source: DecisionSources = {
    readBook: book,
    bookSentAt: sentAt,
    own: liveIntents(state.durable, symbol),
    ledger: state.durable.books.ledger,
    reserved: new Map([base, quote].map((asset) => [asset, reservedIn(orders, asset)])),
    offsetMs: state.clock?.offsetMs ?? 0,
    knowledgeVersion: market.knowledge.version,
    doubted: doubtedBooks(state, market),
    coins: coinsBeside(state, market),
    lockedByOthers: state.wallet.lockedByOthers,
    questioned: orders.questioned.size,
    external: market.external,
    locks: marketIn(state.durable, symbol).locks,
  };
  const kept = market.inputs;
  if (kept !== null && areSame(valuesOf(kept.source), valuesOf(source))) return kept;
  return computeInputs(state, market, source);
}

/** Inputs are the same if these values are. An intent is replaced whenever it changes. */
const valuesOf = (source: DecisionSources): readonly unknown[] => [
  ...[source.ledger, source.lockedByOthers, source.readBook, source.bookSentAt, source.offsetMs],
  ...[source.knowledgeVersion, source.questioned, source.external, source.locks],
  ...source.reserved.values(),
  ...source.doubted,
  ...source.own,
  ...source.coins.flatMap(({ asset, held, bids, price }) => [asset, held.toFixed(), bids.toFixed(), price.toFixed()]),
];

const hasSameHoldings = (a: DecisionSources, b: DecisionSources): boolean =>
  a.ledger === b.ledger &&
  a.lockedByOthers === b.lockedByOthers &&
  areSame([...a.reserved.values()], [...b.reserved.values()]);

const areSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

function computeInputs(
  state: With<'settings' | 'durable' | 'markets' | 'otherBooks' | 'clock'>,
  market: Market,
  source: DecisionSources,
): DecisionInputs {
  const { symbol, run, inputs: before } = market;
  const { instrument, quoting } = run;
  const kept = before !== null && hasSameHoldings(before.source, source) ? before : null;
  const base = kept?.base ?? holdingOf(state.durable.books, instrument.base, source);
  const quote = kept?.quote ?? holdingOf(state.durable.books, instrument.quote, source);
  const book = bookOfOthers(state, market);
  // No fill is booked before the ledger is opened.
  const isSame = kept?.source.offsetMs === source.offsetMs && kept.source.questioned === source.questioned;
  const sameFills = isSame ? kept.knowledge.ownFills : null;
  const ownFills = sameFills ?? ownFillsOf(state, symbol);
  const averageCost = kept ? kept.knowledge.averageCost : averageCostOf(state.durable, symbol, run.costs.makerFeeRatio);
  const { trades } = market.knowledge;
  const priced = book === null ? null : referenceFor(book, run, { external: source.external, trades, ownFills });
  const isSamePrice = priced !== null && before?.referencePrice?.eq(priced) === true;
  const reference = isSamePrice ? before.referencePrice : priced;
  const place = reference === null ? null : placeOf(state, market, { beside: source.coins, reference });
  const targetAt = (referencePrice: Decimal): Decimal | null =>
    isSamePrice && kept !== null
      ? kept.inventoryTarget
      : inventoryTargetOf({ base, quote, referencePrice }, quoting.inventory.targetRatio);
  const inventoryTarget = reference === null ? null : (place?.target ?? targetAt(reference));
  const knowledge = knowledgeOf(state, market, {
    ...{ ownFills, averageCost, mostBase: place?.mostBase ?? null },
    ...{ locks: source.locks, doubted: source.doubted },
  });
  return { source, book, referencePrice: reference, base, quote, inventoryTarget, knowledge };
}

/** The market as a strategy may see it, or `null` while the book has no usable reference price. */
export function marketView(
  inputs: DecisionInputs,
  { run, knowledge: { estimates } }: Market,
  now: EpochMs,
): MarketView | null {
  const { instrument, costs } = run;
  const { source, book, referencePrice: reference, base, quote, inventoryTarget, knowledge } = inputs;
  const { bookSentAt } = source;
  const { symbol } = instrument;
  if (book === null || bookSentAt === null || reference === null || inventoryTarget === null) return null;
  const market = { symbol, instrument, now, book, bookSentAt, referencePrice: reference };
  const externalPrice = externalPriceAt(source.external, now);
  const isReference = run.referenceSource === 'external' && externalPrice.kind === 'known';
  const external = { externalPrice, referenceWidenBps: isReference ? externalPrice.widenBps : 0 };
  return { ...knowledge, estimates, ...external, ...market, base, quote, inventoryTarget, costs };
}

type IsCounted = (intent: Intent) => boolean;

/** The risk gate's context as of now; in-flight and unknown orders count as live. `isCounted` leaves some out. */
export function riskContext(
  state: TraderState,
  market: Market,
  now: EpochMs,
  isCounted: IsCounted = mayBeLive,
): RiskContext {
  const { symbol, run } = market;
  const { instrument, costs, quoting } = run;
  const inputs = decisionInputsOf(state, market);
  const { source, referencePrice: reference, base, quote } = inputs;
  const inOthers = (intent: Intent): boolean => intent.symbol !== symbol && isCounted(intent);
  const unwinding = unwindingOf(state, market, now);
  const baseInOtherMarkets = movesOf(state, instrument.base, { now, isCounted: inOthers });
  return {
    now,
    isRunning: state.phase === 'running',
    killLatched: state.holds.latched !== null,
    halt: marketIn(state.durable, symbol).halt,
    unwinding,
    configuredSymbols: symbolsOf(state),
    limits: tightestLimits(state, run),
    instrument,
    // As it was read: our own quantity in it may be gone, and others at its price stay (check 13). Check 12 covers own
    // orders.
    book: source.readBook,
    bookSentAt: source.bookSentAt,
    bookMaxAgeMs: state.settings.ageLimits.bookMs,
    referencePrice: reference,
    lastGoodReference: market.lastGoodReference,
    recentReference: recentReferenceOf(market, now) ?? reference,
    orders: liveOrders(state, market, now, isCounted),
    foreignOpenOrders: market.openOrders.unmatchedRows.length,
    totals: totalsIn(state, instrument.quote, isCounted),
    baseInOtherMarkets,
    quoteAsBase: quoteAsBase(state, instrument.quote, { now, isCounted }),
    budget: quoting.budget,
    inventoryRange: rangeOf(inputs, quoting, { now, inOtherMarkets: baseInOtherMarkets, unwinding }),
    base,
    quote,
    costs,
    messages: messageCounts(state.durable.messages, now),
    messageLimits: state.settings.messageRate,
  };
}

/**
 * An asset may be the base of several symbols, or the base of one and the quote of another: its bounds and reserves
 * apply to all of them together, and the tighter of two applies.
 */
function tightestLimits(state: With<'markets' | 'shares'>, { instrument, limits }: RunSettings): Limits {
  return {
    ...limits,
    ...inventoryLimitsOf(state, instrument.base, limits),
    reserveBase: reserveOf(state, instrument.base),
    reserveQuote: reserveOf(state, instrument.quote),
  };
}

/** The reference some minutes ago; null if none was kept. */
export const recentReferenceOf = ({ references }: Market, now: EpochMs): Decimal | null =>
  references.find(({ at }) => at >= now - COLLAR_WINDOW_MS)?.price ?? null;

/**
 * Before a session closes, purchases or sales may at most bring the base to its target; so may those of a halted
 * market, and by no more than is left of its way.
 */
function rangeOf(
  { referencePrice, inventoryTarget, base, quote, knowledge }: DecisionInputs,
  quoting: QuotingSettings,
  { now, inOtherMarkets, unwinding }: Pick<RiskContext, 'now' | 'unwinding'> & { readonly inOtherMarkets: AssetMoves },
): InventoryRange {
  if (referencePrice === null || inventoryTarget === null) return { most: null, least: ZERO };
  // The portfolio's room already counts those bids.
  const mostBase = knowledge.mostBase?.add(inOtherMarkets.more) ?? null;
  const range = inventoryRange({ base, quote, referencePrice, mostBase }, quoting.inventory);
  if (unwinding === null && !isFlattening({ settings: quoting, view: { now } })) return range;
  const bounds = [range, { most: inventoryTarget, least: inventoryTarget }];
  if (unwinding !== null) bounds.push({ most: base.total.add(unwinding.left), least: base.total.sub(unwinding.left) });
  return {
    most: bounds.map(({ most }) => most ?? inventoryTarget).reduce(minOf),
    least: bounds.map(({ least }) => least).reduce(maxOf),
  };
}

type InventoryLimits = Pick<Limits, 'maxInventoryBase' | 'minInventoryBase'>;

/** The tightest bounds of `own`, of all runs with the asset as base, and of the limit over all accounts. */
function inventoryLimitsOf(
  { markets, shares }: With<'markets' | 'shares'>,
  asset: Asset,
  own: InventoryLimits,
): InventoryLimits {
  let { minInventoryBase } = own;
  let maxInventoryBase = minOf(own.maxInventoryBase, shares.get(asset) ?? own.maxInventoryBase);
  for (const { run } of markets.values()) {
    if (run.instrument.base !== asset) continue;
    maxInventoryBase = minOf(maxInventoryBase, run.limits.maxInventoryBase);
    minInventoryBase = maxOf(minInventoryBase, run.limits.minInventoryBase);
  }
  return { maxInventoryBase, minInventoryBase };
}

function reserveOf({ markets }: With<'markets'>, asset: Asset): Decimal {
  let reserve: Decimal = ZERO;
  for (const { run } of markets.values()) {
    if (run.instrument.base === asset) reserve = maxOf(reserve, run.limits.reserveBase);
    if (run.instrument.quote === asset) reserve = maxOf(reserve, run.limits.reserveQuote);
  }
  return reserve;
}

interface Counting {
  readonly now: EpochMs;
  readonly isCounted: IsCounted;
}

function quoteAsBase(
  state: With<'settings' | 'durable' | 'markets' | 'shares'>,
  quote: Asset,
  counting: Counting,
): QuoteAsBase | null {
  const another = [...state.markets.values()].find(({ run }) => run.instrument.base === quote);
  if (another === undefined) return null;
  const { maxInventoryBase: most, minInventoryBase: least } = inventoryLimitsOf(state, quote, another.run.limits);
  return { most, least, moves: movesOf(state, quote, counting) };
}

export interface ShareNeeded {
  /** Of the base asset, if every order that may be live fills. */
  readonly held: Decimal;
  /** And if all further orders that the limits allow fill as well. */
  readonly wanted: Decimal;
}

/** What the account holds, and may want to hold, of an asset that all accounts together may hold so much of. */
export function shareNeeded(state: TraderState, asset: Asset, now: EpochMs): ShareNeeded {
  const moves = movesOf(state, asset, { now, isCounted: mayBeLive });
  const total = ledgerTotal(state.durable.books, asset);
  const held = total.add(moves.more);
  let wanted = total;
  let most: Decimal = ZERO;
  for (const { run, lastGoodReference: price } of state.markets.values()) {
    if (run.instrument.base !== asset) continue;
    most = maxOf(most, run.limits.maxInventoryBase);
    if (price !== null) wanted = wanted.add(run.limits.maxOpenNotional.div(price));
  }
  return { held, wanted: maxOf(held, minOf(wanted, most)) };
}

/** How the counted orders may still move the asset. */
function movesOf(
  state: With<'settings' | 'durable' | 'markets'>,
  asset: Asset,
  { now, isCounted }: Counting,
): AssetMoves {
  const moved: Record<keyof AssetMoves, Decimal> = { more: ZERO, less: ZERO };
  for (const intent of state.durable.orders.intents.values()) {
    if (!isCounted(intent)) continue;
    const { base, quote } = runOf(state, intent.symbol).instrument;
    if (base !== asset && quote !== asset) continue;
    const quantity = exposedPart(state.settings.assumptions, intent, now);
    const isBuy = intent.side === 'buy';
    if (base === asset) moved[isBuy ? 'more' : 'less'] = moved[isBuy ? 'more' : 'less'].add(quantity);
    if (quote !== asset) continue;
    // The reserve of a buy includes its fee.
    const spent = isBuy ? amountDecimal(reserveLeft(intent, quantity)) : intent.price.mul(quantity);
    moved[isBuy ? 'less' : 'more'] = moved[isBuy ? 'less' : 'more'].add(spent);
  }
  return moved;
}

/** Over all symbols. Orders quoted in another asset count by number only: there is no rate to convert them. */
function totalsIn(state: With<'durable' | 'markets'>, quote: Asset, isCounted: IsCounted): Totals {
  let openNotional: Decimal = ZERO;
  let openOrders = 0;
  for (const intent of state.durable.orders.intents.values()) {
    if (!isCounted(intent)) continue;
    openOrders += 1;
    if (runOf(state, intent.symbol).instrument.quote === quote)
      openNotional = openNotional.add(intent.price.mul(remainingOf(intent)));
  }
  return { openNotional, openOrders };
}

// Check 7 of order-truth §10: creates and cancels already sent.

/**
 * Creates and cancels already sent, as of now. A time in the future was recorded before the clock was set back: nothing
 * is created until the clocks are compared, and then it is moved.
 */
export function messageCounts(messages: MessageLog, now: EpochMs): MessageCounts {
  const { recent, day, today } = messages;
  const [inSecond = 0, inMinute = 0] = [SECOND, MINUTE].map((ms) => countWithin(recent, now, ms));
  return { inSecond, inMinute, today: dayOf(now) > day ? 0 : today };
}

/** Whether the message rate allows one more create now. */
export function hasRoomForMessages({ settings, durable }: With<'settings' | 'durable'>, now: EpochMs): boolean {
  const { inSecond, inMinute, today } = messageCounts(durable.messages, now);
  const { maxPerSecond, maxPerMinute, maxPerDay } = settings.messageRate;
  return inSecond < maxPerSecond && inMinute < maxPerMinute && today < maxPerDay;
}

/** Marks that the gate made a create wait because of the minute's limit; shorter waits only space requests. */
export function markWithheld(state: With<'settings' | 'durable' | 'requests'>, now: EpochMs): void {
  if (messageCounts(state.durable.messages, now).inMinute >= state.settings.messageRate.maxPerMinute)
    state.requests.createsWithheldAt = now;
}
