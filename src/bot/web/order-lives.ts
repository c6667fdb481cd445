// History of each order from the journal's records: the latest events of this process's latest orders.
import type { EpochMs } from '../../domain/time.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';

export interface LifeEvent {
  readonly at: EpochMs;
  /** The type of the journal's record. */
  readonly what: string;
  /** Its other values, as text, in the order of the record. */
  readonly values: Readonly<Record<string, string>>;
}

export interface OrderLife {
  readonly intentId: string;
  /** Oldest first. */
  readonly events: readonly LifeEvent[];
  /** Number of older ones that were dropped. */
  readonly dropped: number;
}

const MOST_ORDERS = 500;
const MOST_EVENTS = 40;
const INTENT = /"intentId":"([^"]+)"/;
/** Not for people: fields of every record, and parts of proofs. */
const LEFT_OUT: ReadonlySet<string> = new Set(['intentId', 'symbol', 'at', 'reads', 'reserve', 'horizon', 'sentAt']);

/** Called while the journal is being written, so records are only stored, and parsed on demand. */
export function orderLives() {
  const lives = new Map<string, { records: Pick<JournalRecord, 'type' | 'payload' | 'wall'>[]; dropped: number }>();
  return {
    take(records: readonly JournalRecord[]): void {
      for (const { type, payload, wall } of records) {
        const [, intentId] = INTENT.exec(payload) ?? [];
        if (intentId === undefined) continue;
        const life = lives.get(intentId) ?? { records: [], dropped: 0 };
        lives.set(intentId, life);
        life.records.push({ type, payload, wall });
        if (life.records.length > MOST_EVENTS) life.dropped += life.records.splice(0, 1).length;
      }
      for (const oldest of lives.keys()) {
        if (lives.size <= MOST_ORDERS) break;
        lives.delete(oldest);
      }
    },
    /** By the intent's id. Null if nothing is kept. */
    of(intentId: string): OrderLife | null {
      const life = lives.get(intentId);
      return life === undefined ? null : { intentId, events: life.records.map(eventOf), dropped: life.dropped };
    },
  };
}

function eventOf({ type, payload, wall }: Pick<JournalRecord, 'type' | 'payload' | 'wall'>): LifeEvent {
  const values: Readonly<Record<string, unknown>> = JSON.parse(payload);
  return { at: typeof values.at === 'number' ? values.at : wall, what: type, values: texts(values) };
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const { fill, ...own } = values;
  const all: Readonly<Record<string, unknown>> = typeof fill === 'object' && fill !== null ? { ...fill, ...own } : own;
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      LEFT_OUT.has(name) || value === null || value === '' || typeof value === 'object' ? [] : [[name, String(value)]],
    ),
  );
}
