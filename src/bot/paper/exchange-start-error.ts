// Why the paper exchange could not start, as what the program ends with.
import { PaperStartError, PaperStateError } from '../../paper/server/start.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';

/** `StartError` for what the exchange says of itself: 73 for its state file, 69 for a port; else the error as it is. */
export function exchangeStartError(error: unknown): unknown {
  if (!(error instanceof PaperStartError)) return error;
  return new StartError(error instanceof PaperStateError ? EXIT.stateUnusable : EXIT.unavailable, error.message);
}
