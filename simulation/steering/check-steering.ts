// K15: each order names its run's revision at its decision, and in a pause no order is placed.
import type { Checker } from '../checks/context.ts';

export function steeringChecks(): Checker {
  /** By symbol: the present revision. */
  const revisions = new Map<string, number>();
  /** Why the bot is paused, by its records; a session begins without a pause. */
  let paused: string | null = null;
  return {
    sent(context, { endpoint, intent }) {
      if (endpoint !== 'create' || paused === null || !context.isUp()) return;
      context.violated('K15', `The create of ${intent?.intentId ?? 'no intent'} left in a pause: ${paused}`);
    },
    recorded(context, { type, payload, seq }) {
      if (type === 'pause') paused = payload.reason === null ? null : String(payload.reason);
      if (type === 'session-started') paused = null;
      const on = revisions.get(String(payload.symbol)) ?? 0;
      if (type === 'run-revised') {
        revisions.set(String(payload.symbol), Number(payload.revision));
        if (payload.revision !== on + 1)
          context.violated('K15', `Record ${seq}: revision ${String(payload.revision)} comes after ${on}.`);
      }
      if (type !== 'intent') return;
      const { intentId, revision = 0 } = payload;
      if (revision !== on)
        context.violated('K15', `Intent ${String(intentId)} names revision ${String(revision)}, and ${on} is on.`);
      if (paused !== null) context.violated('K15', `Intent ${String(intentId)} was written in a pause: ${paused}`);
    },
  };
}
