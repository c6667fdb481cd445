// R2 outside of calm: a create without an answer ends, or a person is called, even while faults continue. Only time in
// which the bot could act counts: reads are answered, the bot runs, and no person has been called yet.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { TraderSettings } from '../../src/trader/state/settings.ts';
import { type Answered, type CheckContext, type Checker, isPrivate, type Outgoing } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';

/** Slack for one turn of the lane, or of the person. */
const SLACK_MS: DurationMs = MINUTE;
/** After this long without an answered read, the time does not count. */
const LONGEST_GAP_MS: DurationMs = MINUTE;
/** A slow lane needs this many turns for a proof, twice for a fence, and once more. */
const LEAST_TURNS = 60;

interface Waiting {
  /** The start of the bound, and how many private requests had left by then. */
  from: EpochMs;
  turns: number;
}

export function unknownChecks(): Checker {
  const waiting = new Map<string, Waiting>();
  let readAt: EpochMs = 0;
  let turns = 0;

  function judge(context: CheckContext, intent: JournalIntent): void {
    const since = waiting.get(intent.intentId);
    if (since === undefined) return;
    const ms = context.now() - Math.max(since.from, intent.horizon - context.clockError());
    context.counters.add(`unknown for ${Math.floor((10 * ms) / boundMs(context.settings)) * 10} % of its bound`);
    if (ms <= boundMs(context.settings) || turns - since.turns < LEAST_TURNS) return;
    context.violated(
      'R2',
      `Intent ${intent.intentId} has been ${intent.state} for ${(ms / SECOND).toFixed(0)} s in which reads were ` +
        'answered, and nobody was called.',
    );
  }

  return {
    sent(_scene, message) {
      if (isPrivate(message)) turns += 1;
    },
    answered(context, message) {
      if (!isRead(message)) return;
      if (context.now() - readAt > gapMs(context.settings)) waiting.clear();
      readAt = context.now();
    },
    recorded(_scene, { type }) {
      if (type === 'session-started') waiting.clear();
    },
    sampled(context) {
      const { journal } = context;
      const isLooking = context.isUp() && context.canWrite() && context.now() - readAt <= gapMs(context.settings);
      if (!isLooking || journal.differences.size > 0 || context.latchedSince() !== null) return waiting.clear();
      const open = new Set<string>();
      for (const intent of journal.live.values()) {
        if (intent.state !== 'unknown' && intent.state !== 'soft-rejected') continue;
        if (journal.halts.has(intent.symbol)) continue;
        open.add(intent.intentId);
        if (!waiting.has(intent.intentId)) waiting.set(intent.intentId, { from: context.now(), turns });
        judge(context, intent);
      }
      for (const intentId of waiting.keys()) if (!open.has(intentId)) waiting.delete(intentId);
    },
    crashed: () => waiting.clear(),
  };
}

/** The bot's own time for proof starts over after such a gap. */
function gapMs({ assumptions, requestsPerSecond }: TraderSettings): DurationMs {
  const patience = Math.min(LONGEST_GAP_MS, assumptions.resolutionDeadlineMs / 4);
  return Math.max(patience, (4 * SECOND) / requestsPerSecond.private);
}

/**
 * From the horizon: the lag of the lists, and the deadline; both again if a fence is awaited first; and the deadline
 * again where the wallet's locks leave it open.
 */
function boundMs({ assumptions, foreignOrders }: TraderSettings): DurationMs {
  const { readLagBoundMs, resolutionDeadlineMs } = assumptions;
  const proofMs = readLagBoundMs + resolutionDeadlineMs;
  return (foreignOrders === 'refuse' ? 2 : 1) * proofMs + resolutionDeadlineMs + readLagBoundMs + SLACK_MS;
}

const WRITES: ReadonlySet<Outgoing['endpoint']> = new Set(['create', 'cancel', 'cancel-symbol', 'cancel-all']);

function isRead(message: Answered): boolean {
  if (message.status !== 200 || !isPrivate(message) || WRITES.has(message.endpoint)) return false;
  return message.text.startsWith('[') || message.text.startsWith('{');
}
