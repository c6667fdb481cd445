// The routes of a bot's page beside those of every page.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { csvLines } from '../books/export-columns.ts';
import type { Dates } from '../books/local-time.ts';
import { type HistorySource, historyQuery } from '../memory/history.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';
import type { BotStatus } from '../status/bot-status.ts';
import type { OrderLife } from './order-lives.ts';
import type { ServedPage } from './page-server.ts';
import { monthAsked, profitDays } from './profit-days.ts';
import type { RunningParameters } from './running-parameters.ts';
import { JSON_TYPE, readersOnly, type SharedStatus, type Steer } from './shared-routes.ts';
import type { SignIn } from './sign-in.ts';
import { TRADE_LIST_COLUMNS, tradePage, tradeQuery } from './trade-list.ts';

export function addStatusRoutes(
  app: FastifyInstance,
  {
    options,
    shared,
    signIn,
  }: { readonly options: WebOptions; readonly shared: SharedStatus<BotStatus>; readonly signIn: SignIn },
): void {
  const { status, ready, healthy, metrics, past, trades, dates, clock, log } = options;
  const { calendar } = dates;
  const json = (reply: FastifyReply, code: number, value: object): FastifyReply =>
    reply
      .code(code)
      .type(JSON_TYPE)
      .send(log.scrub(JSON.stringify(value)));
  const reader = readersOnly(signIn);
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

// The page's interface to the bot.

export interface WebOptions extends Pick<ServedPage, 'web' | 'stateFolder' | 'clock' | 'log'> {
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
}
