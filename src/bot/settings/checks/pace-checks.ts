// Whether what is to be known can be known in time: ages against polling, and polling against what the lanes allow.

import { askNeeds } from '../../../quoting/strategy-call/ask-strategy.ts';
import { withReference } from '../../../trader/state/knowledge.ts';
import type { Complaint, Path } from '../located.ts';
import { complain, type Judged } from './judged.ts';

/** What an age limit must leave room for beside the interval of the reads: the way there and back. */
const ROUND_TRIP_MS = 500;

export function paceComplaints(judged: Judged): readonly Complaint[] {
  return [
    ...bookComplaints(judged),
    ...tradesComplaints(judged),
    ...accountComplaints(judged),
    ...clockComplaints(judged),
    ...limitComplaints(judged),
    ...proofComplaints(judged),
  ];
}

/**
 * That an order was never placed is proved by a wallet that equals the ledger: while fills come, that takes a stretch
 * without one as long as the lists may trail.
 */
function proofComplaints(judged: Judged): readonly Complaint[] {
  const { resolutionDeadlineMs, readLagBoundMs } = judged.configuration.assumptions;
  const needed = 2 * readLagBoundMs;
  if (resolutionDeadlineMs >= needed) return [];
  const why =
    `what became of an order can't be proved in ${resolutionDeadlineMs} ms while lists may trail by ` +
    `${readLagBoundMs} ms`;
  const sentence = `${why} (assumptions.readLagBoundMs): symbols would halt for nothing. Set at least ${needed}.`;
  return [complain(judged, ['assumptions', 'resolutionDeadlineMs'], sentence)];
}

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
  const { runs, polling, lanes, ageLimits } = judged.configuration;
  const { requestsPerSecond } = lanes.public;
  const { books, tradesReaders } = publicReads(judged);
  // The trader stretches all public polling alike until it fits the lane.
  const perSecond = (books * 1_000) / polling.bookMs + (tradesReaders * 1_000) / polling.publicTradesMs;
  const reachable = (polling.bookMs * perSecond) / requestsPerSecond;
  const needed = Math.ceil(Math.max(reachable, polling.bookMs) + 1_000 / requestsPerSecond + ROUND_TRIP_MS);
  const pace =
    reachable > polling.bookMs
      ? `${books} books${tradesReaders === 0 ? '' : ` and the public trades of ${tradesReaders} symbols`} at ` +
        `${requestsPerSecond} public requests per second are read every ${Math.ceil(reachable)} ms each`
      : `each book is read every ${polling.bookMs} ms (polling.bookMs)`;
  const limits: [Path, number][] = [
    [['ageLimits', 'bookMs'], ageLimits.bookMs],
    ...runs.flatMap((run, index): [Path, number][] => [
      [['runs', index, 'quoting', 'guard', 'bookMaxAgeMs'], run.quoting.guard.bookMaxAgeMs],
      [['runs', index, 'limits', 'bookMaxAgeMs'], run.limits.bookMaxAgeMs],
    ]),
  ];
  const remedy = 'quote fewer symbols, or raise lanes.public.requestsPerSecond if the exchange allows it';
  return limits
    .filter(([, limit]) => limit < needed)
    .map(([path, limit]) =>
      complain(judged, path, `${limit} ms cannot be kept: ${pace}. Set it to at least ${needed}, ${remedy}.`),
    );
}

/** Of one that is set: left out it follows the polling. */
function tradesComplaints(judged: Judged): readonly Complaint[] {
  const { runs, polling, lanes, ageLimits } = judged.configuration;
  const { publicTradesMs: limit } = ageLimits;
  if (limit === undefined || !runs.some(({ referenceSource }) => referenceSource === 'lastTrade')) return [];
  const { requestsPerSecond } = lanes.public;
  const { books, tradesReaders } = publicReads(judged);
  const perSecond = (books * 1_000) / polling.bookMs + (tradesReaders * 1_000) / polling.publicTradesMs;
  const everyMs = Math.ceil(polling.publicTradesMs * Math.max(1, perSecond / requestsPerSecond));
  const needed = Math.ceil(everyMs + 1_000 / requestsPerSecond + ROUND_TRIP_MS);
  if (limit >= needed) return [];
  const words = `${limit} ms cannot be kept: public trades are read every ${everyMs} ms. Set it to at least ${needed}.`;
  return [complain(judged, ['ageLimits', 'publicTradesMs'], words)];
}

/** The trader stretches all private polling alike until it fits its share of the lane. */
function accountComplaints(judged: Judged): readonly Complaint[] {
  const { runs, polling, lanes, ageLimits } = judged.configuration;
  const perSecond = (intervalMs: number): number => 1_000 / intervalMs;
  const wanted =
    runs.length * (perSecond(polling.openOrdersMs) + perSecond(polling.tradesMs)) + perSecond(polling.walletMs);
  const { requestsPerSecond } = lanes.private;
  const stretch = Math.max(1, wanted / (requestsPerSecond * lanes.readShareRatio));
  const slack = 1_000 / requestsPerSecond + ROUND_TRIP_MS;
  const rows: [string, number, number][] = [
    ['openOrdersMs', ageLimits.openOrdersMs, polling.openOrdersMs],
    ['reconciledMs', ageLimits.reconciledMs, Math.max(polling.walletMs, polling.tradesMs)],
  ];
  return rows.flatMap(([name, limit, interval]) => {
    const needed = Math.ceil(interval * stretch + slack);
    if (limit >= needed) return [];
    const pace =
      `at ${requestsPerSecond} private requests per second, ${lanes.readShareRatio} of them for reads, ` +
      `${runs.length} symbols are looked at every ${Math.ceil(interval * stretch)} ms`;
    const words =
      `${limit} ms cannot be kept: ${pace}. Set it to at least ${needed}, quote fewer symbols, or raise ` +
      'lanes.private.requestsPerSecond if the exchange allows it.';
    return [complain(judged, ['ageLimits', name], words)];
  });
}

function clockComplaints(judged: Judged): readonly Complaint[] {
  const { maxClockUncertaintyMs, recvWindowMs } = judged.configuration.assumptions;
  if (maxClockUncertaintyMs < recvWindowMs) return [];
  const words =
    `${maxClockUncertaintyMs} ms is no less than recvWindowMs (${recvWindowMs} ms): a request stamped by a clock ` +
    'that is known so badly may be refused.';
  return [complain(judged, ['assumptions', 'maxClockUncertaintyMs'], words)];
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
