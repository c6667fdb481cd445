// Whether the exchange really holds another sum than is booked: what nobody has told the bot of it has to look for, and
// until then it quotes nothing. That it finds it in time is M10's.
import type { EpochMs } from '../../src/domain/time.ts';
import type { Told } from '../checks/claims.ts';
import type { Scene } from '../checks/scene.ts';
import { keptAssets, trueTotal } from '../checks/unbooked.ts';
import { createLedgerTotals } from '../proofs/ledger-totals.ts';

export interface BookedGap {
  recorded(scene: Scene, told: Told): void;
  /** Looks whether there is one now; to be called every few seconds. */
  look(scene: Scene): void;
  /** Whether there has been one for longer than a list may trail, as of the last look. */
  stands(scene: Scene): boolean;
}

export function createBookedGap(): BookedGap {
  const ledger = createLedgerTotals();
  let since: EpochMs | null = null;
  const isOff = (scene: Scene): boolean =>
    ledger.isOpened() &&
    [...keptAssets(scene)].some((asset) => !trueTotal(scene, asset).eq(ledger.totals.get(asset) ?? 0));

  return {
    recorded: (scene, told) => void ledger.recorded(told, scene.now()),
    look(scene) {
      since = isOff(scene) ? (since ?? scene.now()) : null;
    },
    stands: (scene) => since !== null && scene.now() - since > scene.settings.assumptions.readLagBoundMs,
  };
}
