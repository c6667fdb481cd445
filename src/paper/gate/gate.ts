// The checks that every request passes before its parameters are read, in the exchange's order.
import type { Instrument } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { readJson } from '../../domain/text.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { AccountName } from '../../matching/types.ts';
import { ENDPOINTS, type Endpoint } from '../../venue/endpoints.ts';
import type { Caller } from '../state/settings.ts';
import { type ExchangeState, ownTime } from '../state/state.ts';
import {
  type ErrorReply,
  headerOf,
  type PaperRequest,
  plainAddress,
  type RefusalReply,
  refuse,
  refuseByStatus,
} from '../wire/messages.ts';
import {
  canonicalString,
  type Fields,
  isSignatureOf,
  NO_QUERY,
  outsideRecvWindow,
  parameter,
  parseQuery,
  type Query,
  signatureOf,
  stampOf,
  unusableStamp,
} from '../wire/query.ts';
import { countRequest, type RateReading } from '../wire/rate-limit.ts';

/** A request on its way through the gate, with what the checks have found so far. */
export interface Visit {
  readonly state: ExchangeState;
  readonly request: PaperRequest;
  readonly endpoint: Endpoint;
  readonly now: EpochMs;
  /** Set by `withinRateLimit`. */
  rate: RateReading | null;
  /** Set by `readableQuery`. */
  query: Query;
  /** Set by `knownKey`; `null` on public endpoints. */
  caller: Caller | null;
  /** Set by `readableBody`; empty where the endpoint takes none. */
  fields: Fields;
  /** Set by `knownMarket`, on the legacy endpoints that take one. */
  instrument: Instrument | null;
}

/** The calling account; only signed endpoints have one. */
export function accountOf({ caller }: Visit): AccountName {
  invariant(caller !== null, 'A signed endpoint was answered without a caller.');
  return caller.account;
}

type Check = (visit: Visit) => RefusalReply | null;

/**
 * The endpoint of a request. On the current interface, both an unknown path and a wrong method are -1404: it has no
 * code for the latter. A legacy path has its endpoint for any method.
 */
export function endpointOf({ method, path }: Pick<PaperRequest, 'method' | 'path'>): Endpoint | null {
  return ROUTES.get(path) ?? ROUTES.get(`${method} ${path}`) ?? null;
}

const ROUTES = new Map(
  Object.values(ENDPOINTS).flatMap((row) => {
    const names = row.interface === 'current' ? [`${row.method} ${row.path}`] : [row.path, row.samplePath ?? row.path];
    return names.map((name) => [name, row]);
  }),
);

/** The name of a legacy market: base and quote in lower case. If two instruments share one, it means the first. */
export function marketKey({ base, quote }: Pick<Instrument, 'base' | 'quote'>): string {
  return `${base}${quote}`.toLowerCase();
}

export function openVisit(state: ExchangeState, given: Pick<Visit, 'request' | 'endpoint' | 'now'>): Visit {
  return { state, ...given, rate: null, query: NO_QUERY, caller: null, fields: {}, instrument: null };
}

/** The first refusal, or `null` when the request may go on to its endpoint. */
export function passGate(visit: Visit): RefusalReply | null {
  const { endpoint } = visit;
  const gate = endpoint.interface === 'legacy' ? LEGACY_GATE : endpoint.signed ? SIGNED_GATE : PUBLIC_GATE;
  for (const check of gate) {
    const refusal = check(visit);
    if (refusal) return refusal;
  }
  return null;
}

const notDisabled: Check = ({ state, endpoint }) =>
  state.controls.disabledEndpoints.includes(endpoint.name) ? refuse(-1404, 'Endpoint disabled.') : null;

const notInMaintenance: Check = ({ state }) =>
  state.controls.maintenance ? refuse(-1125, 'The exchange is under maintenance.') : null;

const withinRateLimit: Check = (visit) => {
  const { state, endpoint, request, now } = visit;
  const { quirks, rateLimits } = state.controls;
  // Q18.
  const lane = endpoint.lane === 'legacy' && quirks.legacyRateLimit === 'shared' ? 'public' : endpoint.lane;
  const windows = rateLimits[lane];
  const apiKey = keyHeader(visit) ?? '';
  // An unknown key is counted by address, so that made-up keys share one budget.
  const who =
    endpoint.signed && state.callers.has(apiKey)
      ? ({ by: 'key', name: apiKey } as const)
      : ({ by: 'address', name: `${lane} ${request.ip}` } as const);
  visit.rate = countRequest(state.rateCounts, { ...who, windows }, now);
  return visit.rate === null || visit.rate.allowed ? null : refuse(-1003, 'Too many requests.');
};

const readableQuery: Check = (visit) => {
  const query = parseQuery(visit.request.query);
  if (query === null) return refuse(-1009, 'The query has a percent sign that is not part of an encoded character.');
  visit.query = query;
  return null;
};

const credentialsGiven: Check = (visit) => {
  const missing: string[] = [];
  if (!keyHeader(visit)) missing.push(`header ${visit.state.settings.apiKeyHeader}`);
  if (!signatureGiven(visit)) missing.push('signature');
  return missing.length === 0 ? null : refuse(-1001, `Authentication credentials required: ${missing.join(', ')}.`);
};

const knownKey: Check = (visit) => {
  visit.caller = visit.state.callers.get(keyHeader(visit) ?? '') ?? null;
  return visit.caller === null ? refuse(-2015, 'Invalid API key, IP or permissions.') : null;
};

const allowedAddress: Check = ({ caller, request }) => {
  const whitelist = caller?.key.ipWhitelist ?? null;
  const ip = plainAddress(request.ip);
  return whitelist === null || whitelist.some((allowed) => plainAddress(allowed) === ip)
    ? null
    : refuse(-1015, `The address ${request.ip} is not allowed for this key.`);
};

const readableBody: Check = (visit) => {
  const { endpoint, request } = visit;
  const isJson = /^application\/json\b/i.test(headerOf(request, 'content-type') ?? '');
  if (endpoint.name === 'cancel-all') return rightContentType(visit, isJson);
  // An endpoint without a body signs the query alone, even if a body was sent (specification 5.4).
  if (endpoint.body === null) return null;
  if (!isJson) return refuse(-1009, 'The body must be sent as application/json.');
  const fields = parseFields(request.body ?? '');
  if (fields === null) return refuse(-1009, 'The body is not a JSON object.');
  visit.fields = fields;
  return null;
};

/** Q24, for the one POST without a body. */
function rightContentType({ state }: Visit, isJson: boolean): ErrorReply | null {
  const { cancelAllContentType } = state.controls.quirks;
  if (cancelAllContentType === 'either' || (cancelAllContentType === 'required') === isJson) return null;
  return refuse(-1009, `The content type application/json is ${cancelAllContentType} here.`);
}

const rightSignature: Check = (visit) => {
  const { state, endpoint, query, fields, caller } = visit;
  const text = canonicalString(query, endpoint.body === null ? null : fields, state.controls.quirks);
  const signed = caller !== null && isSignatureOf(text, signatureGiven(visit) ?? '', caller.secret);
  return signed ? null : refuse(-1022, 'Invalid signature.');
};

const identified: Check = ({ state, caller }) =>
  caller !== null && state.controls.unidentifiedKeys.includes(caller.key.apiKey)
    ? refuse(-2004, 'The account of this key cannot be identified.')
    : null;

const permitted: Check = ({ endpoint, caller }) => {
  const { permission, method } = endpoint;
  const granted = caller?.key.permissions ?? [];
  return permission === undefined || granted.includes(permission) || (method === 'GET' && granted.includes('read'))
    ? null
    : refuse(-2003, `The key has no permission for ${permission}.`);
};

// The checks of a legacy request: no key and no codes, only a status (specification §7).

/** Q13. */
const servedPath: Check = ({ state, endpoint, request }) => {
  const { legacyPaths } = state.controls.quirks;
  if (endpoint.samplePath === undefined || legacyPaths === 'both') return null;
  return (legacyPaths === 'versioned') === (request.path === endpoint.path) ? null : refuseByStatus(404);
};

const rightMethod: Check = ({ endpoint, request }) => (request.method === endpoint.method ? null : refuseByStatus(405));

const knownMarket: Check = (visit) => {
  if (visit.endpoint.samplePath === undefined) return null;
  const market = parameter(parseQuery(visit.request.query) ?? NO_QUERY, 'market');
  if (!market) return refuseByStatus(400);
  const { instruments } = visit.state.settings.engine;
  visit.instrument = instruments.find((instrument) => marketKey(instrument) === market) ?? null;
  return visit.instrument === null ? refuseByStatus(404) : null;
};

/** The order of checks; an unknown path comes before all of them, the endpoint's own parameters after. */
const PUBLIC_GATE: readonly Check[] = [
  notDisabled, // -1404
  notInMaintenance, // -1125
  withinRateLimit, // -1003
  readableQuery, // -1009
];
const SIGNED_GATE: readonly Check[] = [
  ...PUBLIC_GATE,
  credentialsGiven, // -1001
  knownKey, // -2015
  allowedAddress, // -1015
  ({ query }) => unusableStamp(query), // -1106, -1023
  ({ state, query, now }) => outsideRecvWindow(stampOf(query), ownTime(state, now)), // -1021
  readableBody, // -1009
  rightSignature, // -1022
  identified, // -2004
  permitted, // -2003
];

const LEGACY_GATE: readonly Check[] = [
  servedPath, // 404
  rightMethod, // 405
  notDisabled, // 404
  notInMaintenance, // 503
  withinRateLimit, // 429
  knownMarket, // 400, 404
];

function keyHeader(visit: Visit): string | undefined {
  return headerOf(visit.request, visit.state.keyHeader);
}

/** The query's signature, else the header's where that is allowed. */
function signatureGiven({ state, query, request }: Visit): string | undefined {
  const { signatureHeader } = state.controls.quirks;
  const inHeader = signatureHeader === null ? undefined : headerOf(request, signatureHeader.toLowerCase());
  return signatureOf(query) || inHeader;
}

/** The fields of a JSON object; null for any other text. */
export function parseFields(body: string): Fields | null {
  const json = readJson(body);
  if (!json.ok) return null;
  const { value } = json;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}
