// The page's routes: its data, and commands.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DurationMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import { csvLines } from '../books/export-columns.ts';
import type { Dates } from '../books/local-time.ts';
import { type HistorySource, historyQuery } from '../memory/history.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { WebSettings } from '../settings/types.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';
import type { BotStatus } from '../status/bot-status.ts';
import type { SteerAnswer } from '../steer/command.ts';
import type { OrderLife } from './order-lives.ts';
import { monthAsked, profitDays } from './profit-days.ts';
import type { RunningParameters } from './running-parameters.ts';
import type { SignIn } from './sign-in.ts';
import { TRADE_LIST_COLUMNS, tradePage, tradeQuery } from './trade-list.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_SIGNED_IN = 'Sign in first, or send a token as `Authorization: Bearer`.';

export function addStatusRoutes(
  app: FastifyInstance,
  { options, shared, signIn }: { readonly options: WebOptions; readonly shared: SharedStatus; readonly signIn: SignIn },
): void {
  const { status, ready, healthy, metrics, past, trades, dates, clock, log } = options;
  const { calendar } = dates;
  const json = (reply: FastifyReply, code: number, value: object): FastifyReply =>
    reply
      .code(code)
      .type(JSON_TYPE)
      .send(log.scrub(JSON.stringify(value)));
  const reader = {
    preHandler: async (request: FastifyRequest, reply: FastifyReply) =>
      signIn.mayRead(request) ? undefined : reply.code(401).send({ refused: NOT_SIGNED_IN }),
  };
  app.get('/api/status', reader, (_request, reply) => {
    const { text, ageMs } = shared.text();
    return reply.type(JSON_TYPE).header('age-ms', String(ageMs)).send(text);
  });
  app.get('/api/parameters', reader, (_request, reply) => json(reply, 200, options.parameters()));
  app.get<{ Params: { id: string } }>('/api/orders/:id/life', reader, (request, reply) => {
    const life = options.orderLife(request.params.id);
    return life === null ? json(reply, 404, { refused: NO_LIFE }) : json(reply, 200, life);
  });
  if (past !== null) {
    // Prices, quotes, inventory and equity of a symbol over time, with its fills.
    app.get<{ Querystring: Record<string, unknown> }>('/api/history', reader, (request, reply) => {
      const query = historyQuery(request.query, { symbols: past.symbols(), now: clock.now() });
      if (!query.ok) return json(reply, 400, { error: query.error });
      const answer = past.history(query.value);
      return answer === null ? json(reply, 503, { error: NO_HISTORY }) : json(reply, 200, answer);
    });
    app.get<{ Querystring: Record<string, unknown> }>('/api/days', reader, (request, reply) => {
      const month = monthAsked(request.query, { calendar, now: clock.now() });
      return month.ok
        ? json(reply, 200, profitDays(past, month.value, calendar))
        : json(reply, 400, { error: month.error });
    });
  }
  if (trades !== null) {
    app.get<{ Querystring: Record<string, unknown> }>('/api/trades', reader, (request, reply) => {
      const query = tradeQuery(request.query, calendar);
      if (!query.ok) return json(reply, 400, { error: query.error });
      const page = tradePage(trades, query.value);
      if (query.value.format === 'json') return json(reply, 200, page);
      const text = [...csvLines(TRADE_LIST_COLUMNS, page.rows, dates), ''].join('\n');
      return reply
        .type('text/csv; charset=utf-8')
        .header('next', String(page.next ?? ''))
        .send(log.scrub(text));
    });
  }
  if (metrics !== null) {
    app.get('/metrics', reader, async (_request, reply) => {
      metrics.update(shared.status());
      return reply.type(metrics.contentType).send(log.scrub(await metrics.text()));
    });
  }
  // Anonymous monitors learn whether it is healthy, but not why not.
  app.get('/health', (request, reply) => {
    if (healthy()) return json(reply, 200, { ok: true });
    return json(reply, 503, { ok: false, ...(signIn.mayRead(request) ? { reason: whyNotHealthy(status()) } : {}) });
  });
  app.get('/ready', (request, reply) => {
    if (ready()) return json(reply, 200, { ready: true });
    return json(reply, 503, { ready: false, ...(signIn.mayRead(request) ? { blockers: blockersOf(status()) } : {}) });
  });
}

const NO_HISTORY = 'Nothing is remembered yet: ask again in some seconds.';
const NO_LIFE = 'Nothing of this order is kept: its log begins with the start of the bot, and old ones are forgotten.';

function whyNotHealthy({ stopping, trader }: BotStatus): string {
  if (stopping !== null) return stopping;
  return trader.latched ?? 'The bot contradicted itself or cannot write its journal: it sends nothing more and ends.';
}

/** Never empty: `not ready` without a reason helps nobody. */
function blockersOf({ trader }: BotStatus): readonly string[] {
  return trader.blockers.length > 0 ? trader.blockers : [`The bot is ${trader.phase}; nothing has been compared yet.`];
}

// One status for all open pages: made at most once a second, however many ask.

/** How often an open page asks at least. */
export const PAGE_ASKS_MS: DurationMs = 1_200;
/** Requests within this time get the same status, since pages ask once a second. */
const SHARED_MS: DurationMs = 900;

export type SharedStatus = ReturnType<typeof sharedStatus>;

export function sharedStatus(
  make: () => BotStatus,
  { clock, scrub }: { readonly clock: Clock; readonly scrub: (text: string) => string },
) {
  let askedAt: DurationMs | null = null;
  let made: { readonly at: DurationMs; readonly status: BotStatus; text: string | null } | null = null;
  const current = () => {
    const now = clock.monotonic();
    if (made === null || now - made.at >= SHARED_MS) made = { at: now, status: make(), text: null };
    return made;
  };
  return {
    /** As JSON, with its age. */
    text(): { readonly text: string; readonly ageMs: DurationMs } {
      const found = current();
      askedAt = clock.monotonic();
      found.text ??= scrub(JSON.stringify(found.status));
      return { text: found.text, ageMs: Math.round(clock.monotonic() - found.at) };
    },
    status: (): BotStatus => current().status,
    /** Something has changed: the next request gets a fresh status. */
    forget(): void {
      made = null;
    },
    askedAt: (): DurationMs | null => askedAt,
    /** Whether a page is open; on a busy machine it asks later. */
    isWatched: (): boolean => askedAt !== null && clock.monotonic() - askedAt < 4 * PAGE_ASKS_MS,
  };
}

// Commands from the page: the same as through the socket in the state folder, by a person signed in with full control.

/** Checks a command and performs it. */
export type Steer = (command: unknown) => SteerAnswer | Promise<SteerAnswer>;

const NOBODY = 'Nobody is signed in here, or no more: sign in again. Nothing was changed.';
const READER = 'This tab may only look: sign in here with the token to steer. Nothing was changed.';
const BUSY = 'Another command is being performed: wait for its answer. Nothing was changed.';
const GONE = 'The bot has stopped: there is nothing to steer.';
const NO_OBJECT = 'A command was expected, without `by`: who says it, the session knows. Nothing was changed.';

export function addCommandRoute(
  app: FastifyInstance,
  { steer, signIn }: Pick<WebOptions, 'steer'> & { readonly signIn: SignIn },
): void {
  let isBusy = false;
  app.post('/api/command', async (request, reply) => {
    const refuse = (code: number, refused: string) => reply.code(code).send({ refused });
    const session = signIn.sessionOf(request);
    if (session === null) return refuse(401, NOBODY);
    if (session.role !== 'steer') return refuse(403, READER);
    if (steer === null) return refuse(409, GONE);
    const { body } = request;
    if (typeof body !== 'object' || body === null || Array.isArray(body) || 'by' in body) return refuse(400, NO_OBJECT);
    if (isBusy) return refuse(409, BUSY);
    isBusy = true;
    try {
      const answer = await steer({ ...body, by: session.by });
      return reply.code('refused' in answer ? 409 : 200).send(answer);
    } finally {
      isBusy = false;
    }
  });
}

// The page's interface to the bot.

export interface WebOptions {
  /** Port 0 means chosen by the system. */
  readonly web: WebSettings;
  /** Where the tokens are. */
  readonly stateFolder: string;
  readonly status: () => BotStatus;
  /** Each symbol's current parameters. */
  readonly parameters: () => readonly RunningParameters[];
  readonly orderLife: (id: string) => OrderLife | null;
  /** Null if there is no bot to control. */
  readonly steer: Steer | null;
  /** Whether the first reconciliation was clean. */
  readonly ready: () => boolean;
  /** False once the program has contradicted itself or can't write. */
  readonly healthy: () => boolean;
  /** Null if nothing is measured. */
  readonly metrics: Metrics | null;
  /** The recorded history; null if there is none. */
  readonly past: HistorySource | null;
  /** The journal's records of trades; null if no bot holds it. */
  readonly trades: BotJournal['trades'] | null;
  /** Days and years of the configuration. */
  readonly dates: Dates;
  readonly clock: Clock;
  readonly log: Log;
}
