// Whether books can be read in time, and whether the lanes ask for no more than the paper exchange answers.

import { askNeeds } from '../../../quoting/strategy-call/ask-strategy.ts';
import { withReference } from '../../../trader/state/knowledge.ts';
import type { Complaint } from '../located.ts';
import { complain, type Judged } from './judged.ts';

/** What an age limit must leave room for beside the interval of the reads: the way there and back. */
const ROUND_TRIP_MS = 500;

export const paceComplaints = (judged: Judged): readonly Complaint[] => [
  ...bookComplaints(judged),
  ...limitComplaints(judged),
];

/** What all strategies together have read on the public lane. One that fails here is another complaint's matter. */
function publicReads({ settings }: Judged): { readonly books: number; readonly tradesReaders: number } {
  const { runs } = settings.trader;
  const known = runs.flatMap(({ strategy, params, referenceSource }) => {
    const asked = askNeeds(strategy, params);
    return asked.kind === 'needs' ? [withReference(asked.needs, referenceSource)] : [];
  });
  const books = new Set([
    ...runs.map(({ instrument }) => instrument.symbol),
    ...known.flatMap(({ books: others = [] }) => others),
  ]);
  return { books: books.size, tradesReaders: known.filter(({ trades }) => trades === true).length };
}

/** The longest time between two reads of one book: all symbols share the public lane. */
function bookComplaints(judged: Judged): readonly Complaint[] {
  const { polling, ageLimits } = judged.settings.trader;
  const { requestsPerSecond } = judged.configuration.lanes.public;
  const { books, tradesReaders } = publicReads(judged);
  // The trader stretches all public polling alike until it fits the lane.
  const perSecond = (books * 1_000) / polling.bookMs + (tradesReaders * 1_000) / polling.publicTradesMs;
  const reachable = (polling.bookMs * perSecond) / requestsPerSecond;
  const needed = Math.ceil(Math.max(reachable, polling.bookMs) + 1_000 / requestsPerSecond + ROUND_TRIP_MS);
  if (ageLimits.bookMs >= needed) return [];
  const pace =
    reachable > polling.bookMs
      ? `${books} books${tradesReaders === 0 ? '' : ` and the public trades of ${tradesReaders} symbols`} at ` +
        `${requestsPerSecond} public requests per second are read every ${Math.ceil(reachable)} ms each`
      : `each book is read every ${polling.bookMs} ms`;
  const words =
    `${ageLimits.bookMs} ms cannot be kept: ${pace}. Set it to at least ${needed}, quote fewer symbols, or raise ` +
    'lanes.public.requestsPerSecond if the exchange allows it.';
  return [complain(judged, ['advanced', 'bookMaxAgeMs'], words)];
}

/** Sending faster than the paper exchange answers would only collect refusals. */
function limitComplaints(judged: Judged): readonly Complaint[] {
  const { paper } = judged.settings;
  const { lanes } = judged.configuration;
  if (!paper) return [];
  return (['public', 'private'] as const).flatMap((lane) => {
    const allowed = Math.min(...paper.rateLimits[lane].map(({ requests, perMs }) => (requests * 1_000) / perMs));
    const asked = lanes[lane].requestsPerSecond;
    if (asked <= allowed) return [];
    const words = `${asked} is more than the ${allowed} per second that paper.rateLimits.${lane} answers.`;
    return [complain(judged, ['lanes', lane, 'requestsPerSecond'], words)];
  });
}
