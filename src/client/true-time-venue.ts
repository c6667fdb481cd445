// The venue as the trader sees it: filters are asked in true time, as rows are given, and go out as the venue writes
// its times (N5).
import { invariant } from '../domain/invariant.ts';
import type { Result } from '../domain/result.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Venue } from '../ports/transport.ts';
import { type TimeRange, timeRange, tradeWindow } from '../venue/bounds.ts';
import type { Completed } from '../venue/outcomes.ts';
import type { SpotTradesFilter, TimeFilter, VenueRequest } from '../venue/requests.ts';
import type { ExchangeClient } from './exchange-client.ts';
import { isTimed } from './times/answer-times.ts';

type AsWritten = (moment: EpochMs) => EpochMs;

/**
 * `request` of what comes back is the one that was given. An answer whose shift was learned from itself does not fit
 * its question where that named times: it counts as failed, to be asked again. `facts.shiftMs` is what was taken from
 * the times of the rows.
 */
export function trueTimeVenue(client: ExchangeClient): Venue {
  async function perform(request: VenueRequest): Promise<Completed> {
    const { kind } = request;
    if (!isTimed(kind)) return client.perform(request);
    const shiftBefore = client.fieldTime(kind, 0);
    const written = asWritten(request, (moment) => Math.max(0, client.fieldTime(kind, moment)));
    const completed = await client.perform(written);
    const shiftMs = client.fieldTime(kind, 0);
    const facts = { ...completed.facts, shiftMs };
    // Only the filter was changed, so request and outcome still are of one kind.
    if (written === request || shiftMs === shiftBefore) return { ...completed, request, facts } as Completed;
    const detail = `How the times of ${kind} are shifted was learned from the answer, which does not fit the question.`;
    const fault = { sent: true, reason: 'other', detail } as const;
    return { ...completed, request, facts, outcome: { kind: 'failed', fault } } as Completed;
  }

  return { perform, close: () => client.close() };
}

/** The request with the times of its filter as the venue writes them; the same object where it names none. */
function asWritten(request: VenueRequest, written: AsWritten): VenueRequest {
  switch (request.kind) {
    case 'spot-trades':
    case 'spot-trades-historical':
      return namesTimes(request.filter) ? { ...request, filter: spotFilter(request.filter, written) } : request;
    case 'sbs-trades': {
      const { time } = request.filter;
      return time.by === 'all'
        ? request
        : { ...request, filter: { ...request.filter, time: timeFilter(time, written, tradeWindow) } };
    }
    case 'crypto-deposits':
    case 'crypto-deposits-historical':
    case 'crypto-withdrawals':
    case 'crypto-withdrawals-historical': {
      const { filter } = request;
      return filter.time.by === 'all'
        ? request
        : { ...request, filter: { ...filter, time: timeFilter(filter.time, written, timeRange) } };
    }
    case 'fiat-deposits':
    case 'fiat-deposits-historical':
    case 'fiat-withdrawals':
    case 'fiat-withdrawals-historical': {
      const { filter } = request;
      return filter.time.by === 'all'
        ? request
        : { ...request, filter: { ...filter, time: timeFilter(filter.time, written, timeRange) } };
    }
    default:
      return request;
  }
}

const namesTimes = ({ by }: SpotTradesFilter): boolean => by === 'start' || by === 'end' || by === 'window';

function spotFilter(filter: SpotTradesFilter, written: AsWritten): SpotTradesFilter {
  switch (filter.by) {
    case 'start':
      return { by: 'start', startTime: written(filter.startTime) };
    case 'end':
      return { by: 'end', endTime: written(filter.endTime) };
    case 'window':
      return { by: 'window', window: moved(filter.window, written, tradeWindow) };
    default:
      return filter;
  }
}

type MakeRange<Range> = (from: EpochMs, to: EpochMs) => Result<Range>;

function timeFilter<Range extends TimeRange>(
  time: TimeFilter<Range>,
  written: AsWritten,
  make: MakeRange<Range>,
): TimeFilter<Range> {
  switch (time.by) {
    case 'start':
      return { by: 'start', startTime: written(time.startTime) };
    case 'end':
      return { by: 'end', endTime: written(time.endTime) };
    case 'range':
      return { by: 'range', range: moved(time.range, written, make) };
    default:
      return time;
  }
}

/** Both ends move alike, so a range stays as long as it was. */
function moved<Range>({ startTime, endTime }: TimeRange, written: AsWritten, make: MakeRange<Range>): Range {
  const range = make(written(startTime), written(endTime));
  invariant(range.ok, () => `A range that was moved is none: ${range.ok ? '' : range.error}`);
  return range.value;
}
