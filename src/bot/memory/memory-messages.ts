// What the bot's thread and that of its memory say to each other.
import type { Batch } from '../../memory/batch.ts';
import type { History, HistoryQuery } from '../../memory/history.ts';

export interface WorkerSettings {
  readonly file: string;
  readonly maxBytes: number;
}

export type ToMemory =
  | { readonly kind: 'write'; readonly batch: Batch }
  /** Thins what grew old. */
  | { readonly kind: 'thin'; readonly now: number }
  /** All that the journal knows was written. */
  | { readonly kind: 'rebuilt'; readonly at: number }
  | { readonly kind: 'ask'; readonly id: number; readonly query: HistoryQuery }
  | { readonly kind: 'close' };

export type FromMemory =
  | {
      readonly kind: 'written';
      /** Why the file of before could not be gone on with; null where it could. */
      readonly putAside: string | null;
      /** What was before the file began is not in it yet. */
      readonly lacksPast: boolean;
    }
  /** Somebody else holds the file: the batch is to be sent again. */
  | { readonly kind: 'busy' }
  /** `again`: the disk is at fault, and the batch is to be sent again; else it is lost. */
  | { readonly kind: 'failed'; readonly why: string; readonly again: boolean }
  | { readonly kind: 'answer'; readonly id: number; readonly history: History | null };
