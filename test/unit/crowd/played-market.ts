// The real engine with a crowd in it, played in virtual time.
import type { Crowd } from '../../../src/crowd/types.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Side } from '../../../src/domain/order.ts';
import type { EpochMs } from '../../../src/domain/time.ts';
import { applyCommand, createEngine, type EngineState, reader } from '../../../src/matching/engine.ts';
import type {
  EngineCommand,
  EngineEvent,
  EngineSettings,
  EngineTrade,
  Lots,
  Ticks,
} from '../../../src/matching/types.ts';
import { stepsAtMost } from '../steps-at-most.ts';

export const START_AT: EpochMs = 1_700_000_000_000;
export const BOT = 'bot';

export const BTC_INR: Instrument = {
  symbol: 'BTC/INR',
  base: 'BTC',
  quote: 'INR',
  tickSize: decimal('1'),
  lotSize: decimal('0.00001'),
  minNotional: decimal('100'),
};

export function newEngine(instruments: readonly Instrument[], rules: Partial<EngineSettings> = {}): EngineState {
  const engine = createEngine({
    instruments,
    assetDecimals: 8,
    makerFeeRatio: decimal('0'),
    takerFeeRatio: decimal('0'),
    tdsRatio: decimal('0'),
    rounding: 'half-up',
    buyerFeeAsset: 'quote',
    selfTrade: 'reject',
    crossing: 'takes',
    firstOrderNumber: 1n,
    firstTradeNumber: 1n,
    ...rules,
  });
  applyCommand(engine, { kind: 'open-account', account: BOT, unlimited: true }, START_AT);
  return engine;
}

export interface PlayedMarket<State> {
  readonly engine: EngineState;
  readonly market: ReturnType<typeof reader>;
  state: State;
  /** Everything the crowd sent, and everything that came of all commands. */
  readonly commands: EngineCommand[];
  readonly events: EngineEvent[];
  /** Plays every step that is due at `until`; returns how many. */
  playUntil(until: EpochMs): number;
  /** Plays so many steps; fewer where the crowd ends. */
  playSteps(count: number): number;
  /** Sends a command that is not the crowd's. */
  send(command: EngineCommand, at: EpochMs): readonly EngineEvent[];
}

/** Starts at START_AT, or goes on from a saved state of crowd and engine. */
export function playMarket<State>(
  crowd: Crowd<State>,
  engine: EngineState,
  saved: State = crowd.start(START_AT),
): PlayedMarket<State> {
  const market = reader(engine);
  const played: PlayedMarket<State> = {
    engine,
    market,
    state: saved,
    commands: [],
    events: [],
    playUntil,
    playSteps,
    send,
  };
  return played;

  function send(command: EngineCommand, at: EpochMs): readonly EngineEvent[] {
    const { events } = applyCommand(engine, command, at);
    played.events.push(...events);
    return events;
  }
  function stepAt(at: EpochMs): void {
    const { state, commands } = crowd.step(played.state, market, at);
    played.state = state;
    for (const command of commands) {
      played.commands.push(command);
      send(command, at);
    }
  }
  function playUntil(until: EpochMs): number {
    let steps = 0;
    const bound = stepsAtMost(1_000_000);
    for (let at = crowd.nextAt(played.state); at !== null && at <= until; at = crowd.nextAt(played.state)) {
      bound();
      stepAt(at);
      steps += 1;
    }
    return steps;
  }
  function playSteps(count: number): number {
    let steps = 0;
    for (let at = crowd.nextAt(played.state); at !== null && steps < count; at = crowd.nextAt(played.state)) {
      stepAt(at);
      steps += 1;
    }
    return steps;
  }
}

export function botOrder(
  symbol: string,
  side: Side,
  { price, quantity }: { price: number; quantity: number },
): EngineCommand {
  return { kind: 'create', account: BOT, symbol, side, price: price as Ticks, quantity: quantity as Lots };
}

export function tradesOf(events: readonly EngineEvent[]): EngineTrade[] {
  return events.flatMap((event) => (event.kind === 'trade' ? [event.trade] : []));
}

export function refusalsOf(events: readonly EngineEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'refused' ? [event.detail] : []));
}
