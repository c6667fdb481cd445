// What the snapshot shows of risk, estimates, reference prices and unmatched orders.
import { plain } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Estimate, Intensity } from '../../estimates/estimate.ts';
import { type Value, valueDecimal } from '../../ledger/amount.ts';
import { limitsUsed } from '../../quoting/risk/exposure-checks.ts';
import { lossesOf } from '../decision/loss.ts';
import { messageCounts } from '../decision/message-rate.ts';
import { haltOf } from '../decision/readiness.ts';
import { externalPriceAt } from '../decision/reference-for.ts';
import { oneSidedFills } from '../decision/repeated-fills.ts';
import { riskContext } from '../decision/view.ts';
import { marketIn } from '../durable/market.ts';
import { isQuestionOver, type UnmatchedRow } from '../orders/unmatched-orders.ts';
import type { Market } from '../state/market.ts';
import { marketOf, type TraderState } from '../state/state.ts';
import type { CodeCount, ExternalView, MessagesView, RiskView, UnmatchedOrderView } from './snapshot.ts';

export function riskView(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): RiskView {
  const { denialCounts, haltCounts } = marketOf(state, symbol);
  return {
    halt: haltOf(state, symbol),
    isQuestionOver: isQuestionOver(state, symbol),
    locks: marketIn(state.durable, symbol).locks,
    denials: countsOf(denialCounts),
    halts: countsOf(haltCounts),
    limitsUsed: limitsUsed(riskContext(state, symbol, now), oneSidedFills(state, symbol, now)),
    losses: lossesOf(state, symbol).map(({ code, loss, limit }) => ({
      code,
      loss: money(loss),
      limit: limit === null ? null : money(limit),
    })),
  };
}

export function messagesView(
  { settings, durable }: Pick<TraderState, 'settings' | 'durable'>,
  now: EpochMs,
): MessagesView {
  const { maxPerSecond, maxPerMinute, maxPerDay } = settings.messageRate;
  return { ...messageCounts(durable.messages, now), maxPerSecond, maxPerMinute, maxPerDay };
}

const money = (value: Value): string => plain(valueDecimal(value).toDecimalPlaces(8));

const countsOf = (counts: ReadonlyMap<string, number>): CodeCount[] =>
  [...counts].map(([code, count]) => ({ code, count }));

/**
 * One sentence each: `Volatility: 2.31 bps per √s, of 45 samples, the last 3 s old.` What is made of
 * public trades is left out where nobody has these read.
 */
export function estimateSentences({ knowledge }: Pick<Market, 'knowledge'>): readonly string[] {
  const { volatilityBpsPerSqrtSecond: volatility, tradesPerSecond, intensity } = knowledge.estimates;
  const sentences = [sentence('Volatility', volatility, (value) => `${value.toFixed(2)} bps per √s`)];
  if (knowledge.needs.trades !== true) return sentences;
  return [
    ...sentences,
    sentence('Public trades', tradesPerSecond, (value) => `${(value * 60).toFixed(1)} a minute`),
    sentence('Takers that sell', intensity.buy, takerWords),
    sentence('Takers that buy', intensity.sell, takerWords),
  ];
}

const takerWords = ({ perSecond, decayPerBps }: Intensity): string =>
  `${(perSecond * 60).toPrecision(3)} a minute at the mid price, 37 % of them at ${(1 / decayPerBps).toFixed(0)} bps`;

function sentence<T>(name: string, estimate: Estimate<T>, words: (value: T) => string): string {
  if (estimate.kind === 'unknown') return `${name}: unknown. ${estimate.why}`;
  const { value, samples, ageMs } = estimate;
  return `${name}: ${words(value)}, of ${Math.round(samples)} samples, the last ${(ageMs / 1_000).toFixed(0)} s old.`;
}

/** Null where nothing was told. */
export function externalView(
  { external, externalReading: reading }: Pick<Market, 'external' | 'externalReading'>,
  now: EpochMs,
): ExternalView | null {
  if (external === null || reading === null) return null;
  const price = externalPriceAt(external, now);
  const isKnown = price.kind === 'known';
  return {
    price: isKnown ? plain(price.price) : null,
    why: isKnown ? null : price.why,
    asOf: isKnown ? now - price.ageMs : null,
    widenBps: isKnown ? price.widenBps : 0,
    sources: reading.legs.map((leg) => ({
      source: leg.source,
      price: plain(leg.price.toSignificantDigits(SHOWN_DIGITS)),
      asOf: leg.asOf,
    })),
    staleMs: reading.guards.staleMs,
  };
}

const SHOWN_DIGITS = 12;

/** As page, commands and logs show it. */
export const unmatchedView = ({ row, mayBeOurs }: UnmatchedRow): UnmatchedOrderView => ({
  symbol: row.symbol,
  orderId: row.orderId,
  side: row.side,
  price: plain(row.price),
  quantity: plain(row.remainingQuantity),
  mayBeOurs,
});
