// Whether one run is possible: its limits against each other, and against the quotes that its strategy wants.
import { type Decimal, decimal, maxOf, ZERO } from '../../../domain/decimal.ts';
import type { Quote } from '../../../domain/order.ts';
import { minimumHalfSpread } from '../../../quoting/costs.ts';
import { type MarketView, NO_KNOWLEDGE } from '../../../quoting/strategy.ts';
import { askNeeds, askStrategy, askWhyUnfit, startMemory } from '../../../quoting/strategy-call/ask-strategy.ts';
import { failureText } from '../../../quoting/strategy-call/read-answer.ts';
import type { RunSettings } from '../../../trader/state/settings.ts';
import { type Complaints, type Judged, type Say, sayIn } from './judged.ts';

export function* runComplaints(judged: Judged): Complaints {
  for (const [index, run] of judged.settings.trader.runs.entries()) {
    const say = sayIn(judged, 'runs', index);
    const own = [...boundsComplaints(run, say), ...costComplaints(run, say)];
    // Checks quotes only if the limits make sense: otherwise one slip causes two complaints.
    yield* own.length > 0 ? own : quoteComplaints(run, say, startPrice(judged, run) ?? fallbackPrice(run));
  }
}

function* boundsComplaints({ limits, instrument }: RunSettings, say: Say): Complaints {
  const { maxInventoryBase: most, minInventoryBase: least, maxOrderNotional, maxOrderQuantity } = limits;
  const { minNotional, lotSize, base, quote } = instrument;
  if (least.gt(most)) {
    const words = `${least.toFixed()} is more than maxInventoryBase (${most.toFixed()}).`;
    yield say(['limits', 'minInventoryBase'], words);
  }
  if (maxOrderNotional.lt(minNotional)) {
    const words = `is less than the smallest order of ${minNotional.toFixed()} ${quote}.`;
    yield say(['limits', 'maxOrderNotional'], `${maxOrderNotional.toFixed()} ${words}`);
  }
  if (maxOrderQuantity.lt(lotSize)) {
    const words = `is less than one lot of ${lotSize.toFixed()} ${base}.`;
    yield say(['limits', 'maxOrderQuantity'], `${maxOrderQuantity.toFixed()} ${words}`);
  }
}

/** If costs force the spread beyond the collar, every order would be denied. */
function* costComplaints({ costs, quoting, limits, instrument }: RunSettings, say: Say): Complaints {
  const { makerFeeRatio, effectiveTaxRatio, tdsRatio, takerFeeRatio } = costs;
  if (takerFeeRatio.add(tdsRatio).gte(1))
    return yield say(['symbol'], `fees and tax of ${instrument.symbol} take all of a sale; look at costs.`);
  if (!quoting.costFloor.enabled) return;
  const floor = minimumHalfSpread({ buyFeeRatio: makerFeeRatio, sellFeeRatio: makerFeeRatio, effectiveTaxRatio });
  const floorBps = floor.mul(10_000).add(quoting.costFloor.minimumProfitBps);
  const words =
    `${limits.collarBps} denies every order: costs alone put quotes ${floorBps.toDecimalPlaces(1).toFixed()} bps ` +
    'from the reference price.';
  if (floorBps.gte(limits.collarBps)) yield say(['limits', 'collarBps'], words);
}

/** Checks the quotes that the strategy wants at its inventory target against the limits. */
function* quoteComplaints(run: RunSettings, say: Say, price: Decimal): Complaints {
  const { instrument, limits, strategy, params } = run;
  const unfit = askWhyUnfit(strategy, params, instrument);
  if (unfit !== null) return yield say(['params'], unfit);
  const needs = askNeeds(strategy, params);
  if (needs.kind === 'strategy-failed') return yield say(['strategy'], failureText(needs));
  const started = startMemory(strategy, params);
  if (started.kind === 'strategy-failed') return yield say(['strategy'], failureText(started));
  const answer = askStrategy(strategy, probeView(run, price), params, started.memory);
  if (answer.kind === 'strategy-failed') return yield say(['strategy'], failureText(answer));
  const flaws = answer.wanted.flatMap((wanted) => (wanted.kind === 'flawed' ? [wanted.why] : []));
  if (flaws.length > 0) return yield* flaws.map((why) => say(['strategy'], why));
  const quotes = answer.wanted.flatMap((wanted) => (wanted.kind === 'usable' ? [wanted.quote] : []));
  const most = (of: (quote: Quote) => Decimal): Decimal => quotes.map(of).reduce(maxOf, ZERO);
  const notional = (quote: Quote): Decimal => quote.price.mul(quote.quantity);
  const furthest = most((quote) => quote.price.sub(price).abs());
  const total = quotes.map(notional).reduce((sum, each) => sum.add(each), ZERO);
  const wants: [name: string, limit: Decimal, wanted: Decimal, unit: string][] = [
    ['maxOrderNotional', limits.maxOrderNotional, most(notional), instrument.quote],
    ['maxOrderQuantity', limits.maxOrderQuantity, most(({ quantity }) => quantity), instrument.base],
    ['maxOpenNotional', limits.maxOpenNotional, total, instrument.quote],
    ['maxOpenOrders', decimal(limits.maxOpenOrders), decimal(quotes.length), 'orders'],
    ['collarBps', decimal(limits.collarBps), furthest.div(price).mul(10_000), 'bps from the reference price'],
  ];
  for (const [name, limit, wanted, unit] of wants) {
    // Sizes are quotients, so the last digits of their sum are no excess. A real excess is shown with as many digits as
    // it needs.
    const more = [12, 30].map((digits) => wanted.toSignificantDigits(digits)).find((sum) => sum.gt(limit));
    const sum = `${more?.toFixed()} ${unit}`;
    const words = `${limit.toFixed()} is less than the ${sum} that ${strategy.name} wants; raise it or want less.`;
    if (more !== undefined) yield say(['limits', name], words);
  }
  const { lotSize, minNotional, quote: asset } = instrument;
  if (quotes.some((quote) => quote.quantity.lt(lotSize)))
    yield say(['params'], `${strategy.name} wants less than one lot of ${lotSize.toFixed()}.`);
  else if (quotes.some((quote) => notional(quote).lt(minNotional)))
    yield say(['params'], `${strategy.name} wants orders under minNotional (${minNotional.toFixed()} ${asset}).`);
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
