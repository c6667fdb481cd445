// Liveness and secrecy (order-truth §8, L1–L6, P5, X1): after the faults the bot works again or says why not, and it tells no secret.
import { type DurationMs, MINUTE, SECOND } from '../domain/time.ts';
import type { Checker, Scene } from './scene.ts';

/** What a lane may still be waiting for when the faults end: the longest pause that it ever takes. */
const LONGEST_PAUSE_MS: DurationMs = 70 * SECOND;
/** Of the samples in which the bot ran, at least so many with an order on the book; a slot rests a lag bound long after each order. */
const LEAST_UPTIME_RATIO = 0.7;
const LEAST_UPTIME_LAGGING_RATIO = 0.5;
const MOST_CLOSED = 5_000;
/** What a signature looks like; hashes do too. */
const HEXADECIMAL = /[0-9a-f]{64}/gi;

export function livenessChecks(): Checker {
  let quotedInCalm = false;
  let samples = 0;
  let withOrders = 0;
  let lastSentAt: number | null = null;

  const readyAfter = (scene: Scene): number => {
    const { assumptions, ageLimits, rejectPauseMs } = scene.settings;
    const reconciliations = assumptions.readLagBoundMs + 2 * ageLimits.reconciledMs + assumptions.resolutionDeadlineMs;
    return scene.calmSince() + reconciliations + rejectPauseMs + LONGEST_PAUSE_MS;
  };
  const mustWait = (scene: Scene): boolean =>
    scene.excused('silence') || scene.claims.halts.size > 0 || scene.claims.differences.size > 0;

  return {
    sent(scene) {
      const now = scene.now();
      if (
        lastSentAt !== null &&
        scene.phase() === 'calm' &&
        lastSentAt > readyAfter(scene) &&
        now - lastSentAt > Math.max(10 * SECOND, scene.settings.polling.bookMs)
      ) {
        if (!mustWait(scene))
          scene.violated('L2', `Nothing was asked for ${((now - lastSentAt) / SECOND).toFixed(1)} s.`);
      }
      lastSentAt = now;
    },
    recorded(scene, told) {
      if (told.type === 'symbol-halted' || told.type === 'difference') {
        scene.counters.add(told.type === 'difference' ? 'difference' : 'symbol halted');
        const what = JSON.stringify(told.payload).slice(0, 300);
        if (scene.faultFree()) scene.violated('L4', `Without a fault: ${told.type} ${what}`);
        else if (!scene.excused('halt') && !scene.excused('outside'))
          scene.violated('L4', `Needless: ${told.type} ${what}`);
      }
    },
    noticed(scene, notice) {
      // Afterwards the latch is set, to look at the stopped bot once more.
      if (scene.faultFree() && notice.level === 'page' && scene.phase() !== 'afterwards')
        scene.violated('L4', `Without a fault: ${notice.op}: ${notice.message}`);
    },
    sampled(scene) {
      const trader = scene.trader();
      if (trader === null) return;
      if (trader.durable.closed.size > MOST_CLOSED)
        scene.violated('P5', `${trader.durable.closed.size} closed intents are kept.`);
      const orders = scene.oracle.live().some(({ maker }) => maker.kind === 'bot');
      samples += 1;
      if (orders) withOrders += 1;
      if (scene.phase() === 'calm' && orders) quotedInCalm = true;
      if (scene.phase() === 'calm' && scene.now() > readyAfter(scene) + MINUTE && !quotedInCalm && !mustWait(scene)) {
        scene.violated('L1', 'The faults are over, nothing is halted, and no order has been placed since.');
      }
    },
    crashed: () => {
      lastSentAt = null;
    },
    atRest(scene) {
      const lags = scene.settings.assumptions.readLagBoundMs > MINUTE;
      const least = lags ? LEAST_UPTIME_LAGGING_RATIO : LEAST_UPTIME_RATIO;
      if (scene.faultFree() && samples > 0 && withOrders / samples < least) {
        const percent = ((100 * withOrders) / samples).toFixed(0);
        scene.violated('L6', `Without a fault an order was on the book for ${percent} % of the time.`);
      }
    },
  };
}

/** X1: neither key nor secret nor any signature that was sent is told by journal or notice. */
export function secrecyChecks(secrets: readonly string[]): Checker {
  const signatures = new Set<string>();
  const scan = (scene: Scene, where: string, text: string): void => {
    const told =
      secrets.some((secret) => text.includes(secret)) || text.match(HEXADECIMAL)?.some((word) => signatures.has(word));
    if (told) scene.violated('X1', `A secret is in ${where}.`);
  };
  return {
    sent: (_scene, { query }) => {
      const signature = query.get('signature');
      if (signature !== null) signatures.add(signature);
    },
    recorded: (scene, told, record) => scan(scene, `journal record ${told.seq} (${told.type})`, record.payload),
    noticed: (scene, notice) => scan(scene, `the notice ${notice.op}`, notice.message),
  };
}
