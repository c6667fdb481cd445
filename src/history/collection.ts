// The rows that were read: each once, held back until everything before it was read.
import type { EpochMs } from '../domain/time.ts';
import { compareKeys } from './coverage.ts';
import type { Entry, ListTraits } from './list-traits.ts';

/** Owned by its reading and changed in place. */
export interface Collection<Row> {
  /** By what names them; rows without ids can share a name. */
  readonly groups: Map<string, Entry<Row>[]>;
  held: Entry<Row>[];
  ready: Row[];
  handedOut: number;
}

export const emptyCollection = <Row>(): Collection<Row> => ({ groups: new Map(), held: [], ready: [], handedOut: 0 });

type Traits<Row> = Pick<ListTraits<Row, unknown>, 'nameOf' | 'absorb' | 'keyOf'>;

/** Takes in the rows of one page. */
export function collect<Row>(collection: Collection<Row>, traits: Traits<Row>, rows: readonly Row[]): void {
  const byName = new Map<string, Row[]>();
  for (const row of rows) {
    const name = traits.nameOf(row);
    const shown = byName.get(name);
    if (shown === undefined) byName.set(name, [row]);
    else shown.push(row);
  }
  for (const [name, shown] of byName) {
    const known = collection.groups.get(name) ?? [];
    collection.groups.set(name, known);
    collection.held.push(...traits.absorb(known, shown));
  }
}

/** Makes the rows up to a moment ready, oldest first. */
export function release<Row>(collection: Collection<Row>, traits: Traits<Row>, until: EpochMs): void {
  const isDue = (entry: Entry<Row>): boolean => traits.keyOf(entry.row).time <= until;
  const due = collection.held.filter(isDue);
  if (due.length === 0) return;
  collection.held = collection.held.filter((entry) => !isDue(entry));
  for (const entry of due) entry.handedOut = entry.row;
  collection.ready.push(...due.map(({ row }) => row).sort((a, b) => compareKeys(traits.keyOf(a), traits.keyOf(b))));
}

/** Gives what is ready, once. */
export function takeReady<Row>(collection: Collection<Row>): readonly Row[] {
  const { ready } = collection;
  collection.ready = [];
  collection.handedOut += ready.length;
  return ready;
}

export function* entriesOf<Row>(collection: Collection<Row>): Generator<Entry<Row>> {
  for (const group of collection.groups.values()) yield* group;
}
