// The time in which presence is judged: calm, after all that the faults left behind, while nothing holds the bot back.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { createLaneHealth, type LaneHealth } from '../checks/lane-health.ts';
import { reconciliationsMs, type Scene } from '../checks/scene.ts';
import { createRefusalFold, type RefusalFold } from '../fold/refusals.ts';
import { isListCut } from './list-cut.ts';

/** What a lane may still be waiting for when the faults end: the longest pause that it takes by itself. */
const LONGEST_PAUSE_MS: DurationMs = 70 * SECOND;

/** How the exchange says so; it may answer the code as text. */
const MAINTENANCE = /"code":\s*"?-1125\b/;

/** With less than that counted a share tells nothing. */
export const LEAST_COUNTED_MS: DurationMs = 4 * MINUTE;

export interface CountedTime extends Pick<LaneHealth, 'answered' | 'recorded'> {
  /**
   * To be asked after each event: how much time has passed since the last sample, a second at least; null where none
   * is due.
   */
  passed(scene: Scene): DurationMs | null;
  /** Whether a symbol may well be without orders: what a person must act on, and rests that were earned. */
  mustWait(scene: Scene, symbol: string): boolean;
}

export function createCountedTime(): CountedTime {
  const lanes = [createLaneHealth('private'), createLaneHealth('public')];
  let refusals: RefusalFold | null = null;
  /** A maintenance was answered since the bot's last start. */
  let wasMaintained = false;
  let sampledAt: EpochMs = Number.NEGATIVE_INFINITY;

  /**
   * After the last effect of a fault: lists have caught up, what was unknown is resolved, lanes are near their pace.
   */
  function readyAfter(scene: Scene): EpochMs {
    const patience = 2 * scene.settings.assumptions.readLagBoundMs + reconciliationsMs(scene) + LONGEST_PAUSE_MS;
    return Math.max(scene.calmSince(), ...lanes.flatMap((lane) => [lane.since(), lane.fastSince()])) + patience;
  }

  return {
    answered(scene, message) {
      for (const health of lanes) health.answered(scene, message);
      refusals ??= createRefusalFold(scene.settings);
      refusals.answered(message);
      if (MAINTENANCE.test(message.text)) wasMaintained = true;
    },
    recorded(scene, told) {
      if (told.type === 'session-started') wasMaintained = false;
      for (const health of lanes) health.recorded(scene, told);
      const symbol = scene.claims.intents.get(String(told.payload.intentId))?.symbol ?? '';
      refusals ??= createRefusalFold(scene.settings);
      refusals.recorded(told, symbol);
    },
    passed(scene) {
      const ms = scene.now() - sampledAt;
      if (ms < SECOND) return null;
      sampledAt = scene.now();
      if (scene.phase() !== 'calm' || !scene.isUp() || ms > MINUTE) return null;
      return scene.now() < readyAfter(scene) || lanes.some((lane) => lane.isHeldBack(scene)) ? null : ms;
    },
    mustWait(scene, symbol) {
      const { claims, settings } = scene;
      // A create that was refused and placed all the same is answered by a rest of its symbol, from when it is found.
      const breachedAt = claims.breaches.get(symbol) ?? Number.NEGATIVE_INFINITY;
      // After a maintenance nothing is placed anywhere before the orders of all markets are known again.
      const symbols = wasMaintained ? settings.runs.map(({ instrument }) => instrument.symbol) : [symbol];
      return (
        scene.latchedSince() !== null ||
        claims.differences.size > 0 ||
        claims.halts.has(symbol) ||
        symbols.some((each) => isListCut(scene, each)) ||
        scene.now() < breachedAt + settings.rejectPauseMs ||
        scene.now() + scene.clockError() < (refusals?.of(symbol).restUntil ?? 0)
      );
    },
  };
}
