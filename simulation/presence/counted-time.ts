// The time in which presence is judged: calm, after all effects of faults, while nothing holds the bot back.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { type CheckContext, reconciliationsMs } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { createLaneHealth, type LaneHealth } from '../checks/lane-health.ts';
import { isLocked } from '../fold/journal-locks.ts';
import { isListCut } from './list-cut.ts';

/** How long a lane may still wait when the faults end: its longest pause. */
const LONGEST_PAUSE_MS: DurationMs = 70 * SECOND;

/** The exchange's answer in maintenance; the code may be text. */
const MAINTENANCE = /"code":\s*"?-1125\b/;

/** With less counted time a share means nothing. */
export const LEAST_COUNTED_MS: DurationMs = 4 * MINUTE;

export interface CountedTime extends Pick<LaneHealth, 'answered' | 'recorded'> {
  /**
   * Call after each event: the time since the last sample, at least a second. None may be due yet, and it may not
   * count.
   */
  passed(context: CheckContext): DurationMs | 'none due' | 'not counted';
  /** Whether a symbol may be without orders: a person must act, or it rests after refusals. */
  mustWait(context: CheckContext, symbol: string, isHalted?: boolean): boolean;
}

export function createCountedTime(): CountedTime {
  const lanes = [createLaneHealth('private'), createLaneHealth('public')];
  /** By symbol: successive refused creates, and until when it may rest for them, by the bot's clock. */
  const refused = new Map<string, { readonly inARow: number; readonly restUntil: EpochMs }>();
  /** A maintenance was answered since the bot's last start. */
  let wasMaintained = false;
  let sampledAt: EpochMs = Number.NEGATIVE_INFINITY;

  /**
   * The last fault's effects are over: lists have caught up, unknown orders are resolved, lanes are near their pace.
   */
  function readyAfter(context: CheckContext): EpochMs {
    const patience = 2 * context.settings.assumptions.readLagBoundMs + reconciliationsMs(context) + LONGEST_PAUSE_MS;
    return Math.max(context.calmSince(), ...lanes.flatMap((lane) => [lane.since(), lane.fastSince()])) + patience;
  }

  function answeredCreate({ journal, settings }: CheckContext, { intentId, outcome, at }: Told['payload']): void {
    const symbol = journal.intents.get(String(intentId))?.symbol ?? '';
    const { inARow, restUntil } = refused.get(symbol) ?? { inARow: 0, restUntil: 0 };
    if (outcome === 'accepted') refused.set(symbol, { inARow: 0, restUntil });
    if (outcome !== 'rejected' && outcome !== 'soft-rejected') return;
    const rests = inARow + 1 >= settings.maxConsecutiveRejects;
    const until = rests ? Number(at) + settings.rejectPauseMs : restUntil;
    refused.set(symbol, { inARow: inARow + 1, restUntil: until });
  }

  return {
    answered(context, message) {
      for (const health of lanes) health.answered(context, message);
      if (MAINTENANCE.test(message.text)) wasMaintained = true;
    },
    recorded(context, told) {
      if (told.type === 'session-started') wasMaintained = false;
      for (const health of lanes) health.recorded(context, told);
      if (told.type === 'create-outcome') answeredCreate(context, told.payload);
    },
    passed(context) {
      const ms = context.now() - sampledAt;
      if (ms < SECOND) return 'none due';
      sampledAt = context.now();
      if (context.phase() !== 'calm' || !context.isUp() || ms > MINUTE) return 'not counted';
      const isHeldBack = context.now() < readyAfter(context) || lanes.some((lane) => lane.isHeldBack(context));
      return isHeldBack ? 'not counted' : ms;
    },
    mustWait(context, symbol, isHalted = context.journal.halts.has(symbol)) {
      const { journal, settings } = context;
      // Rests follow the bot's clock, which stops while its machine is suspended.
      const botNow = context.now() + context.clockError();
      // After a maintenance nothing is placed anywhere before the orders of all markets are known again.
      const symbols = wasMaintained ? settings.runs.map(({ instrument }) => instrument.symbol) : [symbol];
      // The journal is older than the account: a person says whose the orders are before anything is placed anywhere,
      // also in a market that was added since.
      const isStale = [...journal.halts.values()].some(({ code }) => code === 'journal-stale');
      return (
        context.latchedSince() !== null ||
        isStale ||
        journal.differences.size > 0 ||
        isHalted ||
        isLocked(journal, symbol, null) ||
        symbols.some((each) => isListCut(context, each)) ||
        botNow < (refused.get(symbol)?.restUntil ?? 0)
      );
    },
  };
}
