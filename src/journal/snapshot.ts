// The state at one record, beside the journal: a start folds from there, and what is older may leave.
import type { JournalRecord, StoredSnapshot } from '../ports/journal-storage.ts';
import { eventOf, type JournalEvent, type Json } from './event.ts';
import { FORMAT_VERSION, sha256Hex } from './hash.ts';

/** The type of the record that announces a snapshot of the state of all records before it. */
export const SNAPSHOT = 'journal-snapshot';

/** How a state becomes text and back. Equal states must have equal texts. */
export interface StateText<S> {
  encode(state: S): string;
  decode(text: string): S;
}

/** What the journal says of a snapshot; that the text is the one meant is proved by its hash. */
export function announcement(text: string, schema: number): JournalEvent {
  return { type: SNAPSHOT, payload: { format: FORMAT_VERSION, schema, stateHash: sha256Hex(text) } };
}

/** Whether the record announces this snapshot: place, version and hash of the text. */
export function announces(record: JournalRecord, stored: StoredSnapshot): boolean {
  if (record.type !== SNAPSHOT || record.seq !== stored.seq) return false;
  const payload = eventOf(record).payload as { readonly schema?: Json; readonly stateHash?: Json } | null;
  return payload?.schema === stored.schema && payload.stateHash === sha256Hex(stored.text);
}
