// Kinds of refusals, whatever code or header an exchange uses for them: the program reacts to these alone.
import { type DurationMs, SECOND } from '../domain/time.ts';

export type RefusalKind =
  | 'maintenance'
  /** Too many requests. */
  | 'rate'
  /** The exchange failed: a valid request may work later. */
  | 'failure'
  /** The same for a cancel, possibly of an order that is already closed (Q5). */
  | 'cancel-failure'
  /** Its timestamp. */
  | 'clock'
  /** A value that a create has. */
  | 'request'
  /** A value that no create has, such as an order id: after a create it answers another request (F79). */
  | 'other-request'
  | 'symbol'
  /** The exchange does not offer this request at all. */
  | 'not-offered'
  /** The key may not send this request. */
  | 'permission'
  | 'no-key'
  | 'address'
  | 'signature'
  | 'account'
  | 'key'
  /** Key or settings, without saying what is wrong. */
  | 'access';

/** The client's options after a refusal. */
export type Remedy =
  /** The request was valid: retry later, with backoff. */
  | 'retry'
  /** Estimate the venue's clock again, then stamp again. */
  | 'sync-clock'
  /** The request is wrong: never repeat it unchanged. */
  | 'fix-request'
  /** Stop trading this symbol. */
  | 'stop-symbol'
  /** Stop everything: keys, permissions or the route itself don't match the configuration. */
  | 'stop-all';

const REMEDIES: Readonly<Record<RefusalKind, Remedy>> = {
  maintenance: 'retry',
  rate: 'retry',
  failure: 'retry',
  'cancel-failure': 'retry',
  clock: 'sync-clock',
  request: 'fix-request',
  'other-request': 'fix-request',
  symbol: 'stop-symbol',
  'not-offered': 'stop-all',
  permission: 'stop-all',
  'no-key': 'stop-all',
  address: 'stop-all',
  signature: 'stop-all',
  account: 'stop-all',
  key: 'stop-all',
  access: 'stop-all',
};

export const remedyOf = (kind: RefusalKind): Remedy => REMEDIES[kind];

/** Whether every signed request would be refused; absent for an answer without a known code. */
export const stopsAll = (kind: RefusalKind | undefined): boolean => kind !== undefined && REMEDIES[kind] === 'stop-all';

/** Whether only this request is not allowed: an optional list is then missing, and nothing else. */
export const isUnavailable = (kind: RefusalKind): boolean => kind === 'not-offered' || kind === 'permission';

/** Whether a refusal is about the request itself: repeating it is useless. */
export const isOfTheRequest = (kind: RefusalKind): boolean =>
  isUnavailable(kind) || REMEDIES[kind] === 'fix-request' || REMEDIES[kind] === 'stop-symbol';

const THROTTLED: readonly number[] = [429, 503, 504];

/** Whether the exchange wants fewer requests, or none for a while (specification §7.4); false without an answer. */
export const isThrottled = (status: number | null | undefined): boolean =>
  status !== null && status !== undefined && THROTTLED.includes(status);

/**
 * While orders may rest and nothing answers, a request leaves at least this often: longer waits would delay the
 * discovery that the exchange is back. An unanswered request this old no longer blocks others. Only waits that the
 * exchange names are longer.
 */
export const PROBE_EVERY_MS: DurationMs = 5 * SECOND;
