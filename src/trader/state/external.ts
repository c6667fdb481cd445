// The external price of a symbol, as it is kept between two news of it.
import type { EpochMs } from '../../domain/time.ts';
import type { ExternalPrice } from '../../quoting/strategy.ts';

/** What came out of the sources at `at`, with its age then. */
export interface ExternalAt {
  readonly price: ExternalPrice;
  readonly at: EpochMs;
}
