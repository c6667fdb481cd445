// `cancel-all` where the paper exchange does not run: nothing can be asked, and none is started for it. The state that
// it left says what would rest again.
import { readState } from '../../paper/server/state-file.ts';
import { PAPER_ACCOUNT } from '../settings/paper-account.ts';
import type { Settings } from '../settings/types.ts';
import type { Outcome } from './cancel-everything.ts';

/** Flat where no order of the account is in the state from which the exchange would go on. */
export async function stoppedPaperOutcome(settings: Settings): Promise<Outcome> {
  const { paper, venue, stateFolder, files } = settings;
  const head = `No paper exchange of ${stateFolder} runs at ${venue.baseUrl}`;
  const left = paper === null ? 0 : await ordersLeft(paper.stateFile);
  if (left === 0)
    return { flat: true, message: `${head}, so no order is open: there was nothing left to ask or to cancel.` };
  const remedy = `Start it (quotekeeper exchange ${files.join(' ')}), then run this command again.`;
  return { flat: false, message: `${head}. It was stopped with ${left} open orders, which it keeps. ${remedy}` };
}

/** A state from which it could not go on leaves nothing: a new exchange is made then. */
async function ordersLeft(stateFile: string): Promise<number> {
  const stored = await readState(stateFile);
  if (stored.kind !== 'clean') return 0;
  return stored.snapshot.engine.orders.filter(({ account }) => account === PAPER_ACCOUNT).length;
}
