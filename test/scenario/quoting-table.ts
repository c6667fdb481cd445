// Runs scenarios of quoting written as text. One command per line; what must come of it stands behind the arrow:
//
//   market    tick 1  lot 0.0001  notional 100        steps of BTC/INR
//   book      4999000 | 5001000                       best bid and ask of others; their middle is the reference price
//   hold      0.02 BTC  100000 INR                    what is held, all of it free
//   free      0.01 BTC  50000 INR                     what of it is free, where orders lock the rest
//   costs     fee 0.40  gst 18  tds 1  years 1  interest 10       in percent; the tax comes back after some years
//   want      fixed-spread  halfSpreadBps 20  orderSize "1000"    strategy and parameters, values as in JSON
//   set       inventorySkew.multiplier 1              one setting of the pipeline
//   limit     maxInventoryBase 11.5                   one limit that the pipeline keeps to
//   refresh   priceToleranceBps 5                     one setting of the difference
//   live      buy:0 0.01 @ 4990000 60s pending        an own order, how old it is, and whether its fate is unknown
//   quote     → buy 0.01 @ 4990000 | no sell: Why not.
//   why       sell:0 cost floor → 0.01 @ 5010000 becomes 0.01 @ 5026000
//   diff      → cancel sell:0 | create buy:0 0.01 @ 4990000
import { expect, test } from '@jest/globals';
import { type Decimal, decimal, ONE, ZERO } from '../../src/domain/decimal.ts';
import { intentId } from '../../src/domain/ids.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { type Quote, slotOf } from '../../src/domain/order.ts';
import type { OrderBook } from '../../src/domain/order-book.ts';
import { effectiveTaxRatio } from '../../src/quoting/costs.ts';
import { inventoryTargetOf } from '../../src/quoting/inventory.ts';
import type { LiveOrder } from '../../src/quoting/live-order.ts';
import { type Action, diffQuotes } from '../../src/quoting/moves/diff.ts';
import { diffSettingsSchema } from '../../src/quoting/moves/refresh-settings.ts';
import type { QuotingInput } from '../../src/quoting/pipeline/draft.ts';
import { restingLimits } from '../../src/quoting/pipeline/guards.ts';
import { computeQuotes, type QuotingResult } from '../../src/quoting/pipeline/pipeline.ts';
import { quotingSettingsSchema } from '../../src/quoting/quoting-settings.ts';
import { referencePrice } from '../../src/quoting/reference-price.ts';
import { type Costs, type Holding, type MarketView, NO_KNOWLEDGE, type Strategy } from '../../src/quoting/strategy.ts';
import { loadStrategy } from '../../strategies/index.ts';

const NOW = 1_000_000_000;

interface World {
  readonly instrument: Instrument;
  readonly book: OrderBook;
  readonly base: Holding;
  readonly quote: Holding;
  readonly costs: Costs;
  readonly strategy: Strategy | null;
  readonly params: unknown;
  readonly settings: Record<string, Record<string, unknown>>;
  readonly limits: NonNullable<QuotingInput['limits']>;
  readonly refresh: Record<string, unknown>;
  readonly live: readonly LiveOrder[];
}

const START: World = {
  instrument: {
    symbol: 'BTC/INR',
    base: 'BTC',
    quote: 'INR',
    tickSize: decimal('1'),
    lotSize: decimal('0.0001'),
    minNotional: decimal('100'),
  },
  book: { bids: [], asks: [] },
  base: { asset: 'BTC', total: ZERO, free: ZERO },
  quote: { asset: 'INR', total: ZERO, free: ZERO },
  costs: { makerFeeRatio: ZERO, takerFeeRatio: ZERO, tdsRatio: ZERO, effectiveTaxRatio: ZERO },
  strategy: null,
  params: undefined,
  settings: {},
  limits: {},
  refresh: {},
  live: [],
};

/** A test that plays the lines of a text in order. Lines that begin with # are for the reader. */
export function scenario(name: string, text: string): void {
  test(name, async () => {
    let world = START;
    let checks = 0;
    for (const line of text.split('\n').map((raw) => raw.trim())) {
      if (line === '' || line.startsWith('#')) continue;
      const [command = '', expected] = line.split('→').map((part) => part.trim());
      if (expected === undefined) {
        world = await change(world, command);
      } else {
        expect(`${command} → ${answer(world, command)}`).toBe(`${command} → ${expected}`);
        checks += 1;
      }
    }
    expect(checks).toBeGreaterThan(0);
  });
}

async function change(world: World, line: string): Promise<World> {
  const [command, ...words] = line.split(/\s+/);
  const [first = '', second = '', third = '', fourth = ''] = words;
  switch (command) {
    case 'market':
      return { ...world, instrument: { ...world.instrument, ...stepsOf(pairs(words)) } };
    case 'book':
      return { ...world, book: { bids: [level(first)], asks: [level(third)] } };
    case 'hold':
      return {
        ...world,
        base: { asset: second, total: decimal(first), free: decimal(first) },
        quote: { asset: fourth, total: decimal(third), free: decimal(third) },
      };
    case 'free':
      return {
        ...world,
        base: { ...world.base, free: decimal(first) },
        quote: { ...world.quote, free: decimal(third) },
      };
    case 'limit':
      return { ...world, limits: { ...world.limits, [first]: decimal(second) } };
    case 'costs':
      return { ...world, costs: costsOf(pairs(words)) };
    case 'want':
      return { ...world, ...(await strategyOf(first, words.slice(1))) };
    case 'set': {
      const [group = '', key = ''] = first.split('.');
      return { ...world, settings: { ...world.settings, [group]: { ...world.settings[group], [key]: read(second) } } };
    }
    case 'refresh':
      return { ...world, refresh: { ...world.refresh, [first]: read(second) } };
    case 'live':
      return { ...world, live: [...world.live, liveOrder(words)] };
    default:
      throw new Error(`There is no command "${command}".`);
  }
}

function answer(world: World, line: string): string {
  const [command, slot, ...words] = line.split(/\s+/);
  const input = inputOf(world);
  const result = computeQuotes(input);
  switch (command) {
    case 'quote':
      return quotesText(result);
    case 'why': {
      const step = result.explain.find((one) => one.slot === slot && one.name === words.join(' '));
      return step === undefined ? 'nothing' : `${step.before} becomes ${step.after}`;
    }
    case 'diff': {
      const facts = {
        now: NOW,
        instrument: world.instrument,
        referencePrice: input.view.referencePrice,
        travelBps: 0,
        restingLimits: restingLimits(input.view, input.settings.guard),
      };
      const actions = diffQuotes(result.quotes, world.live, diffSettingsSchema.parse(world.refresh), facts);
      return actions.map(actionText).join(' | ');
    }
    default:
      throw new Error(`There is no question "${command}".`);
  }
}

function inputOf(world: World): QuotingInput {
  const { instrument, book, base, quote, costs, strategy, params, limits, live } = world;
  if (strategy === null) throw new Error('The scenario wants no strategy.');
  const settings = { timeZone: 'UTC', ...quotingSettingsSchema.parse(world.settings) };
  const middle = referencePrice(book, 'mid') ?? ZERO;
  const held = { base, quote, referencePrice: middle };
  const view: MarketView = {
    ...NO_KNOWLEDGE,
    symbol: instrument.symbol,
    instrument,
    now: NOW,
    book,
    bookSentAt: NOW,
    referencePrice: middle,
    base,
    quote,
    inventoryTarget: inventoryTargetOf(held, settings.inventory.targetRatio),
    costs,
  };
  return { strategy, params, view, settings, limits, live };
}

function quotesText({ quotes, noQuote }: QuotingResult): string {
  const parts = quotes.map((quote) => `${quote.side} ${sizeAtPrice(quote)}`);
  if (noQuote.buy !== null) parts.unshift(`no buy: ${noQuote.buy}`);
  if (noQuote.sell !== null) parts.push(`no sell: ${noQuote.sell}`);
  return parts.join(' | ');
}

function actionText(action: Action): string {
  const text = `${action.kind} ${action.slot}`;
  return action.kind === 'create' ? `${text} ${sizeAtPrice(action.quote)}` : text;
}

const sizeAtPrice = ({ quantity, price }: Quote): string => `${quantity.toFixed()} @ ${price.toFixed()}`;

const level = (price: string) => ({ price: decimal(price), quantity: decimal('1') });

function pairs(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : [])));
}

function stepsOf(steps: ReadonlyMap<string, string>): Partial<Instrument> {
  const step = (name: string): Decimal => decimal(steps.get(name) ?? '1');
  return { tickSize: step('tick'), lotSize: step('lot'), minNotional: step('notional') };
}

function costsOf(percents: ReadonlyMap<string, string>): Costs {
  const ratio = (name: string): Decimal => decimal(percents.get(name) ?? '0').div(100);
  const fee = ratio('fee').mul(ratio('gst').add(1));
  const tax = effectiveTaxRatio({
    tdsRatio: ratio('tds'),
    treatment: 'credit',
    recoverableRatio: ONE.div(ONE.add(ratio('interest')).pow(percents.get('years') ?? '0')),
  });
  return { makerFeeRatio: fee, takerFeeRatio: fee, tdsRatio: ratio('tds'), effectiveTaxRatio: tax };
}

async function strategyOf(name: string, words: readonly string[]): Promise<Pick<World, 'strategy' | 'params'>> {
  const loaded = await loadStrategy(name);
  if (!loaded.ok) throw new Error(loaded.error);
  const written = Object.fromEntries([...pairs(words)].map(([key, value]) => [key, read(value)]));
  return { strategy: loaded.value, params: loaded.value.params.parse(written) };
}

function liveOrder([slot = '', quantity = '', , price = '', age = '', status]: readonly string[]): LiveOrder {
  const [name, levelText] = slot.split(':');
  const side = name === 'buy' ? 'buy' : 'sell';
  return {
    intentId: intentId(slot),
    slot: slotOf({ side, level: Number(levelText) }),
    side,
    price: decimal(price),
    quantity: decimal(quantity),
    remaining: decimal(quantity),
    sentAt: NOW - Number.parseInt(age, 10) * 1_000,
    status: status === 'pending' ? 'pending' : 'open',
  };
}

/** A value as in JSON; what is none is text. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
