// Small recordings for the tape crowd, and what the engine shows while they are played.
import { createTapeCrowd, type TapeCrowdState } from '../../../src/crowd/tape-crowd.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Side } from '../../../src/domain/order.ts';
import { tapeOf } from '../../../src/tape/compact-tape.ts';
import type { TapeBook, TapeLevel, TapeRow, TapeTrade } from '../../../src/tape/types.ts';
import { BOT, BTC_INR, newEngine, type PlayedMarket, playMarket, tradesOf } from './played-market.ts';

export const ANY_SIZE: Instrument = { ...BTC_INR, minNotional: decimal(0) };
export const { symbol } = ANY_SIZE;
const TAPE_START_US = 1_723_161_600_000_000;

export type Pair = readonly [price: number, quantity: number];

/** Pairs, or prices and quantities as text: `100 5, 99 7`. */
export type Levels = readonly Pair[] | string;

function levels(given: Levels): TapeLevel[] {
  const pairs = typeof given === 'string' ? given.split(', ').map((level) => level.split(' ').map(Number)) : given;
  return pairs.map(([priceTicks = 0, quantityLots = 0]) => ({ priceTicks, quantityLots }));
}

/** Rows are timed in milliseconds after the tape's start. */
export function book(ms: number, bids: Levels, asks: Levels): TapeBook {
  const at = TAPE_START_US + ms * 1_000;
  return { kind: 'book', at, bids: levels(bids), asks: levels(asks) };
}

export function trade(ms: number, takerSide: Side, [priceTicks, quantityLots]: Pair): TapeTrade {
  const at = TAPE_START_US + ms * 1_000;
  return { kind: 'trade', at, takerSide, priceTicks, quantityLots };
}

export function playTape(rows: readonly TapeRow[], cancelAheadRatio = 0.5): PlayedMarket<TapeCrowdState> {
  return playMarket(
    createTapeCrowd({ tapes: [tapeOf(ANY_SIZE, rows)], cancelAheadRatio, loop: false }),
    newEngine([ANY_SIZE]),
  );
}

/** What stands at a price in order of priority: `crowd 5`, `bot 2`. */
export function queueAt({ market }: PlayedMarket<unknown>, side: Side, price: number): string[] {
  return market.queue(symbol, side, price as never).map((order) => `${order.account} ${order.remaining}`);
}

export function sideOf({ market }: PlayedMarket<unknown>, side: Side): Pair[] {
  return market.levels(symbol, side, 1_000).map((level) => [level.price, level.quantity]);
}

/** The same as text. */
export const shown = (played: PlayedMarket<unknown>, side: Side): string =>
  sideOf(played, side)
    .map((pair) => pair.join(' '))
    .join(', ');

export function botFills({ events }: PlayedMarket<unknown>): string[] {
  return tradesOf(events)
    .filter((fill) => fill.makerAccount === BOT || fill.takerAccount === BOT)
    .map((fill) => `${fill.makerAccount === BOT ? 'maker' : 'taker'} ${fill.quantity} @ ${fill.price}`);
}
