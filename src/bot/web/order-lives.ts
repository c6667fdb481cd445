// History of each order from the journal's records: the latest events of this process's latest orders.
import type { JournalRecord } from '../../ports/journal-storage.ts';

export type OrderLife = NonNullable<ReturnType<ReturnType<typeof orderLives>['of']>>;

type Kept = Pick<JournalRecord, 'type' | 'payload' | 'wall'>;

const MOST_ORDERS = 500;
const MOST_EVENTS = 40;
const INTENT = /"intentId":"([^"]+)"/;
/** Not for people: fields of every record, and parts of proofs. */
const LEFT_OUT: ReadonlySet<string> = new Set(['intentId', 'symbol', 'at', 'reads', 'reserve', 'horizon', 'sentAt']);

/** Called while the journal is being written, so records are only stored, and parsed on demand. */
export function orderLives() {
  const lives = new Map<string, { records: Kept[]; dropped: number }>();
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
    of(intentId: string) {
      const life = lives.get(intentId);
      // `events`: oldest first; `dropped`: the number of older ones.
      return life === undefined ? null : { intentId, events: life.records.map(eventOf), dropped: life.dropped };
    },
  };
}

/** `what`: the type of the record; `values`: its others, as text, in their order. */
function eventOf({ type, payload, wall }: Kept) {
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
