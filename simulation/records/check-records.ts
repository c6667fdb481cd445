// P6: the journal is what its format says: an unbroken chain whose hashes anybody can work out, records that hold what
// theirs hold, written when they say, and answers to creates and cancels that are told as they came.
import { createHash } from 'node:crypto';
import type { EpochMs } from '../../src/domain/time.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { Answered, CheckContext, Checker } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { flawOfRecord } from './flaw-of-record.ts';
import { cancelOutcomesOf, createOutcomesOf } from './outcomes-of.ts';

const OWN = ['journal-opened', 'journal-snapshot'];

interface Records {
  /** The record before. */
  last: JournalRecord | null;
  /** What answers to creates may be told as, by intent; and to cancels, by order or symbol: there may be several. */
  readonly creates: Map<string, Answered>;
  readonly cancels: Map<string, Set<string>>;
  /** When answers came to cancels of this name, and when records told that one of this intent left. */
  readonly answers: Map<string, EpochMs[]>;
  readonly left: Map<string, EpochMs[]>;
}

export function recordChecks(): Checker {
  const records: Records = {
    last: null,
    creates: new Map(),
    cancels: new Map(),
    answers: new Map(),
    left: new Map(),
  };
  return {
    answered(context, message) {
      if (message.endpoint === 'create' && message.intent !== null)
        records.creates.set(message.intent.intentId, message);
      if (!message.endpoint.startsWith('cancel')) return;
      const name = message.body.order_id ?? message.body.symbol ?? '';
      records.cancels.set(name, new Set([...(records.cancels.get(name) ?? []), ...cancelOutcomesOf(message)]));
      noteAt(records.answers, name, context.now());
    },
    recorded(context, told, record) {
      chain(records, context, record);
      if (OWN.includes(told.type)) return;
      // One that a start found on the disk was written by a process before, at another time.
      const now =
        context.isUp() && told.epoch === context.journal.epoch ? context.now() + context.clockError() : record.wall;
      const flaw = flawOfRecord(told.type, told.payload, { now });
      const words = JSON.stringify(told.payload).slice(0, 200);
      if (flaw !== null) context.violated('P6', `Record ${told.seq} (${told.type}) ${flaw}: ${words}`);
      if (told.type === 'create-outcome') created(records, context, told);
      if (told.type === 'cancel-sent') noteAt(records.left, String(told.payload.intentId), context.now());
      if (told.type === 'cancel-outcome') canceled(records, context, told);
    },
    crashed() {
      for (const each of [records.creates, records.cancels, records.answers, records.left]) each.clear();
    },
  };
}

function chain(records: Records, context: CheckContext, record: JournalRecord): void {
  const { seq, epoch, wall, mono, type, prevHash, payload } = record;
  const wrong = (what: string): void => context.violated('P6', `Record ${seq} (${type}) ${what}.`);
  const text = ['quotekeeper-journal 1', seq, epoch, wall, mono, type, prevHash, payload].join('\n');
  if (record.hash !== createHash('sha256').update(text).digest('hex')) wrong('has a hash that is not its own');
  const before = records.last;
  records.last = record;
  if (before === null || before.seq >= seq) return;
  if (seq !== before.seq + 1) wrong(`follows record ${before.seq}`);
  if (prevHash !== before.hash) wrong('is not chained to the one before');
  if (epoch < before.epoch || epoch > before.epoch + 1) wrong(`is of opening ${epoch} after ${before.epoch}`);
  if (epoch === before.epoch && mono < before.mono) wrong('is older than the one before');
}

function created(records: Records, context: CheckContext, { payload, seq }: Told): void {
  const answer = records.creates.get(String(payload.intentId));
  if (answer === undefined || !context.isUp()) return;
  const { status, text } = answer;
  if (!createOutcomesOf(answer).includes(String(payload.outcome))) {
    const came = `${status ?? 'no status'} ${text.slice(0, 120)}`;
    context.violated('P6', `Record ${seq} says ${String(payload.outcome)} of a create that was answered ${came}.`);
  }
  if (payload.outcome === 'accepted' && !text.includes(String(payload.orderId)))
    context.violated('P6', `Record ${seq} names ${String(payload.orderId)}, which the answer does not.`);
}

function canceled(records: Records, context: CheckContext, { payload, seq }: Told): void {
  const intent = context.journal.intents.get(String(payload.intentId));
  if (intent === undefined || !context.isUp()) return;
  const names = [intent.orderId ?? '', intent.symbol, ''];
  const may = names.flatMap((name) => [...(records.cancels.get(name) ?? [])]);
  if (may.length === 0 || may.includes(String(payload.outcome))) return;
  // Of several that are on their way another one may have been answered, and this one not have left.
  const sent = records.left.get(intent.intentId) ?? [];
  const answered = names.flatMap((name) => records.answers.get(name) ?? []).filter((at) => at >= (sent[0] ?? 0));
  if (payload.outcome === 'not-sent' && sent.length > answered.length) return;
  context.violated(
    'P6',
    `Record ${seq} says ${String(payload.outcome)} of a cancel that was answered: ${may.join(', ')}.`,
  );
}

const noteAt = (of: Map<string, EpochMs[]>, name: string, at: EpochMs): void =>
  void of.set(name, [...(of.get(name) ?? []), at]);
