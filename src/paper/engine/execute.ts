// One command, and what it sets off among the orders that wait outside the book.
import type { EpochMs } from '../../domain/time.ts';
import type { EngineCommand, EngineEvent } from '../../matching/types.ts';
import type { ExchangeState } from '../state/state.ts';
import { engineStep } from './engine-step.ts';
import { cancelWaiting, runWaiting } from './waiting-orders.ts';

/** Applies a command at the venue's time `at` (at the latest moment known, if that is later) and records its events. */
export function execute(state: ExchangeState, command: EngineCommand, at: EpochMs): readonly EngineEvent[] {
  state.lastAt = Math.max(state.lastAt, at);
  return executeAsOf(state, command, state.lastAt);
}

/** The same for what happened at `at`, however long ago, and is told only now. */
export function executeAsOf(state: ExchangeState, command: EngineCommand, at: EpochMs): readonly EngineEvent[] {
  if (state.backOffice.waiting.size === 0) return engineStep(state, command, at);
  const canceled = cancelWaiting(state, command);
  const isDone = command.kind === 'cancel' && canceled.length > 0;
  const events = isDone ? [] : engineStep(state, command, at);
  runWaiting(state, events);
  return [...canceled, ...events];
}
