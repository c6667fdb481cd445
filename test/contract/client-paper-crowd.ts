// A crowd that does what the test tells it, at the next request: the others in the market without chance.
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, type Crowd, OPEN_CROWD_ACCOUNTS } from '../../src/crowd/types.ts';
import type { EngineCommand, Lots, Ticks } from '../../src/matching/types.ts';
import { ENGINE } from './client-paper-market.ts';
import { orderOf } from './client-paper-words.ts';

export interface PromptedCrowd extends Crowd {
  /** Rests `SELL 0.50000 @ 5000000.00 BTC/INR` in the book. */
  rests(...orders: readonly string[]): void;
  /** Sends the same as an order that takes what it meets and drops its rest. */
  takes(...orders: readonly string[]): void;
}

export function promptedCrowd(): PromptedCrowd {
  const waiting: EngineCommand[] = [...OPEN_CROWD_ACCOUNTS];
  return {
    rests: (...orders) => void waiting.push(...orders.map((order) => commandOf(order, false))),
    takes: (...orders) => void waiting.push(...orders.map((order) => commandOf(order, true))),
    start: (startAt) => startAt,
    // Long due: it acts at the next request or tick, whichever comes first. A test may always tell it more: it has no
    // end.
    nextAt: () => (waiting.length > 0 ? 0 : Number.POSITIVE_INFINITY),
    step: (state) => ({ state, commands: waiting.splice(0) }),
  };
}

function commandOf(text: string, immediateOrCancel: boolean): EngineCommand {
  const { symbol, side, price, quantity } = orderOf(text);
  const instrument = ENGINE.instruments.find((each) => each.symbol === symbol);
  if (instrument === undefined) throw new Error(`${symbol} is not traded in this meeting.`);
  const ticks = price.div(instrument.tickSize).toNumber() as Ticks;
  const lots = quantity.div(instrument.lotSize).toNumber() as Lots;
  if (!Number.isInteger(ticks) || !Number.isInteger(lots)) throw new Error(`${text} is off the steps of ${symbol}.`);
  const account = immediateOrCancel ? CROWD_TAKER_ACCOUNT : CROWD_ACCOUNT;
  return { kind: 'create', account, symbol, side, price: ticks, quantity: lots, immediateOrCancel };
}
