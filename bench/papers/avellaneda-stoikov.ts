// The experiment of Avellaneda & Stoikov (2008), section 3.3: a market maker for a day, a thousand times, who leans
// against inventory, beside one who quotes the same mean spread around the mid price.
import { chance, exponential, normal, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { avellanedaStoikov } from '../../src/models/avellaneda-stoikov.ts';
import { deviationOf, type Figure, type Line, meanOf, ratioOf } from './verdict.ts';

export interface Experiment {
  readonly mid: number;
  readonly sigma: number;
  readonly gamma: number;
  readonly k: number;
  readonly a: number;
  readonly dt: number;
  readonly runs: number;
  readonly seed: string;
}

interface Day {
  readonly profit: number;
  readonly inventory: number;
  readonly meanSpread: number;
}

type Distances = (inventory: number, timeLeft: number) => { readonly bid: number; readonly ask: number };

const END = 1;

/**
 * The paper's recipe: in each step each side fills with probability λ·dt taken literally, and the mid moves by ±σ√dt.
 */
function stepDay(experiment: Experiment, distances: Distances, stream: RandomStream): Day {
  const { mid, sigma, dt } = experiment;
  const steps = Math.round(END / dt);
  let [price, cash, inventory, spreads] = [mid, 0, 0, 0];
  for (let step = 0; step < steps; step += 1) {
    const { bid, ask } = distances(inventory, END - step * dt);
    spreads += bid + ask;
    const [bought, sold] = [bid, ask].map((distance) => chance(stream, Math.min(1, rate(experiment, distance) * dt)));
    if (bought) [cash, inventory] = [cash - (price - bid), inventory + 1];
    if (sold) [cash, inventory] = [cash + price + ask, inventory - 1];
    price += chance(stream, 0.5) ? sigma * Math.sqrt(dt) : -sigma * Math.sqrt(dt);
  }
  return { profit: cash + inventory * price, inventory, meanSpread: spreads / steps };
}

/**
 * Takers come one at a time, and the mid is a Brownian motion between them: the truth that the steps approximate.
 * Distances are linear in time between fills, so that the highest rate of a side until the end is that of now or of the
 * end: candidates come at that rate, and are fills with the share that the true rate has in it (thinning, exact).
 */
function eventDay(experiment: Experiment, distances: Distances, stream: RandomStream): Day {
  const { mid, sigma } = experiment;
  const rateAt = (distance: number): number => rate(experiment, distance);
  let [price, cash, inventory, now, spreads] = [mid, 0, 0, 0, 0];
  for (;;) {
    const [early, late] = [distances(inventory, END - now), distances(inventory, 0)];
    const mostBuys = rateAt(Math.min(early.bid, late.bid));
    const mostSells = rateAt(Math.min(early.ask, late.ask));
    const wait = Math.min(exponential(stream, 1 / (mostBuys + mostSells)), END - now);
    price += sigma * Math.sqrt(wait) * normal(stream);
    now += wait;
    const { bid, ask } = distances(inventory, END - now);
    spreads += ((early.bid + early.ask + bid + ask) / 2) * wait;
    if (now >= END) return { profit: cash + inventory * price, inventory, meanSpread: spreads / END };
    const drawn = uniform(stream) * (mostBuys + mostSells);
    if (drawn < rateAt(bid)) [cash, inventory] = [cash - (price - bid), inventory + 1];
    else if (drawn >= mostBuys && drawn < mostBuys + rateAt(ask))
      [cash, inventory] = [cash + price + ask, inventory - 1];
  }
}

const rate = ({ a, k }: Experiment, distance: number): number => a * Math.exp(-k * distance);

/** Published with 1000 runs: its own errors are those of as many. */
interface Published {
  readonly spread: number;
  readonly profit: readonly [mean: number, sd: number];
  readonly inventory: readonly [mean: number, sd: number];
}

const PUBLISHED_RUNS = 1_000;

/** Table 1 of the paper, γ = 0.1 with its other parameters. */
const TABLE: Readonly<Record<'inventory' | 'symmetric', Published>> = {
  inventory: { spread: 1.49, profit: [65.0, 6.6], inventory: [0.08, 2.9] },
  symmetric: { spread: 1.49, profit: [68.4, 12.7], inventory: [0.26, 8.4] },
};

const PAPER = { mid: 100, sigma: 2, gamma: 0.1, k: 1.5, a: 140, dt: 0.005 };

export function experimentLines(experiment: Experiment): Line[] {
  const isPaper = Object.entries(PAPER).every(([name, value]) => experiment[name as keyof typeof PAPER] === value);
  const leaning: Distances = (inventory, timeLeft) => {
    const { mid, gamma, sigma, k } = experiment;
    const { bid, ask } = avellanedaStoikov({ mid, inventory, gamma, sigma, k, timeLeft });
    return { bid: mid - bid, ask: ask - mid };
  };
  const play = (day: typeof stepDay, distances: Distances, name: string): Day[] =>
    Array.from({ length: experiment.runs }, (_, run) =>
      day(experiment, distances, randomStream(`${experiment.seed}-${run}`, name)),
    );
  const inventory = play(stepDay, leaning, 'steps');
  const half = meanOf(inventory.map(({ meanSpread }) => meanSpread)).value / 2;
  const around: Distances = () => ({ bid: half, ask: half });
  const symmetric = play(stepDay, around, 'steps');
  // Without steps there is a mean spread of its own: linear in the time left, so that of half of it.
  const between = leaning(0, END / 2);
  const events = play(eventDay, leaning, 'events');
  const symmetricEvents = play(eventDay, () => between, 'symmetric events');
  return [
    ...tableOf('inventory strategy', inventory, isPaper ? TABLE.inventory : null),
    ...tableOf('symmetric strategy', symmetric, isPaper ? TABLE.symmetric : null),
    ...tableOf('inventory strategy, event by event', events, null),
    deviationRatio('inventory strategy, event by event', events, inventory),
    ...tableOf('symmetric strategy, event by event', symmetricEvents, null),
    deviationRatio('symmetric strategy, event by event', symmetricEvents, symmetric),
  ];
}

/** What a step of the paper that fills once at most takes from the risk. */
function deviationRatio(name: string, events: readonly Day[], steps: readonly Day[]): Line {
  const ofProfit = (days: readonly Day[]) => deviationOf(days.map(({ profit }) => profit));
  return {
    name: `${name}: sd of profit, to the paper's recipe`,
    published: null,
    measured: ratioOf(ofProfit(events), ofProfit(steps)),
    digits: 2,
  };
}

function tableOf(name: string, days: readonly Day[], published: Published | null): Line[] {
  const profits = days.map(({ profit }) => profit);
  const inventories = days.map(({ inventory }) => inventory);
  const spread = meanOf(days.map(({ meanSpread }) => meanSpread));
  const mean = (pair: readonly [number, number] | undefined): Figure | null =>
    pair === undefined ? null : { value: pair[0], error: pair[1] / Math.sqrt(PUBLISHED_RUNS) };
  // Of a nearly normal quantity the sd is known to sd/√(2n); half a digit of rounding comes on top.
  const sd = (pair: readonly [number, number] | undefined): Figure | null =>
    pair === undefined ? null : { value: pair[1], error: Math.hypot(pair[1] / Math.sqrt(2 * PUBLISHED_RUNS), ROUNDED) };
  const line = (what: string, published: Figure | null, measured: Figure): Line => ({
    ...{ name: `${name}: ${what}`, published, measured, digits: 2 },
  });
  return [
    line('spread', published && { value: published.spread, error: ROUNDED / 10 }, spread),
    line('profit', mean(published?.profit), meanOf(profits)),
    line('profit, sd', sd(published?.profit), deviationOf(profits)),
    line('final inventory', mean(published?.inventory), meanOf(inventories)),
    line('final inventory, sd', sd(published?.inventory), deviationOf(inventories)),
  ];
}

/** Of a number with one digit behind the point. */
const ROUNDED = 0.1 / Math.sqrt(12);
