// Check 7 of order-truth §10 beside the gate: what has left so far, and when waiting has become halting.
import { type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { MessageCounts } from '../../quoting/risk/risk-context.ts';
import { dayOf } from '../durable/fold/apply-risk.ts';
import { countWithin, type MessageLog } from '../durable/remembered.ts';
import { symbolsOf, type TraderState } from '../state/state.ts';
import { emit, haltSymbol, notice, type Turn } from '../state/turn.ts';

/**
 * Creates and cancels that have left, as of now. What seems to leave only later was noted by a clock that was set back
 * since: until the clocks are compared nothing is created, and then it is moved.
 */
export function messageCounts(messages: MessageLog, now: EpochMs): MessageCounts {
  const { recent, day, today } = messages;
  const [inSecond = 0, inMinute = 0] = [SECOND, MINUTE].map((ms) => countWithin(recent, now, ms));
  return { inSecond, inMinute, today: dayOf(now) > day ? 0 : today };
}

/** Whether the gate would let one more create leave. */
export function hasRoomForMessages(
  { settings, durable }: Pick<TraderState, 'settings' | 'durable'>,
  now: EpochMs,
): boolean {
  const { inSecond, inMinute, today } = messageCounts(durable.messages, now);
  const { maxPerSecond, maxPerMinute, maxPerDay } = settings.messageRate;
  return inSecond < maxPerSecond && inMinute < maxPerMinute && today < maxPerDay;
}

/** The gate made a create wait: minutes of that are counted, shorter waits only space requests. */
export function noteWithheld(state: TraderState, now: EpochMs): void {
  if (messageCounts(state.durable.messages, now).inMinute >= state.settings.messageRate.maxPerMinute)
    state.requests.createsWithheldAt = now;
}

/** After so many minutes in a row in which a create had to wait every symbol halts. */
const HALT_AFTER_MINUTES = 10;

/**
 * Writes down each minute in which creates had to wait, and halts every symbol when there were too many, or too many
 * messages today.
 */
export function watchMessageRate(turn: Turn): void {
  const { state, now } = turn;
  if (state.phase !== 'running') return;
  const { maxPerMinute, maxPerDay } = state.settings.messageRate;
  const { messages } = state.durable;
  const { today } = messageCounts(messages, now);
  if (today >= maxPerDay)
    return haltAll(turn, `${today} creates and cancels have left today; messageRate.maxPerDay is ${maxPerDay}.`);
  const at = state.requests.createsWithheldAt;
  state.requests.createsWithheldAt = null;
  if (at === null || (messages.throttled !== null && at < messages.throttled.at + MINUTE)) return;
  emit(turn, { type: 'creates-throttled', payload: { at } });
  const minutes = messages.throttled?.minutes ?? 0;
  const text =
    'creates have had to wait for room within messageRate.maxPerMinute ' +
    `(${maxPerMinute}) in ${minutes} minutes in a row`;
  notice(turn, { level: 'warn', op: 'creates-throttled', message: `${text[0]?.toUpperCase()}${text.slice(1)}.` });
  if (minutes >= HALT_AFTER_MINUTES) haltAll(turn, `${text}; the limit is ${HALT_AFTER_MINUTES}.`);
}

function haltAll(turn: Turn, reason: string): void {
  for (const symbol of symbolsOf(turn.state)) haltSymbol(turn, symbol, reason, 'message-rate');
}
