// The time in which presence is judged: calm, after all that the faults left behind, while nothing holds the bot back.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import { createRefusalFold, type RefusalFold } from '../fold/refusals.ts';
import { createHearing, type Hearing } from '../hearing.ts';
import { reconciliationsMs, type Scene } from '../scene.ts';

/** What a lane may still be waiting for when the faults end: the longest pause that it takes by itself. */
const LONGEST_PAUSE_MS: DurationMs = 70 * SECOND;

/** With less than that counted a share tells nothing. */
export const LEAST_COUNTED_MS: DurationMs = 4 * MINUTE;

export interface CountedTime extends Pick<Hearing, 'answered' | 'recorded'> {
  /**
   * To be asked after each event: how much time has passed since the last sample, a second at least; null where none
   * is due.
   */
  passed(scene: Scene): DurationMs | null;
  /** Whether a symbol may well be without orders: what a person must act on, and rests that were earned. */
  mustWait(scene: Scene, symbol: string): boolean;
}

export function createCountedTime(): CountedTime {
  const hearings = [createHearing('private'), createHearing('public')];
  let refusals: RefusalFold | null = null;
  let sampledAt: EpochMs = Number.NEGATIVE_INFINITY;

  /**
   * After the last effect of a fault: lists have caught up, what was unknown is resolved, lanes are near their pace.
   */
  function readyAfter(scene: Scene): EpochMs {
    const patience = 2 * scene.settings.assumptions.readLagBoundMs + reconciliationsMs(scene) + LONGEST_PAUSE_MS;
    return Math.max(scene.calmSince(), ...hearings.flatMap((lane) => [lane.since(), lane.fastSince()])) + patience;
  }

  return {
    answered(scene, message) {
      for (const hearing of hearings) hearing.answered(scene, message);
      refusals ??= createRefusalFold(scene.settings);
      refusals.answered(message);
    },
    recorded(scene, told) {
      for (const hearing of hearings) hearing.recorded(scene, told);
      const symbol = scene.claims.intents.get(String(told.payload.intentId))?.symbol ?? '';
      refusals ??= createRefusalFold(scene.settings);
      refusals.recorded(told, symbol);
    },
    passed(scene) {
      const ms = scene.now() - sampledAt;
      if (ms < SECOND) return null;
      sampledAt = scene.now();
      if (scene.phase() !== 'calm' || !scene.isUp() || ms > MINUTE) return null;
      return scene.now() < readyAfter(scene) || hearings.some((lane) => lane.isHeldBack(scene)) ? null : ms;
    },
    mustWait(scene, symbol) {
      const { claims, settings } = scene;
      // A create that was refused and placed all the same is answered by a rest of its symbol, from when it is found.
      const breachedAt = claims.breaches.get(symbol) ?? Number.NEGATIVE_INFINITY;
      return (
        scene.latchedSince() !== null ||
        claims.differences.size > 0 ||
        claims.halts.has(symbol) ||
        isListCut(scene) ||
        scene.now() < breachedAt + settings.rejectPauseMs ||
        scene.now() + scene.clockError() < (refusals?.of(symbol).restUntil ?? 0)
      );
    },
  };
}

/** Levels of both sides, and some of their orders that leave. */
const OWN_ORDERS = 8;

/**
 * Whether the account has so many orders in one of the markets that with the bot's no list shows all of them: nothing is
 * placed there by such lists, nor after a maintenance in any market, before all of them are known again.
 */
function isListCut(scene: Scene): boolean {
  const { openOrdersCap } = scene.exchange().controls.quirks;
  if (openOrdersCap === null) return false;
  const others = scene.oracle.live().filter(({ maker }) => maker.kind !== 'bot');
  return scene.settings.runs.some(
    ({ instrument }) =>
      others.filter(({ symbol }) => symbol === instrument.symbol).length + OWN_ORDERS >= openOrdersCap,
  );
}
