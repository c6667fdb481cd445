// Runs a table of commands and expected results against the engine, checking every invariant after each line.
//
//   ann opens limited          → -
//   ann gets 1000 INR          → -
//   ann buys 5 @ 100           → accepted 1-1-1
//   bob sells 2 @ 99           → accepted 1-2-1 | trade 2 @ 100 ann 1-1-1 bob 1-2-1
//   ann reduces 1-1-1 by 1     → -
//   balance ann INR            → 600 free, 200 locked
//   book                       → bids 100x2 asks -
//   queue buy 100              → 1-1-1:2
//   ann cancels 1-1-1          → canceled 1-1-1 with 2
//
// `buys 5 ETH/INR @ 100` names another instrument, `ioc` makes the order immediate-or-cancel, `of ann` passes
// over orders of others, and `cancels all` and `cancels BTC/INR` cancel many. Text after # is a remark.
import { expect } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Side } from '../../../src/domain/order.ts';
import { applyCommand, createEngine, type EngineState, reader, validateState } from '../../../src/matching/engine.ts';
import type {
  EngineCommand,
  EngineEvent,
  EngineSettings,
  Lots,
  MarketReader,
  Ticks,
} from '../../../src/matching/types.ts';

export const BTC_INR = {
  symbol: 'BTC/INR',
  base: 'BTC',
  quote: 'INR',
  tickSize: decimal(1),
  lotSize: decimal(1),
  minNotional: decimal(0),
};

/** One unit is one whole coin, nothing costs anything: what a test is about is what it overrides. */
export const PLAIN: EngineSettings = {
  instruments: [BTC_INR, { ...BTC_INR, symbol: 'ETH/INR', base: 'ETH' }],
  assetDecimals: 0,
  makerFeeRatio: decimal(0),
  takerFeeRatio: decimal(0),
  tdsRatio: decimal(0),
  rounding: 'half-up',
  buyerFeeAsset: 'quote',
  selfTrade: 'allow',
  crossing: 'takes',
  firstOrderNumber: 1n,
  firstTradeNumber: 1n,
};

/** An engine with the settings, where ann, bob and cat have accounts that may go below zero. */
export function engineWith(overrides: Partial<EngineSettings> = {}): EngineState {
  const state = createEngine({ ...PLAIN, ...overrides });
  for (const account of ['ann', 'bob', 'cat'])
    applyCommand(state, { kind: 'open-account', account, unlimited: true }, 0);
  return state;
}

/** Runs the lines; the clock counts them from 1. */
export function expectScript(state: EngineState, script: string): void {
  const lines = script.split('\n').map((line) => line.replace(/#.*/, '').trim());
  for (const [index, line] of lines.filter((text) => text !== '').entries()) {
    const [command = '', expected = ''] = line.split('→').map((part) => part.trim());
    const result = answer(state, command, index + 1);
    expect(`${command} → ${result}`).toBe(`${command} → ${expected}`);
    validateState(state);
  }
}

/** What the engine answers to one line. */
export function answer(state: EngineState, line: string, now: number): string {
  const question = line.split(/\s+/);
  const read = readAnswer(reader(state), question);
  if (read !== undefined) return read;
  const { events } = applyCommand(state, commandOf(question), now);
  return events.length === 0 ? '-' : events.map(describeEvent).join(' | ');
}

function readAnswer(market: MarketReader, [what, first = '', second = '']: readonly string[]): string | undefined {
  if (what === 'balance') {
    const { free, locked } = market.balance(first, second);
    return `${free} free, ${locked} locked`;
  }
  if (what === 'book') return `bids ${sideText(market, 'buy')} asks ${sideText(market, 'sell')}`;
  if (what === 'queue') {
    const orders = market.queue('BTC/INR', sideOf(first), Number(second) as Ticks);
    return orders.map(({ orderId, remaining }) => `${orderId}:${remaining}`).join(' ') || '-';
  }
  if (what === 'orders')
    return (
      market
        .ordersOf(first, second || undefined)
        .map(({ orderId }) => orderId)
        .join(' ') || '-'
    );
  return undefined;
}

function sideText(market: MarketReader, side: Side): string {
  const levels = market.levels('BTC/INR', side, 50);
  return levels.map(({ price, quantity }) => `${price}x${quantity}`).join(' ') || '-';
}

const sideOf = (word: string): Side => (word.startsWith('buy') ? 'buy' : 'sell');

function commandOf([account = '', verb = '', ...rest]: readonly string[]): EngineCommand {
  const [first = '', second = '', third = ''] = rest;
  switch (verb) {
    case 'opens':
      return { kind: 'open-account', account, unlimited: first === 'unlimited' };
    case 'gets':
      return { kind: 'post', postings: [{ account, asset: second, amount: BigInt(first) }] };
    case 'buys':
    case 'sells':
      return createOf(account, verb, rest);
    case 'numbers':
      return { kind: 'take-number', account };
    case 'reduces':
      return { kind: 'reduce', account, orderId: first, by: Number(third) as Lots };
    case 'requeues':
      return { kind: 'requeue', account, orderId: first };
    case 'cancels':
      if (first === 'all') return { kind: 'cancel-all', account };
      return first.includes('/')
        ? { kind: 'cancel-symbol', account, symbol: first }
        : { kind: 'cancel', account, orderId: first };
    default:
      throw new Error(`The script has no verb ${verb}.`);
  }
}

function createOf(account: string, verb: string, words: readonly string[]): EngineCommand {
  const symbol = words.find((word) => word.includes('/')) ?? 'BTC/INR';
  const price = Number(words[words.indexOf('@') + 1]) as Ticks;
  const order = { account, symbol, side: sideOf(verb), price, quantity: Number(words[0]) as Lots };
  const orderId = words[words.indexOf('as') + 1];
  return {
    kind: 'create',
    ...order,
    ...(words.includes('ioc') ? { immediateOrCancel: true } : {}),
    ...(words.includes('as') && orderId !== undefined ? { orderId } : {}),
  };
}

function describeEvent(event: EngineEvent): string {
  switch (event.kind) {
    case 'accepted':
      return `accepted ${event.order.orderId}`;
    case 'refused':
      return `refused ${event.reason}`;
    case 'numbered':
      return `numbered ${event.orderId}`;
    case 'canceled':
      return `canceled ${event.orderId} with ${event.remaining}`;
    case 'trade': {
      const { price, quantity, makerAccount, makerOrderId, takerAccount, takerOrderId } = event.trade;
      return `trade ${quantity} @ ${price} ${makerAccount} ${makerOrderId} ${takerAccount} ${takerOrderId}`;
    }
  }
}
