// The moment that a signed request claims to be made at, and for how long it may be accepted (specification 5.3).
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { RECV_WINDOW_DEFAULT_MS, RECV_WINDOW_MAX_MS } from '../../venue/endpoints.ts';
import { isBeyond } from './numbers.ts';
import { parameter, type Query } from './query.ts';
import { type ErrorReply, refuse } from './reply.ts';

export interface RequestStamp {
  readonly timestamp: EpochMs;
  readonly recvWindow: DurationMs;
}

const EPOCH_MS = /^\d{1,15}$/;
/** Far beyond every moment that milliseconds are given for, and exact in a number. */
export const EPOCH_MS_MAX = 999_999_999_999_999;

/** -1106 where the timestamp is no moment, -1023 where the recvWindow is none of those allowed, else `null`. */
export function unusableStamp(query: Query): ErrorReply | null {
  const timestamp = parameter(query, 'timestamp') ?? '';
  if (timestamp === '') return refuse(-1106, 'The timestamp is required: milliseconds since epoch.');
  if (!EPOCH_MS.test(timestamp)) {
    return isBeyond(timestamp, EPOCH_MS_MAX)
      ? refuse(-1106, 'The timestamp is too large: it is not in milliseconds since epoch.')
      : refuse(-1106, 'The timestamp must be a whole number of milliseconds since epoch.');
  }
  const window = recvWindowOf(query);
  if (Number.isInteger(window) && window > 0 && window <= RECV_WINDOW_MAX_MS) return null;
  return isBeyond(parameter(query, 'recvWindow') ?? '', RECV_WINDOW_MAX_MS)
    ? refuse(-1023, `The recvWindow is too large: at most ${RECV_WINDOW_MAX_MS}.`)
    : refuse(-1023, `The recvWindow must be a whole number from 1 to ${RECV_WINDOW_MAX_MS}.`);
}

/** The stamp of a query that `unusableStamp` let pass. */
export function stampOf(query: Query): RequestStamp {
  return { timestamp: Number(parameter(query, 'timestamp')), recvWindow: recvWindowOf(query) };
}

/** -1021 where the stamp does not fit the exchange's own time, else `null`. */
export function outsideRecvWindow({ timestamp, recvWindow }: RequestStamp, ownNow: EpochMs): ErrorReply | null {
  const distance = Math.abs(ownNow - timestamp);
  return distance <= recvWindow
    ? null
    : refuse(-1021, `The timestamp is ${distance} ms from server time, outside the recvWindow of ${recvWindow} ms.`);
}

function recvWindowOf(query: Query): number {
  const given = parameter(query, 'recvWindow');
  if (given === undefined) return RECV_WINDOW_DEFAULT_MS;
  return /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
}
