// Progress of the account activity scan, and the external flows that it found.
import type { Fill, SbsTrade } from '../../domain/fill.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { CryptoTransfer, FiatTransfer } from '../../domain/transfer.ts';
import type { CryptoQuestion, FiatQuestion, SbsTradesQuestion, SpotTradesQuestion } from '../../history/lists.ts';
import type { HistoryState } from '../../history/state.ts';
import type { ExternalFlow } from './external-flow.ts';

/** The kinds of lists: the type of their rows and of their questions. */
interface ListTypes {
  readonly crypto: { readonly row: CryptoTransfer; readonly question: CryptoQuestion };
  readonly fiat: { readonly row: FiatTransfer; readonly question: FiatQuestion };
  readonly sbs: { readonly row: SbsTrade; readonly question: SbsTradesQuestion };
  /** Spot trades of a market without a run. */
  readonly 'other-market': { readonly row: Fill; readonly question: SpotTradesQuestion };
}

export type ListKind = keyof ListTypes;
export type RowOf<K extends ListKind> = ListTypes[K]['row'];

/** One list of the kind that is being read. */
export interface ActivityListOf<K extends ListKind> {
  readonly kind: K;
  reading: HistoryState<RowOf<K>, ListTypes[K]['question']>;
}

export type ActivityList = { [K in ListKind]: ActivityListOf<K> }[ListKind];

/** Owned by the trader's state and changed in place. */
export interface ActivityScan {
  /** Lists still to be read; the first is being read now. Empty between scans. */
  lists: ActivityList[];
  /** When the last scan began; null before the first. */
  begunAt: EpochMs | null;
  /** When the last scan began whose lists were all read, or refused; null before the first. */
  readFrom: EpochMs | null;
  /** Rows of the current scan, or of the last one. */
  found: ExternalFlow[];
  /** Failures in a row, and when the last request left. */
  failures: number;
  attemptedAt: EpochMs;
}

export const noActivityScan = (): ActivityScan => ({
  lists: [],
  begunAt: null,
  readFrom: null,
  found: [],
  failures: 0,
  attemptedAt: 0,
});
