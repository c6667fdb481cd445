// P2: the engine with accounts, fees, tax, self-trade check, string ids and events, on the stream of P1.
import { decimal } from '../src/domain/decimal.ts';
import { applyCommand, createEngine, type EngineState, validateState } from '../src/matching/engine.ts';
import type { EngineCommand, EngineEvent, EngineSettings, Lots, Ticks } from '../src/matching/types.ts';
import { type BenchResult, type Contestant, measureInTurn, ratioLines } from './measure.ts';
import { FillChecksum, type Operation, type OrderStream, orderStream } from './order-stream.ts';
import { peerBook } from './peer-book.ts';

const COUNT = 1_000_000;
const SEED = 20_250_101;
const SYMBOL = 'BTC/INR';
/** Who rests. The taker is another, and never rests, so that no order is refused as a self-trade. */
const MAKERS = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay', 'gus', 'hal'];
const TAKER = 'tom';

const SETTINGS: EngineSettings = {
  instruments: [
    {
      symbol: SYMBOL,
      base: 'BTC',
      quote: 'INR',
      tickSize: decimal('100'),
      lotSize: decimal('0.00001'),
      minNotional: decimal('10'),
    },
  ],
  assetDecimals: 8,
  makerFeeRatio: decimal('0.00472'),
  takerFeeRatio: decimal('0.00472'),
  tdsRatio: decimal('0.01'),
  rounding: 'half-up',
  buyerFeeAsset: 'quote',
  selfTrade: 'reject',
  crossing: 'takes',
  firstOrderNumber: 0n,
  firstTradeNumber: 0n,
};

export async function run(): Promise<BenchResult> {
  const lines: string[] = [];
  for (const resting of [400, 4_000]) {
    const stream = orderStream(resting, COUNT, SEED);
    const contestants = [engine(stream), peerBook(stream)];
    const measurements = await measureInTurn({ contestants, rounds: 5, sameOutput: true });
    lines.push(`about ${resting} resting orders, ${stream.fills} fills, same fills in the same order:`);
    lines.push(...ratioLines(measurements, COUNT));
  }
  return { title: 'P2 engine with accounts, fees, tax, self-trade check, string ids, events', lines };
}

function engine({ opening, operations }: OrderStream): Contestant {
  const last = [...opening, ...operations].reduce((most, { order }) => Math.max(most, order), 0);
  const ids = Array.from({ length: last + 1 }, (_, order) => `1-${order}-1`);
  return {
    name: 'engine',
    prepare: () => {
      const checksum = new FillChecksum();
      const state = replay(fundedEngine(), { operations: opening, ids, checksum });
      validateState(state);
      return () => {
        replay(state, { operations, ids, checksum });
        return checksum.value();
      };
    },
  };
}

function fundedEngine(): EngineState {
  let state = createEngine(SETTINGS);
  for (const account of [...MAKERS, TAKER]) {
    state = applyCommand(state, { kind: 'open-account', account, unlimited: false }, 0).state;
    for (const asset of ['BTC', 'INR']) {
      state = applyCommand(state, { kind: 'post', postings: [{ account, asset, amount: 10n ** 24n }] }, 0).state;
    }
  }
  return state;
}

interface Replay {
  readonly operations: readonly Operation[];
  readonly ids: readonly string[];
  readonly checksum: FillChecksum;
}

function replay(start: EngineState, { operations, ids, checksum }: Replay): EngineState {
  let state = start;
  for (const [index, operation] of operations.entries()) {
    const result = applyCommand(state, commandOf(operation, ids), index);
    state = result.state;
    addFills(checksum, result.events);
  }
  return state;
}

function commandOf({ kind, order, side, price, quantity }: Operation, ids: readonly string[]): EngineCommand {
  const account = kind === 'marketable' ? TAKER : (MAKERS[order % MAKERS.length] ?? TAKER);
  if (kind === 'cancel') return { kind, account, orderId: ids[order] ?? '' };
  return { kind: 'create', account, symbol: SYMBOL, side, price: price as Ticks, quantity: quantity as Lots };
}

function addFills(checksum: FillChecksum, events: readonly EngineEvent[]): void {
  for (const event of events) {
    if (event.kind === 'refused') throw new Error(event.detail);
    if (event.kind !== 'trade') continue;
    const { takerOrderId, makerOrderId, quantity } = event.trade;
    checksum.add(numberOf(takerOrderId), numberOf(makerOrderId), quantity);
  }
}

const numberOf = (orderId: string): number => Number(orderId.slice(2, -2));
