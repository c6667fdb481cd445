// A notifier in virtual time: its messages to each channel, as lines `minute:second channel title`.
import type { Message, Occurrence, Severity } from '../../../../src/bot/base/message.ts';
import { titleOf } from '../../../../src/bot/base/message.ts';
import { emptyOutbox } from '../../../../src/bot/notify/outbox.ts';
import { type NotifyInput, nextFor, notify, startNotify } from '../../../../src/bot/notify/reducer.ts';
import type {
  ChannelRule,
  Counted,
  Delivery,
  Line,
  NotifyRules,
  NotifyState,
  SendResult,
} from '../../../../src/bot/notify/state.ts';
import { stepsAtMost } from '../../steps-at-most.ts';

export const START = Date.UTC(2026, 10, 26, 9, 0, 0);
export const SENT: SendResult = { kind: 'sent' };
export const DOWN: SendResult = { kind: 'failed', because: 'The connection was refused.', retryAfterMs: null };

export const channel = (name: string, from: Severity = 'page', rule: Partial<ChannelRule> = {}): ChannelRule => ({
  ...{ name, from, only: null, except: [], maxPerMinute: 60 },
  ...rule,
});

export const rulesOf = (channels: readonly ChannelRule[], rules: Partial<NotifyRules> = {}): NotifyRules => ({
  ...{ repeatAfterMs: 1_800_000, mostWaiting: 500, channels },
  ...rules,
});

export class World {
  readonly rules: NotifyRules;
  state: NotifyState;
  now: number;
  /** Messages accepted by channels. */
  readonly said: string[] = [];
  readonly texts: string[] = [];
  readonly counted: Counted[] = [];
  readonly lines: Line[] = [];
  /** Each channel's answer; by default it accepts everything. */
  readonly answers = new Map<string, SendResult>();
  /** Every channel's answer to this message; null: the channel's own. */
  refusesAlways: (message: Message) => SendResult | null = () => null;

  constructor(rules: NotifyRules, kept: NotifyState = emptyOutbox('a1'), now = START) {
    this.rules = rules;
    this.now = now;
    const { state, lines } = startNotify(rules, kept, this.now);
    this.state = state;
    this.lines.push(...lines);
  }

  input(input: NotifyInput): void {
    const { state, counted, lines } = notify(this.rules, this.state, { input, now: this.now });
    this.state = state;
    this.counted.push(...counted);
    this.lines.push(...lines);
  }

  happens(
    severity: Severity,
    op: string,
    more: Partial<Occurrence> & { lasts?: boolean; pageAfterMs?: number | null } = {},
  ) {
    const { lasts = false, pageAfterMs = null, symbol = null, text = `${op} happened.` } = more;
    this.input({ kind: 'occurred', occurrence: { severity, op, symbol, text }, lasts, pageAfterMs });
    this.pump();
  }

  /** Second by second: a tick, and everything that may be sent. */
  pass(seconds: number, over: readonly string[] = []): void {
    for (let second = 0; second < seconds; second += 1) {
      this.now += 1_000;
      this.input({ kind: 'tick', over });
      this.pump();
    }
  }

  pump(): void {
    for (const { name } of this.rules.channels) {
      const step = stepsAtMost();
      for (let next = this.next(name); next !== null; next = this.next(name)) {
        step();
        const result = this.refusesAlways(next.message) ?? this.answers.get(name) ?? SENT;
        if (result.kind === 'sent') this.take(next);
        this.input({ kind: 'result', delivery: next, result });
      }
    }
  }

  next = (name: string): Delivery | null => nextFor(this.state, name, this.now);

  count(outcome: Counted['outcome']): number {
    return this.counted.filter((each) => each.outcome === outcome).length;
  }

  private take({ channel: name, message }: Delivery): void {
    const seconds = (this.now - START) / 1_000;
    const at = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    this.said.push(`${at} ${name} ${titleOf(message, { bot: 'live', process: 'bot' })}`);
    this.texts.push(message.text);
  }
}
