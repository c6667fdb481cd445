// Queues messages: selects the channels, applies their rates, and holds some back when the outbox is full.
import { MINUTE } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import { isGraver, type Message } from '../base/message.ts';
import {
  type ChannelRule,
  type ChannelState,
  changeChannel,
  type Delivery,
  deliveryKey,
  freshChannel,
  type Held,
  type NotifyState,
  type NotifyTurn,
  type Saying,
  UNTRIED,
} from './state.ts';

/** Most sentences of pages and all-clears quoted in a summary; the rest is counted. */
const SENTENCES_KEPT = 20;
const SENTENCE_LENGTH = 200;

/** Queues it for every channel that accepts it, except `but`. */
export function say(turn: NotifyTurn, saying: Saying, but: string | null = null): void {
  const taking = turn.rules.channels.filter((rule) => rule.name !== but && takes(rule, saying));
  if (taking.length === 0) return;
  const message = named(turn, saying);
  for (const rule of taking) admit(turn, rule, message);
}

/** An all-clear has the severity of its problem, so it goes to the same channels. */
export function takes({ from, only, except }: ChannelRule, { op, severity }: Pick<Saying, 'op' | 'severity'>): boolean {
  return !isGraver(from, severity) && (only === null || only.includes(op)) && !except.includes(op);
}

/** Gives the message its id. */
function named(turn: NotifyTurn, saying: Saying): Message {
  const { origin, next } = turn.state;
  turn.state = { ...turn.state, next: next + 1 };
  return { ...saying, id: `${origin}-${next}`, at: turn.now };
}

function admit(turn: NotifyTurn, rule: ChannelRule, message: Message): void {
  releaseHeld(turn, rule, 'by the rate');
  if (takeToken(turn, rule, message.severity === 'page'))
    enqueue(turn, rule, { channel: rule.name, message, ...UNTRIED });
  else hold(turn, rule, message);
}

/** Sends everything held back as one message, as soon as the rate and the outbox allow. */
export function releaseHeld(turn: NotifyTurn, rule: ChannelRule, when: 'by the rate' | 'whatever the rate'): void {
  const { held } = channelOf(turn, rule);
  const isFull = waitingFor(turn.state, rule.name).length >= turn.rules.mostWaiting;
  if (held === null || (when === 'by the rate' && (isFull || !takeToken(turn, rule, held.severity === 'page')))) return;
  changeChannel(turn, rule.name, { held: null });
  const { severity, since } = held;
  const op = 'held-back';
  const text = heldWords(held);
  enqueue(turn, rule, {
    channel: rule.name,
    message: named(turn, { kind: 'held-back', severity, op, symbol: null, since, text }),
    ...UNTRIED,
  });
}

function heldWords({ count, since, byOp, pages }: Held): string {
  const ops = Object.entries(byOp).map(([op, times]) => `${times} × ${op}`);
  return [`And ${count} more since ${timeText(since)}, held back: ${ops.join(', ')}.`, ...pages].join('\n');
}

/** Reserves a third of the rate for pages, so that a flood of lesser messages can't hold one back. */
function takeToken(turn: NotifyTurn, rule: ChannelRule, isPage: boolean): boolean {
  const { tokens, refilledAt } = channelOf(turn, rule);
  const elapsed = turn.now - refilledAt;
  const now = Math.min(rule.maxPerMinute, tokens + (elapsed * rule.maxPerMinute) / MINUTE);
  const kept = isPage ? 0 : Math.floor(rule.maxPerMinute / 3);
  if (now < 1 + kept) return false;
  changeChannel(turn, rule.name, { tokens: now - 1, refilledAt: turn.now });
  return true;
}

function hold(turn: NotifyTurn, rule: ChannelRule, { kind, severity, op, symbol, text }: Message): void {
  const before = channelOf(turn, rule).held;
  const sentence = `${symbol === null ? '' : `${symbol}: `}${text.replaceAll('\n', ' ')}`.slice(0, SENTENCE_LENGTH);
  const pages = before?.pages ?? [];
  // An all-clear is never repeated, so its sentence is kept.
  const isSaid = severity === 'page' || kind === 'all-clear';
  const held: Held = {
    count: (before?.count ?? 0) + 1,
    since: before?.since ?? turn.now,
    severity: before !== null && isGraver(before.severity, severity) ? before.severity : severity,
    byOp: { ...before?.byOp, [op]: (before?.byOp[op] ?? 0) + 1 },
    pages: isSaid && pages.length < SENTENCES_KEPT ? [...pages, sentence] : pages,
  };
  changeChannel(turn, rule.name, { held });
  turn.counted.push({ channel: rule.name, outcome: 'held-back' });
}

/** Messages already in the outbox (from another process, say) stay as they are. */
export function enqueue(turn: NotifyTurn, rule: ChannelRule, delivery: Delivery): void {
  waitOn(turn, delivery);
  const own = waitingFor(turn.state, rule.name);
  const least = own.length > turn.rules.mostWaiting ? leastOf(own) : undefined;
  if (least === undefined) return;
  forget(turn, least);
  hold(turn, rule, least.message);
}

export function waitOn(turn: NotifyTurn, delivery: Delivery): void {
  const waiting = new Map(turn.state.waiting).set(deliveryKey(delivery), delivery);
  turn.state = { ...turn.state, waiting };
}

/** In the order in which they are tried. */
export const waitingFor = ({ waiting }: NotifyState, name: string): readonly Delivery[] =>
  [...waiting.values()].filter(({ channel }) => channel === name);

/** The oldest of the least severe. */
const leastOf = (deliveries: readonly Delivery[]): Delivery | undefined =>
  deliveries.toSorted(({ message: one }, { message: other }) =>
    one.severity === other.severity ? one.at - other.at : isGraver(one.severity, other.severity) ? 1 : -1,
  )[0];

export function forget(turn: NotifyTurn, delivery: Delivery): void {
  const waiting = new Map(turn.state.waiting);
  waiting.delete(deliveryKey(delivery));
  turn.state = { ...turn.state, waiting };
}

function channelOf(turn: NotifyTurn, rule: ChannelRule): ChannelState {
  return turn.state.channels.get(rule.name) ?? freshChannel(rule, turn.now);
}
