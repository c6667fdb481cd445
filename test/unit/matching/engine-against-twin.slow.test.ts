// The engine and its slow twin are told the same random commands and must tell the same story, to the last unit.
//
// A failure prints seed, path and the shrunk market. TWIN_RUNS says how many markets; TWIN_SEED repeats a printed seed.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Asset } from '../../../src/domain/instrument.ts';
import {
  applyCommand,
  createEngine,
  type EngineState,
  reader,
  restore,
  snapshot,
  validateState,
} from '../../../src/matching/engine.ts';
import type { EngineCommand, EngineEvent, EngineSettings } from '../../../src/matching/types.ts';
import {
  ACCOUNTS,
  ASSETS,
  commandsOf,
  type MarketSketch,
  market,
  openingOf,
  type Step,
  SYMBOLS,
  settingsOf,
} from './market-arbitraries.ts';
import { INTERNAL_ACCOUNTS, Twin } from './twin.ts';

const RUNS = Number(process.env.TWIN_RUNS ?? 1_000);
const SEED = process.env.TWIN_SEED;
const DEEP = 1_000;
/** How often each event was met in all markets together. */
const met = new Map<string, number>();

interface Pair {
  readonly settings: EngineSettings;
  readonly twin: Twin;
  state: EngineState;
  now: number;
  /** What was credited of each asset, less what was taken away. */
  readonly credited: Map<Asset, bigint>;
  /** Everything told so far, compared once more at the end: an event must not change after it was told. */
  readonly told: { command: EngineCommand; engine: readonly EngineEvent[]; twin: readonly EngineEvent[] }[];
}

function play(sketch: MarketSketch): void {
  const settings = settingsOf(sketch.settings);
  const pair: Pair = {
    settings,
    twin: new Twin(settings),
    state: createEngine(settings),
    now: 1_700_000_000_000,
    credited: new Map(),
    told: [],
  };
  for (const command of openingOf(sketch)) tell(pair, command);
  compareMarkets(pair, 'the opening');
  for (const [index, step] of sketch.steps.entries()) take(pair, step, index);
  for (const { command, engine, twin } of pair.told) sameEvents(command, engine, twin);
}

function take(pair: Pair, step: Step, index: number): void {
  if (index % 2 === 0) pair.now += index;
  if (step.kind === 'restart') restart(pair);
  for (const command of commandsOf(step, pair.twin, pair.settings)) tell(pair, command);
  compareMarkets(pair, `step ${index}, ${fc.stringify(step)}`);
}

/** The process ends, and starts from what it had written. */
function restart(pair: Pair): void {
  const written = snapshot(pair.state);
  pair.state = restore(pair.settings, structuredClone(written));
  same('snapshot after restore', snapshot(pair.state), written);
}

function tell(pair: Pair, command: EngineCommand): void {
  const { state, events } = applyCommand(pair.state, command, pair.now);
  const expected = pair.twin.apply(command, pair.now);
  pair.state = state;
  sameEvents(command, events, expected);
  pair.told.push({ command, engine: events, twin: expected });
  const credits = command.kind === 'post' ? command.postings : [];
  for (const { asset, amount } of events.length === 0 ? credits : []) {
    pair.credited.set(asset, (pair.credited.get(asset) ?? 0n) + amount);
  }
  for (const event of expected) {
    const name = event.kind === 'refused' ? event.reason : event.kind;
    met.set(name, (met.get(name) ?? 0) + 1);
  }
}

function sameEvents(command: EngineCommand, engine: readonly EngineEvent[], twin: readonly EngineEvent[]): void {
  const told = (event: EngineEvent) => comparable(command, event);
  same(`events of ${fc.stringify(command)}`, engine.map(told), twin.map(told));
}

/**
 * The text of a refusal is free; so is which of two reasons refuses a `reduce` of a bad quantity of an unknown order.
 */
function comparable(command: EngineCommand, event: EngineEvent): unknown {
  if (event.kind !== 'refused') return event;
  const { kind, reason } = event;
  if (command.kind !== 'reduce' || reason === 'unknown-account') return { kind, reason };
  const isBad = !Number.isSafeInteger(command.by) || command.by <= 0;
  return isBad ? { kind } : { kind, reason };
}

function compareMarkets(pair: Pair, where: string): void {
  const { state, twin } = pair;
  validateState(state);
  const seen = reader(state);
  for (const asset of ASSETS) {
    let total = 0n;
    for (const account of [...ACCOUNTS, ...INTERNAL_ACCOUNTS]) {
      const balance = seen.balance(account, asset);
      same(`${asset} of ${account} after ${where}`, balance, twin.balance(account, asset));
      total += balance.free + balance.locked;
    }
    same(`total of ${asset} after ${where}`, total, pair.credited.get(asset) ?? 0n);
  }
  for (const account of ACCOUNTS) {
    same(`orders of ${account} after ${where}`, seen.ordersOf(account), twin.ordersOf(account));
  }
  for (const { orderId } of twin.issued) {
    const open = twin.openOrders().find((order) => order.orderId === orderId);
    same(`order ${orderId} after ${where}`, seen.order(orderId), open);
  }
  for (const symbol of SYMBOLS) compareBooks(pair, symbol, where);
}

function compareBooks({ state, twin }: Pair, symbol: string, where: string): void {
  const seen = reader(state);
  same(`last trade of ${symbol} after ${where}`, seen.lastTrade(symbol), twin.lastTrade(symbol));
  for (const account of ACCOUNTS) {
    same(`${symbol} of ${account} after ${where}`, seen.ordersOf(account, symbol), twin.ordersOf(account, symbol));
  }
  for (const side of ['buy', 'sell'] as const) {
    const levels = twin.levels(symbol, side);
    same(`${side} levels of ${symbol} after ${where}`, seen.levels(symbol, side, DEEP), levels);
    same(`two ${side} levels of ${symbol} after ${where}`, seen.levels(symbol, side, 2), levels.slice(0, 2));
    same(`best ${side} of ${symbol} after ${where}`, seen.best(symbol, side), levels[0]);
    for (const { price } of levels) {
      const queue = twin.queue(symbol, side, price);
      same(`${side} queue of ${symbol} at ${price} after ${where}`, seen.queue(symbol, side, price), queue);
    }
  }
}

function same(what: string, engine: unknown, twin: unknown): void {
  if (isDeepStrictEqual(engine, twin)) return;
  throw new Error(`Engine and twin differ in ${what}.\nengine: ${fc.stringify(engine)}\ntwin:   ${fc.stringify(twin)}`);
}

const EVERY_KIND = [
  ...[
    'accepted',
    'numbered',
    'trade',
    'canceled',
    'unknown-account',
    'unknown-symbol',
    'unknown-order',
    'insufficient-funds',
  ],
  ...['below-min-notional', 'invalid-price', 'invalid-quantity', 'would-cross', 'self-trade'],
];

describe('engine against its twin', () => {
  test(`tells the same story in ${RUNS} random markets, which meet every kind of event`, () => {
    fc.assert(fc.property(market, play), {
      numRuns: RUNS,
      ...(SEED === undefined ? {} : { seed: Number(SEED) }),
    });
    const isMet = (name: string): boolean => (met.get(name) ?? 0) > RUNS / 100;
    expect(EVERY_KIND.filter((name) => !isMet(name))).toEqual([]);
  });
});
