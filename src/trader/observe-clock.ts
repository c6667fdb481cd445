// The exchange's clock, and whether ours was set since the session before: what was noted then stands by another clock.
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import type { Intent } from './intent.ts';
import { symbolsOf, type TraderState } from './state.ts';
import { emit, notice, type Turn } from './turn.ts';

export interface KnownClock {
  /** The exchange's clock less ours. */
  readonly offsetMs: DurationMs;
  readonly uncertaintyMs: DurationMs;
}

export function observeClock(turn: Turn, { offsetMs, uncertaintyMs }: KnownClock): void {
  const { state } = turn;
  state.clock = { offsetMs, uncertaintyMs };
  if (state.clockCompared) return;
  state.clockCompared = true;
  // Nothing private leaves before the clock is known: every order that may be live is of a session before.
  const [newest] = [...state.durable.intents.values()].toSorted((a, b) => b.timestamp - a.timestamp);
  if (newest === undefined) return;
  const byMs = Math.round(leftAt(newest, offsetMs) - newest.sentAt);
  // Below this it is the estimates that differ: the one that stamped the create, and this one.
  if (Math.abs(byMs) <= state.settings.assumptions.maxClockUncertaintyMs + uncertaintyMs) return;
  emit(turn, { type: 'clock-moved', payload: { byMs, startedAt: state.startedAt, at: turn.now } });
  moveHorizons(state);
  const message = `The clock of this machine was set by ${(byMs / SECOND).toFixed(0)} s since the last session: what is known of orders goes by the exchange's.`;
  notice(turn, { level: 'warn', op: 'clock-moved', message });
}

/** When its create left, by our clock as it is now: the stamp is in the exchange's time. */
const leftAt = ({ timestamp }: Intent, offsetMs: DurationMs): EpochMs => timestamp - offsetMs;

function moveHorizons(state: TraderState): void {
  for (const symbol of symbolsOf(state)) {
    const horizons = [...state.durable.intents.values()]
      .filter((intent) => intent.symbol === symbol)
      .map(({ horizon }) => horizon);
    if (horizons.length > 0) state.lastHorizon.set(symbol, Math.max(...horizons));
  }
}
