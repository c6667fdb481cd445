// P5: from the body of a 50 + 50 book to actions, with 2 × 5 levels and ten live orders, against JSON.parse of the
// body.
import { decimal } from '../src/domain/decimal.ts';
import { intentId } from '../src/domain/ids.ts';
import { invariant } from '../src/domain/invariant.ts';
import { withoutOwn } from '../src/domain/order-book.ts';
import type { LiveOrder } from '../src/quoting/live-order.ts';
import { type Action, diffQuotes } from '../src/quoting/moves/diff.ts';
import { diffSettingsSchema } from '../src/quoting/moves/refresh-settings.ts';
import { restingLimits } from '../src/quoting/pipeline/guards.ts';
import { computeQuotes } from '../src/quoting/pipeline/pipeline.ts';
import { quotingSettingsSchema } from '../src/quoting/quoting-settings.ts';
import { referencePrice } from '../src/quoting/reference-price.ts';
import { type Knowledge, type MarketView, NO_KNOWLEDGE } from '../src/quoting/strategy.ts';
import { parseOrderBook } from '../src/venue/parsers/market.ts';
import { strategy } from '../strategies/fixed-spread.ts';
import { type BenchResult, type Contestant, measureInTurn, median } from './measure.ts';

const DECISIONS = 4_000;
const BODIES = 64;
const ROUNDS = 5;
const NOW = 1_700_000_000_000;

const instrument = {
  symbol: 'BTC/INR',
  base: 'BTC',
  quote: 'INR',
  tickSize: decimal('0.1'),
  lotSize: decimal('0.00001'),
  minNotional: decimal('100'),
};
const costs = {
  makerFeeRatio: decimal('0.00472'),
  takerFeeRatio: decimal('0.00472'),
  tdsRatio: decimal('0.01'),
  effectiveTaxRatio: decimal('0.000909'),
};
const BASICS = { inventorySkew: {}, guard: { volatilityBpsPerSqrtSecond: 1 } };
const ZONE = { timeZone: 'Asia/Kolkata' };
const PLAIN = { ...ZONE, ...quotingSettingsSchema.parse(BASICS) };
/** All at once, none of which drops a quote: there is as much to do as without. */
const EVERY_FEATURE = {
  ...ZONE,
  ...quotingSettingsSchema.parse({
    ...BASICS,
    sessions: { windows: [{ days: ['tue', 'wed'], from: '00:00', to: '00:00' }] },
    priceBand: { floor: '1', ceiling: '100000000', bandBps: 5_000 },
    trend: { trendBps: 5_000 },
    filledDelayMs: 1_000,
    pingPong: true,
    hanging: { cancelBps: 5_000 },
    optimizeDepth: '0.5',
    width: {},
    inventoryCost: {},
    externalGuard: { minimumEdgeBps: 1 },
  }),
};
const KNOWLEDGE: Knowledge = {
  ...NO_KNOWLEDGE,
  ownFills: Array.from({ length: 20 }, (_, index) => ({
    side: index % 2 === 0 ? 'buy' : 'sell',
    slot: 'buy:0',
    price: decimal(5_000_000),
    quantity: decimal('0.001'),
    at: NOW - 60_000,
    liquidity: 'maker',
    completesOrder: true,
  })),
  references: Array.from({ length: 120 }, (_, index) => ({
    at: NOW - (120 - index) * 5_000,
    price: decimal(5_000_000),
  })),
  averageCost: decimal(4_000_000),
  estimates: {
    ...NO_KNOWLEDGE.estimates,
    volatilityBpsPerSqrtSecond: { kind: 'known', value: 1, samples: 50, ageMs: 0 },
  },
  externalPrice: { kind: 'known', price: decimal(5_000_000), ageMs: 0, sources: 2, spreadBps: 1, widenBps: 0 },
};
const diffSettings = diffSettingsSchema.parse({ minHalfSpreadBps: 5 });
const params = strategy.params.parse({
  levels: 5,
  halfSpreadBps: 60,
  halfSpreadStepBps: 10,
  orderSize: '5000',
  skewBps: 20,
});

export async function run(): Promise<BenchResult> {
  const bodies = Array.from({ length: BODIES }, (_, index) => bodyOf(index));
  const live = liveOrders(bodyOf(0));
  const decision = timedEach('decision', bodies, (body) => decide(body, live));
  const all = timedEach('every feature', bodies, (body) => decide(body, live, EVERY_FEATURE));
  const floor = timedEach('JSON.parse of the body', bodies, (body) => JSON.parse(body));
  const contestants = [decision.contestant, all.contestant, floor.contestant];
  await measureInTurn({ contestants, rounds: ROUNDS, sameOutput: false });
  const [ours, parse, featured] = [decision.quantiles(), floor.quantiles(), all.quantiles()];
  const kinds = bodies.flatMap((body) => decide(body, live).map((action) => action.kind));
  // A step that drops quotes would make all after it cheap.
  invariant(decide(bodyOf(0), [], EVERY_FEATURE).length === decide(bodyOf(0), []).length, 'All quotes are there.');
  const share = (kind: Action['kind']) => (kinds.filter((other) => other === kind).length / BODIES).toFixed(1);
  return {
    title: 'P5 decision',
    lines: [
      `books of 50 + 50, 2 × 5 levels, ten live orders: ${share('keep')} kept and ${share('cancel')} moved per ` +
        'decision',
      describe('decision', ours),
      describe('JSON.parse of the body', parse),
      `p50 is ${(ours.p50 / parse.p50).toFixed(1)} × JSON.parse (at most 10), p99 is ` +
        `${(ours.p99 / ours.p50).toFixed(1)} × p50 (at most 5)`,
      describe('with every feature', featured),
      `p50 is ${(featured.p50 / parse.p50).toFixed(1)} × JSON.parse`,
    ],
  };
}

/** All that happens between the body of a book and the actions. */
function decide(body: string, live: readonly LiveOrder[], settings = PLAIN): Action[] {
  const parsed = parseOrderBook(JSON.parse(body));
  invariant(parsed.ok, 'The body is a book.');
  const book = withoutOwn(
    parsed.value.rows,
    live.map((order) => ({ ...order, isCertain: order.status === 'open' })),
  );
  const mid = referencePrice(book, 'mid');
  invariant(mid !== null, 'The book has two sides.');
  const view: MarketView = {
    ...KNOWLEDGE,
    symbol: instrument.symbol,
    instrument,
    now: NOW,
    book,
    bookSentAt: NOW - 400,
    referencePrice: mid,
    base: { asset: 'BTC', total: decimal('0.0123'), free: decimal('0.0073') },
    quote: { asset: 'INR', total: decimal('70000'), free: decimal('45000') },
    inventoryTarget: decimal('0.0131'),
    costs,
  };
  const { quotes } = computeQuotes({ strategy, params, view, settings, live });
  const facts = {
    now: NOW,
    instrument,
    referencePrice: mid,
    travelBps: 0,
    restingLimits: restingLimits(view, settings.guard),
  };
  return diffQuotes(quotes, live, diffSettings, facts);
}

/** A body of 50 + 50 levels around a price that drifts with the index, as the venue writes one. */
function bodyOf(index: number): string {
  const middle = 5_000_000 + ((index * 7_919) % 5_000) - 2_500;
  const side = (direction: 1 | -1) =>
    Array.from({ length: 50 }, (_, level) => {
      const distance = 120 + level * 37 + ((index * 31 + level * 17) % 29);
      const quantity = 1 + ((index * 13 + level * 101) % 5_000);
      return [(middle + direction * distance + 0.3).toFixed(1), (quantity / 100_000).toFixed(5)];
    });
  return JSON.stringify({ bids: side(-1), asks: side(1) });
}

/** What was quoted on the first body, all of it open. */
function liveOrders(body: string): LiveOrder[] {
  return decide(body, []).flatMap((action) => {
    if (action.kind !== 'create') return [];
    const { quote, slot } = action;
    const order = { ...quote, slot, intentId: intentId(slot), remaining: quote.quantity };
    return [{ ...order, sentAt: NOW - 20_000, status: 'open' as const }];
  });
}

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

interface Timed {
  readonly contestant: Contestant;
  /** Medians over the rounds, in ms, the first round left out. */
  quantiles(): Quantiles;
}

/** A contestant that notes how long each of its operations takes. */
function timedEach(name: string, bodies: readonly string[], work: (body: string) => unknown): Timed {
  const rounds: Quantiles[] = [];
  const samples = new Float64Array(DECISIONS);
  const runAll = (): void => {
    for (let index = 0; index < DECISIONS; index += 1) {
      const body = bodies[index % bodies.length] ?? '';
      const start = performance.now();
      work(body);
      samples[index] = performance.now() - start;
    }
    const sorted = samples.toSorted();
    const at = (ratio: number) => sorted[Math.floor(ratio * DECISIONS)] ?? Number.NaN;
    rounds.push({ p50: at(0.5), p99: at(0.99) });
  };
  const middle = (pick: (round: Quantiles) => number) => median(rounds.slice(1).map(pick));
  return {
    contestant: { name, prepare: () => runAll },
    quantiles: () => ({ p50: middle(({ p50 }) => p50), p99: middle(({ p99 }) => p99) }),
  };
}

function describe(name: string, { p50, p99 }: Quantiles): string {
  return `${name.padEnd(24)} p50 ${(p50 * 1_000).toFixed(1)} µs, p99 ${(p99 * 1_000).toFixed(1)} µs`;
}
