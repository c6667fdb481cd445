// The paper exchange: a request in, an answer out, everything between as a function of the state and the time.
import type { EpochMs } from '../domain/time.ts';
import { createEngine } from '../matching/engine.ts';
import { PAPER_INSTANCE_HEADER } from '../venue/endpoints.ts';
import { replyOf } from './answers/answers.ts';
import { advance, lookBack } from './engine/advance.ts';
import { openAccount } from './engine/snapshot.ts';
import { endpointOf, openVisit, passGate } from './gate/gate.ts';
import { createBackOffice } from './state/back-office.ts';
import type { Answer, CreateInFlight } from './state/in-flight.ts';
import type { PaperSettings } from './state/settings.ts';
import { type Controls, clockTime, type ExchangeState, ownTime, unsavedParts } from './state/state.ts';
import {
  httpDate,
  type PaperRequest,
  type PaperResponse,
  type Reply,
  rateHeaders,
  refuse,
  render,
  withoutCode,
} from './wire/messages.ts';
import { countRequest, type RateReading } from './wire/rate-limit.ts';

/** On every answer: names the exchange that gives it. */
export const INSTANCE_HEADER = PAPER_INSTANCE_HEADER.toLowerCase();

/**
 * A new exchange: accounts with their first balances, the crowd at its beginning, an empty book. Throws on bad
 * settings.
 */
export function createExchange(settings: PaperSettings, startAt: EpochMs): ExchangeState {
  const { history } = settings;
  const from = startAt - (history?.lastsMs ?? 0);
  const state: ExchangeState = {
    ...unsavedParts(settings, settings.instanceId),
    accounts: new Map(),
    owners: new Map(),
    markets: new Map(),
    backOffice: createBackOffice(settings.engine),
    crowdState: settings.crowd?.start(from),
    crowdClock: { venueAt: from, crowdAt: from },
    engine: createEngine(settings.engine),
    lastAt: from,
    aheadMs: 0,
  };
  for (const account of settings.accounts) openAccount(state, account);
  if (history !== undefined) lookBack(state, startAt, history.actingMs);
  advance(state, startAt);
  return state;
}

/** Changes controls at runtime. */
export function control(state: ExchangeState, change: Partial<Controls>): void {
  Object.assign(state.controls, change);
}

/**
 * Answers one request at the time `clockNow`, after advancing to it; both change the state in place. Never throws,
 * whatever the request contains.
 */
export function answer(state: ExchangeState, request: PaperRequest, clockNow: EpochMs): Answer {
  advance(state, clockNow);
  const now = state.lastAt;
  const endpoint = endpointOf(request);
  if (endpoint === null) return atOnce(state, { reply: refuse(-1404, 'Endpoint not found.'), rate: null, now });
  const visit = openVisit(state, { request, endpoint, now });
  const reply = passGate(visit) ?? replyOf(visit);
  if (reply.kind === 'create') return later(state, reply);
  return atOnce(state, { reply: endpoint.interface === 'legacy' ? withoutCode(reply) : reply, rate: visit.rate, now });
}

/** Returns the answer that `answer` announced for later: from its `dueAt` on. Earlier it is announced again. */
export function collect(state: ExchangeState, create: CreateInFlight, now: EpochMs): Answer {
  advance(state, now);
  const { reply, rate } = create;
  return reply === null ? later(state, create) : atOnce(state, { reply, rate, now: state.lastAt });
}

/**
 * Counts a request for a public document, which is no endpoint. Returns the refusal where the rate limit is used up,
 * else `null`.
 */
export function refusePublic(state: ExchangeState, ip: string, now: EpochMs): PaperResponse | null {
  const windows = state.controls.rateLimits.public;
  const rate = countRequest(state.rateCounts, { by: 'address', name: `public ${ip}`, windows }, now);
  if (rate === null || rate.allowed) return null;
  return responseOf(state, { reply: refuse(-1003, 'Too many requests.'), rate, now });
}

interface Given {
  readonly reply: Reply;
  readonly rate: RateReading | null;
  readonly now: EpochMs;
}

const later = (state: ExchangeState, create: CreateInFlight): Answer => ({
  kind: 'later',
  create,
  dueAt: clockTime(state, create.dueAt),
});

const atOnce = (state: ExchangeState, given: Given): Answer => ({ kind: 'now', response: responseOf(state, given) });

function responseOf(state: ExchangeState, { reply, rate, now }: Given): PaperResponse {
  const { quirks } = state.controls;
  const ownNow = ownTime(state, now);
  const ownRate = rate && { ...rate, resetAt: ownTime(state, rate.resetAt) };
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    date: httpDate(ownNow),
    [INSTANCE_HEADER]: state.instanceId,
    ...rateHeaders(ownRate, quirks, ownNow),
  };
  return { ...render(reply, quirks), headers };
}
