// One contestant on one seed: six hours of a thin market in which most takers know the price a minute ahead.
import { play, type World } from '../../src/backtest/play.ts';
import { PAPER_ACCOUNT } from '../../src/bot/settings/derived.ts';
import { LATENT_STEP_MS, moveWalk, startWalk, walkPrice } from '../../src/crowd/synthetic.ts';
import { THIN_BOOK_FLOW } from '../../src/crowd/synthetic-settings.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import { reader } from '../../src/matching/engine.ts';
import type { TraderInput } from '../../src/trader/observe/observe.ts';
import { marketOf } from '../../src/trader/state/state.ts';
import { holdingOf, symbolTruth } from '../presence/market-truth.ts';
import { playSettingsOf, START_AT } from '../presence/play-settings.ts';
import { CONTESTANTS } from './contestants.ts';

export interface RunOrder {
  readonly contestant: string;
  readonly seed: number;
  readonly durationMs: DurationMs;
}

/** Money in INR, per hour where the name says it. */
export interface RunResult extends Pick<RunOrder, 'contestant' | 'seed'> {
  /** What the fills earned beside holding what was held at the start, after fees; withheld tax is its owner's. */
  readonly profitPerHour: number;
  /** Root mean square of what is held off the target, in INR. */
  readonly deviation: number;
  /** Mean distance of the innermost own orders from the middle of the others, in basis points. */
  readonly widthBps: number;
  readonly fillsPerHour: number;
  /** What fills lost to where the price was a minute later: the sum over those that lost. */
  readonly informedLossPerHour: number;
  /** Share of samples with orders on both sides. */
  readonly twoSided: number;
  /** 1 where a limit or a doubt had stopped it at the end. */
  readonly halts: number;
}

/** Livelier than what the paper exchange has by itself, so that who knows the price a minute ahead gains by it. */
export const WALK = {
  startPrice: 5_500_000,
  volatilityBpsPerSqrtSecond: 4,
  reversionPerSecond: 0,
  jumpsPerHour: 1,
  jumpBps: 60,
} as const;

const FIELD = {
  kind: 'played',
  file: 'field.example.yaml',
  symbols: 1,
  limit: { requests: 1, perMs: 2_500 },
  lists: null,
  trouble: 'none',
  market: WALK,
  // Room for some six orders a side: who does not watch the inventory has nothing left to sell, or to buy with.
  openingBalances: { INR: decimal(700_000), BTC: decimal('0.07') },
} as const;
const WARM_UP_MS = 5 * MINUTE;
const SAMPLE_MS = 10 * SECOND;
const EXTERNAL_EVERY_MS = 5 * SECOND;
const LEAD_MS = THIN_BOOK_FLOW.informedLeadMs;

export async function playRun({ contestant: name, seed, durationMs }: RunOrder): Promise<RunResult> {
  const contestant = CONTESTANTS.find((each) => each.name === name);
  if (contestant === undefined) throw new Error(`There is no contestant ${name}.`);
  const settings = await playSettingsOf(FIELD, { seed, durationMs });
  const [plain] = settings.trading.trader.runs;
  if (plain === undefined) throw new Error('The configuration has no run.');
  const run = contestant.change(plain);
  const { symbol } = run.instrument;
  const latent = latentOf(seed, symbol);
  const samples = createSamples(symbol, settings.paper.engine.assetDecimals, durationMs);
  const trading = { ...settings.trading, trader: { ...settings.trading.trader, runs: [run] } };
  const played = await play({
    ...settings,
    trading,
    watch: (world) => samples.watch(world),
    ...(contestant.isLed === true && {
      outside: async (tell, { clock, sleep }) => {
        for (; clock.now() < START_AT + durationMs; await sleep(EXTERNAL_EVERY_MS))
          tell(externalInput(symbol, latent(clock.now() + LEAD_MS), clock.now()));
      },
    }),
  });
  if (!played.ok) throw new Error(played.error);
  const rows = played.value.truth.flatMap(({ fills = [] }) => fills);
  const fills = rows
    .map((row) => ({
      ...{ sign: row.isBuyer ? 1 : -1, price: Number(row.price), quantity: Number(row.qty) },
      ...{ at: row.time, tds: Number(row.tds) },
    }))
    .filter(({ at }) => at >= START_AT + WARM_UP_MS && at < START_AT + durationMs);
  const hours = (durationMs - WARM_UP_MS) / HOUR;
  const edges = fills.map(({ sign, price, quantity, at }) => sign * (latent(at + LEAD_MS) - price) * quantity);
  const withheld = fills.reduce((sum, { tds }) => sum + tds, 0);
  return {
    ...{ contestant: name, seed },
    ...samples.result(),
    profitPerHour: (samples.profit() + withheld) / hours,
    fillsPerHour: fills.length / hours,
    informedLossPerHour: -edges.filter((edge) => edge < 0).reduce((sum, edge) => sum + edge, 0) / hours,
    halts: played.value.snapshot.symbols.filter(({ state }) => state === 'halted').length,
  };
}

function externalInput(symbol: string, price: number, at: EpochMs): TraderInput {
  const guards = {
    ...{ minimumSources: 1, staleMs: 60_000, widenAfterMs: 30_000, widenBpsPerSecond: 1 },
    ...{ widenBeyondBps: 50, stopBeyondBps: 500 },
  };
  const legs = [{ source: 'the price that leads', price: decimal(price.toFixed(2)), asOf: at }];
  return { kind: 'external-price', symbol, reading: { legs, missing: [], guards } };
}

/** The price that the informed know, at any moment up to their lead after the end: the crowd's own walk, once more. */
function latentOf(seed: number, symbol: string): (moment: EpochMs) => number {
  const settings = { kind: 'walk', ...WALK } as const;
  const walk = startWalk(settings, { seed, name: symbol, leadMs: 0 });
  const prices: number[] = [walkPrice(walk, settings, 0)];
  return (moment) => {
    const step = Math.max(0, Math.floor((moment - START_AT) / LATENT_STEP_MS));
    while (prices.length <= step) {
      moveWalk(walk, settings);
      prices.push(walkPrice(walk, settings, 0));
    }
    return prices[step] ?? Number.NaN;
  };
}

function createSamples(symbol: string, assetDecimals: number, durationMs: DurationMs) {
  let nextAt = START_AT + WARM_UP_MS;
  let first: Readonly<Record<'base' | 'quote', number>> | null = null;
  let last = { base: 0, quote: 0, mid: 0 };
  let [count, twoSided, squares, width] = [0, 0, 0, 0];
  return {
    watch({ exchange, trader, now }: World): void {
      if (now < nextAt || now > START_AT + durationMs) return;
      nextAt = now + SAMPLE_MS;
      const { instrument } = marketOf(trader, symbol).run;
      const reading = { market: reader(exchange.engine), account: PAPER_ACCOUNT };
      const { mid, orders } = symbolTruth(reading, instrument);
      if (mid === null) return;
      const [base = 0, quote = 0] = [instrument.base, instrument.quote].map((asset) => {
        const { free, locked } = holdingOf(reading, asset, assetDecimals);
        return free + locked;
      });
      first ??= { base, quote };
      last = { base, quote, mid };
      const target = 0.35 * (base + quote / mid);
      squares += ((base - target) * mid) ** 2;
      count += 1;
      const best = (side: 'buy' | 'sell'): number =>
        Math.min(...orders.filter((order) => order.side === side).map(({ price }) => Math.abs(price - mid)));
      const [bid, ask] = [best('buy'), best('sell')];
      if (!(Number.isFinite(bid) && Number.isFinite(ask))) return;
      twoSided += 1;
      width += ((bid + ask) / 2 / mid) * 10_000;
    },
    /** Against what was held at the start, at the prices of the end. */
    profit: (): number => (first === null ? 0 : last.quote - first.quote + (last.base - first.base) * last.mid),
    result: () => ({
      deviation: Math.sqrt(squares / Math.max(1, count)),
      widthBps: width / Math.max(1, twoSided),
      twoSided: twoSided / Math.max(1, count),
    }),
  };
}
