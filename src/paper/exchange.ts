// The paper exchange: a request in, an answer out, everything between as a function of the state and the time.

import { assertNever, invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import { createEngine } from '../matching/engine.ts';
import { PAPER_INSTANCE_HEADER } from '../venue/endpoints.ts';
import { advance } from './advance.ts';
import { answerOpenOrders, answerWallet } from './answer-account.ts';
import { answerCancel, answerCancelAll, answerCancelSymbol } from './answer-cancel.ts';
import { answerCreate } from './answer-create.ts';
import { answerOrderBook, answerPublicTrades, answerSymbols, answerTickers } from './answer-market.ts';
import { answerSpotTrades } from './answer-trades.ts';
import { endpointOf, openVisit, passGate, type Visit } from './gate.ts';
import { httpDate, rateHeaders } from './headers.ts';
import type { PaperRequest, PaperResponse } from './messages.ts';
import { openAccount } from './open-account.ts';
import { type Reply, refuse, render } from './reply.ts';
import type { PaperSettings } from './settings.ts';
import { type Controls, callersOf, type ExchangeState } from './state.ts';

export { advance } from './advance.ts';
export { type ExchangeSnapshot, restore, snapshot } from './snapshot.ts';
export type { ExchangeState } from './state.ts';

const INSTANCE_HEADER = PAPER_INSTANCE_HEADER.toLowerCase();

/** A new exchange: accounts with their first balances, the crowd at its beginning, an empty book. Throws on bad settings. */
export function createExchange(settings: PaperSettings, startAt: EpochMs): ExchangeState {
  invariant(settings.speedFactor > 0, `The crowd's clock can't run at ${settings.speedFactor} times the venue's.`);
  const state: ExchangeState = {
    settings,
    instanceId: settings.instanceId,
    callers: callersOf(settings),
    keyHeader: settings.apiKeyHeader.toLowerCase(),
    controls: { quirks: settings.quirks, maintenance: false },
    accounts: new Map(),
    owners: new Map(),
    markets: new Map(),
    rateCounts: new Map(),
    seats: settings.crowds.map((crowd) => ({ crowd, state: crowd.start(startAt) })),
    crowdClock: { venueAt: startAt, crowdAt: startAt },
    engine: createEngine(settings.engine),
    lastAt: startAt,
    revision: 0,
  };
  for (const account of settings.accounts) openAccount(state, account);
  return advance(state, startAt);
}

/** Changes what may be changed while the exchange runs. */
export function control(state: ExchangeState, change: Partial<Controls>): ExchangeState {
  Object.assign(state.controls, change);
  return state;
}

/**
 * Answers one request at the venue's time `now`, after letting the crowd act until then. The state is changed in place
 * and handed back: the caller must go on with the returned one. Never throws for anything that a request can hold.
 */
export function answer(
  state: ExchangeState,
  request: PaperRequest,
  now: EpochMs,
): { readonly state: ExchangeState; readonly response: PaperResponse } {
  return { state, response: respond(advance(state, now), request, now) };
}

function respond(state: ExchangeState, request: PaperRequest, now: EpochMs): PaperResponse {
  const endpoint = endpointOf(request);
  if (endpoint === null) return finish(state, { reply: refuse(-1404, 'Endpoint not found.'), now, headers: {} });
  const visit = openVisit(state, { request, endpoint, now });
  const reply = passGate(visit) ?? replyOf(visit);
  return finish(state, { reply, now, headers: rateHeaders(visit.rate, state.controls.quirks, now) });
}

function replyOf(visit: Visit): Reply {
  const { name } = visit.endpoint;
  switch (name) {
    case 'tickers':
      return answerTickers(visit);
    case 'symbols':
      return answerSymbols(visit);
    case 'public-trades':
      return answerPublicTrades(visit);
    case 'order-book':
      return answerOrderBook(visit);
    case 'wallet':
      return answerWallet(visit);
    case 'open-orders':
      return answerOpenOrders(visit);
    case 'spot-trades':
      return answerSpotTrades(visit);
    case 'create':
      return answerCreate(visit);
    case 'cancel':
      return answerCancel(visit);
    case 'cancel-symbol':
      return answerCancelSymbol(visit);
    case 'cancel-all':
      return answerCancelAll(visit);
    default:
      return assertNever(name);
  }
}

function finish(
  state: ExchangeState,
  given: { reply: Reply; now: EpochMs; headers: Readonly<Record<string, string>> },
): PaperResponse {
  return {
    ...render(given.reply, state.controls.quirks),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      date: httpDate(given.now),
      [INSTANCE_HEADER]: state.instanceId,
      ...given.headers,
    },
  };
}
