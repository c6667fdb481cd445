// The checks of a legacy request: no key and no codes, only a status (specification §7).

import type { Instrument } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { ENDPOINTS, type Endpoint } from '../../venue/endpoints.ts';
import type { ExchangeState } from '../state/state.ts';
import type { PaperRequest } from '../wire/messages.ts';
import { parameter, parseQuery } from '../wire/query.ts';
import type { Quirks } from '../wire/quirks.ts';
import { countRequest, type RateReading } from '../wire/rate-limit.ts';

/** A legacy request on its way through the gate, with what the checks have found so far. */
export interface LegacyVisit {
  readonly state: ExchangeState;
  readonly request: PaperRequest;
  readonly endpoint: Endpoint;
  readonly now: EpochMs;
  /** Set by `withinRateLimit`. */
  rate: RateReading | null;
  /** Set by `knownMarket`; `null` where the endpoint takes none. */
  instrument: Instrument | null;
}

/** A status of the legacy table; 200 is no refusal. */
type Status = number;
type Check = (visit: LegacyVisit) => Status | null;

/** The legacy endpoint at a path, for any method; `null` for any other path. */
export function legacyEndpointOf({ path }: Pick<PaperRequest, 'path'>): Endpoint | null {
  return ROUTES.get(path) ?? null;
}

const LEGACY = Object.values(ENDPOINTS).filter((row) => row.interface === 'legacy');
const ROUTES = new Map(LEGACY.flatMap((row) => [row.path, row.samplePath ?? row.path].map((path) => [path, row])));

/** The status of the first refusal; `null` when the request passes. */
export function passLegacyGate(visit: LegacyVisit): Status | null {
  for (const check of GATE) {
    const refusal = check(visit);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Q13. */
const servedPath: Check = ({ state, endpoint, request }) =>
  isServed(endpoint, request.path, state.controls.quirks) ? null : 404;

function isServed(endpoint: Endpoint, path: string, { legacyPaths }: Pick<Quirks, 'legacyPaths'>): boolean {
  if (endpoint.samplePath === undefined || legacyPaths === 'both') return true;
  return (legacyPaths === 'versioned') === (path === endpoint.path);
}

const notDisabled: Check = ({ state, endpoint }) =>
  state.controls.disabledEndpoints.includes(endpoint.name) ? 404 : null;

const rightMethod: Check = ({ endpoint, request }) => (request.method === endpoint.method ? null : 405);

const notInMaintenance: Check = ({ state }) => (state.controls.maintenance ? 503 : null);

/** Q18. */
const withinRateLimit: Check = (visit) => {
  const { state, request, now } = visit;
  const { quirks, rateLimits } = state.controls;
  const lane = quirks.legacyRateLimit === 'shared' ? 'public' : 'legacy';
  const scope = { by: 'address', name: `${lane} ${request.ip}`, windows: rateLimits[lane] } as const;
  visit.rate = countRequest(state.rateCounts, scope, now);
  return visit.rate === null || visit.rate.allowed ? null : 429;
};

const knownMarket: Check = (visit) => {
  if (visit.endpoint.samplePath === undefined) return null;
  const query = parseQuery(visit.request.query);
  const market = query === null ? null : parameter(query, 'market');
  if (!market) return 400;
  const { instruments } = visit.state.settings.engine;
  visit.instrument = instruments.find((instrument) => marketKey(instrument) === market) ?? null;
  return visit.instrument === null ? 404 : null;
};

/** The order of checks. */
const GATE: readonly Check[] = [
  servedPath, // 404
  rightMethod, // 405
  notDisabled, // 404
  notInMaintenance, // 503
  withinRateLimit, // 429
  knownMarket, // 400, 404
];

/** Base and quote in lower case without a separator. If two instruments share one, it means the first. */
export function marketKey({ base, quote }: Pick<Instrument, 'base' | 'quote'>): string {
  return `${base}${quote}`.toLowerCase();
}
