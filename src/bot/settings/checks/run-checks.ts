// Whether one run is possible: its limits against each other, and against the quotes that its strategy wants.
import { type Decimal, decimal, maxOf, ZERO } from '../../../domain/decimal.ts';
import type { Quote } from '../../../domain/order.ts';
import { minimumHalfSpread } from '../../../quoting/costs.ts';
import { type MarketView, NO_KNOWLEDGE } from '../../../quoting/strategy.ts';
import { askNeeds, askStrategy, askWhyUnfit, startMemory } from '../../../quoting/strategy-call/ask-strategy.ts';
import { failureText } from '../../../quoting/strategy-call/read-answer.ts';
import type { RunSettings } from '../../../trader/state/settings.ts';
import type { Complaint, Path } from '../located.ts';
import { complain, type Judged } from './judged.ts';

type Say = (path: Path, words: string) => Complaint;

export function runComplaints(judged: Judged, index: number): readonly Complaint[] {
  const run = judged.settings.trader.runs[index];
  if (!run) return [];
  const say: Say = (path, words) => complain(judged, ['runs', index, ...path], words);
  const own = [...boundsComplaints(run, say), ...costComplaints(run, say)];
  // Checks quotes only if the limits make sense: otherwise one slip causes two complaints.
  return own.length > 0 ? own : quoteComplaints(run, say, startPrice(judged, run) ?? fallbackPrice(run));
}

function boundsComplaints({ limits, instrument }: RunSettings, say: Say): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const { maxInventoryBase, minInventoryBase } = limits;
  if (minInventoryBase.gt(maxInventoryBase)) {
    const words = `${minInventoryBase.toFixed()} is more than maxInventoryBase (${maxInventoryBase.toFixed()}).`;
    complaints.push(say(['limits', 'minInventoryBase'], words));
  }
  if (limits.maxOrderNotional.lt(instrument.minNotional)) {
    const words =
      `${limits.maxOrderNotional.toFixed()} is less than the smallest order of ${instrument.minNotional.toFixed()} ` +
      `${instrument.quote}.`;
    complaints.push(say(['limits', 'maxOrderNotional'], words));
  }
  if (limits.maxOrderQuantity.lt(instrument.lotSize)) {
    const words =
      `${limits.maxOrderQuantity.toFixed()} is less than one ` +
      `lot of ${instrument.lotSize.toFixed()} ${instrument.base}.`;
    complaints.push(say(['limits', 'maxOrderQuantity'], words));
  }
  return complaints;
}

/** If costs force the spread beyond the collar, every order would be denied. */
function costComplaints({ costs, quoting, limits, instrument }: RunSettings, say: Say): readonly Complaint[] {
  const { makerFeeRatio, effectiveTaxRatio, tdsRatio, takerFeeRatio } = costs;
  if (takerFeeRatio.add(tdsRatio).gte(1)) {
    return [say(['symbol'], `fees and tax of ${instrument.symbol} take all of a sale; look at costs.`)];
  }
  if (!quoting.costFloor.enabled) return [];
  const floor = minimumHalfSpread({ buyFeeRatio: makerFeeRatio, sellFeeRatio: makerFeeRatio, effectiveTaxRatio });
  const floorBps = floor.mul(10_000).add(quoting.costFloor.minimumProfitBps);
  if (floorBps.lt(limits.collarBps)) return [];
  const words =
    `${limits.collarBps} denies every order: costs alone put quotes ${floorBps.toDecimalPlaces(1).toFixed()} bps ` +
    'from the reference price.';
  return [say(['limits', 'collarBps'], words)];
}

/** Checks the quotes that the strategy wants at its inventory target against the limits. */
function quoteComplaints(run: RunSettings, say: Say, price: Decimal): readonly Complaint[] {
  const { instrument, limits } = run;
  const unfit = askWhyUnfit(run.strategy, run.params, instrument);
  if (unfit !== null) return [say(['params'], unfit)];
  const needs = askNeeds(run.strategy, run.params);
  if (needs.kind === 'strategy-failed') return [say(['strategy'], failureText(needs))];
  const started = startMemory(run.strategy, run.params);
  if (started.kind === 'strategy-failed') return [say(['strategy'], failureText(started))];
  const answer = askStrategy(run.strategy, probeView(run, price), run.params, started.memory);
  if (answer.kind === 'strategy-failed') return [say(['strategy'], failureText(answer))];
  const quotes = answer.wanted.flatMap((wanted) => (wanted.kind === 'usable' ? [wanted.quote] : []));
  const flaws = answer.wanted.flatMap((wanted) => (wanted.kind === 'flawed' ? [wanted.why] : []));
  if (flaws.length > 0) return flaws.map((why) => say(['strategy'], why));
  const notional = (quote: Quote): Decimal => quote.price.mul(quote.quantity);
  const largest = quotes.reduce((most, quote) => maxOf(most, notional(quote)), ZERO);
  const biggest = quotes.reduce((most, quote) => maxOf(most, quote.quantity), ZERO);
  const total = quotes.reduce((sum, quote) => sum.add(notional(quote)), ZERO);
  const furthest = quotes.reduce((most, quote) => maxOf(most, quote.price.sub(price).abs()), ZERO);
  const furthestBps = furthest.div(price).mul(10_000);
  const complaints: Complaint[] = [];
  const tooMuch = (name: string, limit: Decimal, wanted: Decimal, unit: string): void => {
    // Sizes are quotients, so the last digits of their sum are no excess. A real excess is shown with as many digits as
    // it needs.
    const more = [12, 30].map((digits) => wanted.toSignificantDigits(digits)).find((sum) => sum.gt(limit));
    if (more === undefined) return;
    const sum = `${more.toFixed()} ${unit}`;
    const words = `${limit.toFixed()} is less than the ${sum} that ${run.strategy.name} wants; raise it or want less.`;
    complaints.push(say(['limits', name], words));
  };
  tooMuch('maxOrderNotional', limits.maxOrderNotional, largest, instrument.quote);
  tooMuch('maxOrderQuantity', limits.maxOrderQuantity, biggest, instrument.base);
  tooMuch('maxOpenNotional', limits.maxOpenNotional, total, instrument.quote);
  tooMuch('maxOpenOrders', decimal(limits.maxOpenOrders), decimal(quotes.length), 'orders');
  tooMuch('collarBps', decimal(limits.collarBps), furthestBps, 'bps from the reference price');
  if (quotes.some((quote) => quote.quantity.lt(instrument.lotSize))) {
    complaints.push(
      say(['params'], `${run.strategy.name} wants less than one lot of ${instrument.lotSize.toFixed()}.`),
    );
  } else if (quotes.some((quote) => notional(quote).lt(instrument.minNotional))) {
    const words =
      `${run.strategy.name} wants orders under minNotional (${instrument.minNotional.toFixed()} ` +
      `${instrument.quote}).`;
    complaints.push(say(['params'], words));
  }
  return complaints;
}

/** The start price of a synthetic market; elsewhere none is known yet. */
function startPrice({ configuration }: Judged, { instrument }: RunSettings): Decimal | null {
  const crowd = configuration.paper?.crowd;
  const market = crowd?.kind === 'synthetic' && crowd.markets.find(({ symbol }) => symbol === instrument.symbol);
  return market ? decimal(market.startPrice) : null;
}

/**
 * Used if no price is known: at this price the largest quantity has the largest notional, so that sizes in either asset
 * are checked against their own limit.
 */
const fallbackPrice = ({ limits }: RunSettings): Decimal => limits.maxOrderNotional.div(limits.maxOrderQuantity);

/** A calm market with a spread of one percent, and holdings on target. */
function probeView({ instrument, costs }: RunSettings, price: Decimal): MarketView {
  const holding = (asset: string, total: Decimal) => ({ asset, total, free: total });
  const quantity = decimal(1);
  return {
    ...NO_KNOWLEDGE,
    symbol: instrument.symbol,
    instrument,
    now: 0,
    book: { bids: [{ price: price.mul('0.995'), quantity }], asks: [{ price: price.mul('1.005'), quantity }] },
    bookSentAt: 0,
    referencePrice: price,
    base: holding(instrument.base, quantity),
    quote: holding(instrument.quote, price),
    inventoryTarget: quantity,
    costs,
  };
}
