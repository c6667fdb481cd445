// Why the bot is paused as its records say; a session begins without a pause.
import type { Told } from '../checks/journal-model.ts';

export interface Pauses {
  recorded(told: Told): void;
  /** Null while nothing is paused. */
  why(): string | null;
}

export function createPauses(): Pauses {
  let why: string | null = null;
  return {
    recorded({ type, payload }) {
      if (type === 'paused') why = String(payload.reason);
      if (type === 'resumed' || type === 'session-started') why = null;
    },
    why: () => why,
  };
}
