// How far the account activity scan has come, and the external flows that it found.
import type { Fill, SbsTrade } from '../../domain/fill.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { CryptoTransfer, FiatTransfer } from '../../domain/transfer.ts';
import type { CryptoQuestion, FiatQuestion, SbsTradesQuestion, SpotTradesQuestion } from '../../history/lists.ts';
import type { HistoryState } from '../../history/state.ts';
import type { ExternalFlow } from './external-flow.ts';

/** The kinds of lists: what their rows are, and how they are asked. */
interface ListTypes {
  readonly crypto: { readonly row: CryptoTransfer; readonly question: CryptoQuestion };
  readonly fiat: { readonly row: FiatTransfer; readonly question: FiatQuestion };
  readonly sbs: { readonly row: SbsTrade; readonly question: SbsTradesQuestion };
  /** Spot trades of a market that no run has. */
  readonly 'other-market': { readonly row: Fill; readonly question: SpotTradesQuestion };
}

export type ListKind = keyof ListTypes;
export type RowOf<K extends ListKind> = ListTypes[K]['row'];

/** One list of the kind on its way to be read. */
export interface ActivityListOf<K extends ListKind> {
  readonly kind: K;
  reading: HistoryState<RowOf<K>, ListTypes[K]['question']>;
}

export type ActivityList = { [K in ListKind]: ActivityListOf<K> }[ListKind];

/** Owned by the trader's state and changed in place. */
export interface ActivityScan {
  /** Lists that are still to be read, the first of them now. Empty while nothing is read. */
  lists: ActivityList[];
  /** When the last scan began; null before the first. */
  begunAt: EpochMs | null;
  /** When the last one began of which all lists were read, or refused; null before the first. */
  readFrom: EpochMs | null;
  /** Rows of the scan under way, or of the last one. */
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
