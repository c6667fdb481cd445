// What a strategy and the risk gate are told: the market, our holdings and our orders, as of now.
import { type Decimal, maxOf, ZERO } from '../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import { amountDecimal } from '../ledger/amount.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { inventoryTargetOf } from '../quoting/inventory-target.ts';
import { referencePrice } from '../quoting/reference-price.ts';
import type { RiskContext, Totals } from '../quoting/risk-context.ts';
import type { Holding, MarketView } from '../quoting/strategy.ts';
import { haltOf } from './gate.ts';
import { mayBeLive, remainingOf } from './intent.ts';
import { bookOfOthers, liveOrders } from './live-orders.ts';
import { messageCounts } from './message-rate.ts';
import { ledgerTotal } from './reconcile.ts';
import { memoryOf, runOf, surfaceOf, symbolsOf, type TraderState } from './state.ts';

/** How long ago the collar's second reference price was true, at the most. */
const COLLAR_WINDOW_MS = 5 * 60_000;

export function holdingOf(state: TraderState, asset: Asset): Holding {
  const unreserved = amountDecimal(balanceOf(state.durable.ledger, asset, 'wallet'));
  const byOthers = state.surfaces.wallet.lockedByOthers.get(asset) ?? ZERO;
  return { asset, total: ledgerTotal(state, asset), free: maxOf(ZERO, unreserved.sub(byOthers)) };
}

/** The market as a strategy may see it, or `null` while the book has no usable reference price. */
export function marketView(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): MarketView | null {
  const { instrument, referenceSource, quoting, costs } = runOf(state, symbol);
  const book = bookOfOthers(state, symbol);
  const { sentAt } = surfaceOf(state.surfaces.books, symbol);
  if (book === null || sentAt === null) return null;
  const reference = referencePrice(book, referenceSource);
  if (reference === null) return null;
  const base = holdingOf(state, instrument.base);
  const quote = holdingOf(state, instrument.quote);
  const holdings = { baseTotal: base.total, quoteTotal: quote.total, referencePrice: reference };
  const inventoryTarget = inventoryTargetOf(holdings, quoting.inventory.targetRatio);
  return {
    symbol,
    instrument,
    now,
    book,
    bookSentAt: sentAt,
    referencePrice: reference,
    base,
    quote,
    inventoryTarget,
    costs,
  };
}

/** All that the risk gate asks for, as of now; what is in flight or unknown counts as live. */
export function riskContext(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): RiskContext {
  const { instrument, limits, costs, referenceSource } = runOf(state, symbol);
  const memory = memoryOf(state, symbol);
  const book = bookOfOthers(state, symbol);
  const reference = book === null ? null : referencePrice(book, referenceSource);
  return {
    now,
    mode: state.phase === 'running' ? 'ACTIVE' : 'HALTED',
    killLatched: state.latched !== null,
    halt: haltOf(state, symbol),
    configuredSymbols: symbolsOf(state),
    limits,
    instrument,
    book,
    bookSentAt: surfaceOf(state.surfaces.books, symbol).sentAt,
    referencePrice: reference,
    lastGoodReference: memory.lastGoodReference,
    recentReference: memory.references.find(({ at }) => at >= now - COLLAR_WINDOW_MS)?.price ?? reference,
    orders: liveOrders(state, symbol, now),
    foreignOpenOrders: surfaceOf(state.surfaces.openOrders, symbol).foreign.length,
    totals: totalsIn(state, instrument.quote),
    base: holdingOf(state, instrument.base),
    quote: holdingOf(state, instrument.quote),
    costs,
    messages: messageCounts(state, now),
    messageLimits: state.settings.messageRate,
  };
}

/** Over all symbols. Orders quoted in another asset count by number only: there is no rate to convert them. */
function totalsIn(state: TraderState, quote: Asset): Totals {
  let openNotional: Decimal = ZERO;
  let openOrders = 0;
  for (const intent of state.durable.intents.values()) {
    if (!mayBeLive(intent)) continue;
    openOrders += 1;
    if (runOf(state, intent.symbol).instrument.quote === quote)
      openNotional = openNotional.add(intent.price.mul(remainingOf(intent)));
  }
  return { openNotional, openOrders };
}
