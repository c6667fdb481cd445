// What records and answers have told so far, counted as a page would: fills, messages, halts, lists and requests.
import { type DurationMs, type EpochMs, MINUTE } from '../../src/domain/time.ts';
import { type Answered, type CheckContext, isPrivate } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import type { Taken } from './shown-money.ts';

export interface Tallies {
  answered(context: CheckContext, message: Answered): void;
  recorded(told: Told): void;
  begun(): void;
  /** In the order of their records; null where one was changed since. */
  fillsOf(symbol: string): readonly Taken[] | null;
  /** Creates and cancels written down so lately; null where the clock was set back among them. */
  messagesWithin(ms: DurationMs, now: EpochMs): number | null;
  /** What halted a symbol in this process, and how often. */
  haltsOf(symbol: string): string;
  /** Whether an answer came to a question that left then. */
  isListed(list: string, sentAt: EpochMs): boolean;
  /** By endpoint: how many requests of this process were answered, or given up. */
  readonly answers: ReadonlyMap<string, number>;
  /** True time of the newest of them. */
  answeredAt(): EpochMs;
  /** Whether a signed request of this process was taken: its stamp was near enough to the exchange's time. */
  isStampTaken(): boolean;
}

/** Creates and cancels, by the bot's clock. */
function createMessageTally() {
  let messages: EpochMs[] = [];
  /** The clock was set back: until then messages of before seem to be younger than they are. */
  let unclearUntil: EpochMs = 0;
  return {
    took(at: EpochMs): void {
      const last = messages.at(-1) ?? at;
      if (at < last) unclearUntil = Math.max(unclearUntil, last + MINUTE);
      messages = [...messages.filter((each) => each > at - MINUTE), at];
    },
    /** What was noted before a session is so much later by its clock. */
    moved(by: DurationMs, startedAt: EpochMs, at: EpochMs): void {
      const isOld = (each: EpochMs): boolean => each < startedAt || each > at;
      // Of a clock that was set back nobody outside knows which moments had the new one already.
      unclearUntil = by < 0 ? at + MINUTE : unclearUntil;
      messages = messages.map((each) => Math.min(isOld(each) ? each + by : each, at)).sort((a, b) => a - b);
    },
    /** How many of a time that ends now; null where the clock was set meanwhile. */
    within(ms: DurationMs, now: EpochMs): number | null {
      if (now <= unclearUntil) return null;
      const isRising = messages.every((at, place) => at <= now && at >= (messages[place - 1] ?? at));
      return isRising ? messages.filter((at) => at > now - ms).length : null;
    },
  };
}

export function createTallies(): Tallies {
  const fills = new Map<string, Taken[] | null>();
  const halts = new Map<string, number>();
  const answers = new Map<string, number>();
  const listedAt = new Map<string, Set<EpochMs>>();
  const messages = createMessageTally();
  const canceled = new Set<string>();
  let answeredAt: EpochMs = 0;
  let isStampTaken = false;

  function tookFill({ type, payload }: Told): void {
    const fill = (payload.fill ?? payload) as Omit<Taken, 'intentId'>;
    if (type === 'fill-corrected' || type === 'fill-reversed') return void fills.set(fill.symbol, null);
    const before = fills.get(fill.symbol) ?? [];
    if (type !== 'fill' || fills.get(fill.symbol) === null) return;
    before.push({ ...fill, intentId: payload.intentId === null ? null : String(payload.intentId) });
    fills.set(fill.symbol, before);
  }

  function tookHalt({ payload }: Told): void {
    const name = `${String(payload.symbol)} ${String(payload.code ?? 'halted')}`;
    halts.set(name, (halts.get(name) ?? 0) + 1);
  }

  return {
    answers,
    answeredAt: () => answeredAt,
    isStampTaken: () => isStampTaken,
    answered({ settings, now }, message) {
      const { endpoint, status, query, sentAt } = message;
      answeredAt = now();
      answers.set(endpoint, (answers.get(endpoint) ?? 0) + 1);
      if (status !== 200) return;
      if (isPrivate(message)) isStampTaken = true;
      const symbol = query.get('symbol');
      const symbols = symbol === null ? settings.runs.map(({ instrument }) => instrument.symbol) : [symbol];
      for (const each of symbols) {
        const list = `${endpoint} ${each}`;
        listedAt.set(list, (listedAt.get(list) ?? new Set()).add(sentAt));
      }
    },
    recorded(told) {
      const { type, payload } = told;
      tookFill(told);
      if (type === 'session-started') halts.clear();
      if (type === 'symbol-halted') tookHalt(told);
      const id = String(payload.intentId);
      if (type === 'intent') messages.took(Number(payload.sentAt));
      if (type === 'cancel-sent' && !canceled.has(id)) messages.took(Number(payload.at));
      if (type === 'cancel-sent') canceled.add(id);
      if (type === 'reopened' && payload.belied === true) canceled.delete(id);
      if (type === 'clock-moved') messages.moved(Number(payload.byMs), Number(payload.startedAt), Number(payload.at));
    },
    begun() {
      answers.clear();
      listedAt.clear();
      isStampTaken = false;
    },
    fillsOf: (symbol) => (fills.has(symbol) ? (fills.get(symbol) ?? null) : []),
    messagesWithin: messages.within,
    haltsOf: (symbol) =>
      [...halts]
        .filter(([name]) => name.startsWith(`${symbol} `))
        .map(([name, count]) => `${name} ${count}`)
        .toSorted()
        .join(', '),
    isListed: (list, sentAt) => listedAt.get(list)?.has(sentAt) === true,
  };
}
