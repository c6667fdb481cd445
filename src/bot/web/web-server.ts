// The page, the status as JSON, the metrics and two questions for machines: healthy? ready? Nothing here changes
// anything.
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { invariant } from '../../domain/invariant.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { pagePortRefusal } from '../base/usable-port.ts';
import { addHistoryRoute, type HistorySource } from '../memory/history-route.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { allowedHosts, createGuard, isLoopback, SECURITY_HEADERS } from '../settings/checks/request-guard.ts';
import { urlHost } from '../settings/resolve.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { readPageFiles } from './page-files.ts';

export interface WebOptions {
  /** Loopback: whoever can reach the page can read it. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly status: () => BotStatus;
  /** Whether the first reconciliation was clean. */
  readonly ready: () => boolean;
  /** False once the program has contradicted itself or can't write. */
  readonly healthy: () => boolean;
  readonly metrics: Metrics;
  /** What happened until now. */
  readonly past: HistorySource;
  readonly log: Log;
}

export interface WebServer {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /** Ends open connections too. */
  close(): Promise<void>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const BODY_MAX_BYTES = 1_024;
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 64;

/** Throws `StartError` (69) where the port can't be had. The host was judged with the configuration. */
export async function startWeb(options: WebOptions): Promise<WebServer> {
  const { host, port, log } = options;
  invariant(isLoopback(host), () => `The page would listen on ${host}, where others could read it.`);
  let hosts: ReadonlySet<string> = new Set();
  const app = buildApp(options, () => hosts);
  await listen(app, options);
  const address = app.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  hosts = allowedHosts(host, bound);
  const url = `http://${urlHost(host)}:${bound}`;
  log.logEvent({ op: 'web-open', message: `The page is at ${url}.`, url });
  return { url, close: () => app.close() };
}

function buildApp(options: WebOptions, hosts: () => ReadonlySet<string>): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: 1_000, maxHeaderSize: 8_192 },
    forceCloseConnections: true,
    frameworkErrors: (_error, _request, reply) => void plain(reply, 400, 'The request is malformed.'),
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  // Node ignores `requestTimeout` while the limit for the headers, a minute by default, is longer.
  app.server.headersTimeout = REQUEST_TIMEOUT_MS;
  const guard = createGuard(hosts, options.log);
  app.addHook('onRequest', async (request, reply) => guard(request, reply));
  app.setNotFoundHandler((_request, reply) => plain(reply, 404, 'There is nothing at this address.'));
  app.setErrorHandler((error, _request, reply) => {
    // The message of an error may hold what nobody should read: only its name is said.
    const name = error instanceof Error ? error.name : typeof error;
    options.log.logEvent({ op: 'web-failed', level: 'error', message: `The page could not answer: ${name}.` });
    return plain(reply, 500, 'The bot could not answer; its log says more.');
  });
  for (const [path, { contentType, body }] of readPageFiles()) {
    app.get(path, (_request, reply) => reply.type(contentType).send(body));
  }
  addStatusRoutes(app, options);
  addHistoryRoute(app, options.past);
  return app;
}

function addStatusRoutes(app: FastifyInstance, { status, ready, healthy, metrics, log }: WebOptions): void {
  const json = (reply: FastifyReply, code: number, value: object): FastifyReply =>
    reply
      .code(code)
      .type(JSON_TYPE)
      .send(log.scrub(JSON.stringify(value)));
  app.get('/api/status', (_request, reply) => json(reply, 200, status()));
  app.get('/metrics', async (_request, reply) => {
    metrics.update(status());
    return reply.type(metrics.contentType).send(log.scrub(await metrics.text()));
  });
  app.get('/health', (_request, reply) => {
    const well = healthy();
    return json(reply, well ? 200 : 503, well ? { ok: true } : { ok: false, reason: whyNotHealthy(status()) });
  });
  app.get('/ready', (_request, reply) => {
    const isReady = ready();
    return json(reply, isReady ? 200 : 503, { ready: isReady, ...(isReady ? {} : { blockers: blockersOf(status()) }) });
  });
}

function whyNotHealthy({ stopping, trader }: BotStatus): string {
  if (stopping !== null) return stopping;
  return trader.latched ?? 'The bot contradicted itself or cannot write its journal: it sends nothing more and ends.';
}

/** Never empty: `not ready` without a reason helps nobody. */
function blockersOf({ trader }: BotStatus): readonly string[] {
  return trader.blockers.length > 0 ? trader.blockers : [`The bot is ${trader.phase}; nothing has been compared yet.`];
}

function plain(reply: FastifyReply, code: number, sentence: string): FastifyReply {
  return reply.headers(SECURITY_HEADERS).code(code).type('text/plain; charset=utf-8').send(`${sentence}\n`);
}

async function listen(app: FastifyInstance, { host, port }: WebOptions): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    const code = systemCode(error);
    await app.close();
    throw pagePortRefusal({ host, port }, code);
  }
}
