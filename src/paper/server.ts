// The HTTP shell of the paper exchange: bytes in, `answer`, bytes out; keeps the state in a file while it runs.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../ports/clock.ts';
import { control } from './exchange.ts';
import type { PaperResponse } from './messages.ts';
import { answerMalformedHttp } from './server-messages.ts';
import { Shell } from './server-shell.ts';
import { PaperStartError, startExchange } from './server-start.ts';
import { systemCodeOf } from './server-state-file.ts';
import { keepState, type StateKeeper } from './server-state-keeper.ts';
import type { PaperSettings } from './settings.ts';
import type { Controls } from './state.ts';
import { truth } from './truth.ts';

export { PaperStartError } from './server-start.ts';

export interface PaperServerOptions {
  /** The server names the instance itself: anew whenever the accounts start anew. */
  readonly settings: Omit<PaperSettings, 'instanceId'>;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where a stopped exchange is kept; `null` forgets it. */
  readonly stateFile: string | null;
}

export interface PaperServer {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  readonly instanceId: string;
  /** Maintenance and quirks, from the next request on. */
  control(change: Partial<Controls>): void;
  /** Closes every connection, then stores the state as stopped in good order. */
  close(): Promise<void>;
}

export const BODY_MAX_BYTES = 64 * 1024;
/** A request must be complete within this, else 408: a slow client costs a socket, not for ever. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How often the crowd acts when nobody asks. */
const TICK_MS = 250;

/** Throws `PaperStartError` when it can't listen or can't use the state file. */
export async function startPaperServer(options: PaperServerOptions): Promise<PaperServer> {
  const shell = new Shell(options);
  const app = buildApp(shell, options);
  // Listens first: whoever has the port may use the file, so a second start can't disturb an exchange that runs.
  await listen(app, options);
  try {
    const state = await startExchange(options);
    shell.open(state);
    const keeper = await keepState(() => shell.state, options);
    const ticking = setInterval(() => shell.tick(), TICK_MS);
    const url = addressOf(app, options);
    options.log.info({ url, instanceId: state.instanceId }, 'The paper exchange is open.');
    const close = () => closeAll({ app, keeper, ticking, shell, log: options.log });
    const change = (wanted: Partial<Controls>) => void control(shell.state, wanted);
    return { url, instanceId: state.instanceId, control: change, close };
  } catch (error) {
    await app.close();
    throw error;
  }
}

interface Running {
  readonly app: FastifyInstance;
  readonly keeper: StateKeeper;
  readonly ticking: NodeJS.Timeout;
  readonly shell: Shell;
  readonly log: Logger;
}

async function closeAll({ app, keeper, ticking, shell, log }: Running): Promise<void> {
  clearInterval(ticking);
  await app.close();
  await keeper.close(!shell.broken);
  log.info('The paper exchange is closed.');
}

async function listen(app: FastifyInstance, { host, port }: PaperServerOptions): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    const code = systemCodeOf(error);
    await app.close();
    throw new PaperStartError(
      code === 'EADDRINUSE'
        ? `Port ${port} of ${host} is taken: stop what listens there, or choose another port.`
        : `The paper exchange can't listen on port ${port} of ${host} (${code}).`,
    );
  }
}

function buildApp(shell: Shell, { settings, clock }: PaperServerOptions): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: 1_000 },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => answerMalformedHttp(error, socket, shell.date()),
    frameworkErrors: (error, _request, reply) => {
      sendResponse(reply, malformed(shell, error.statusCode));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler<{ statusCode?: number }>((error, _request, reply) =>
    sendResponse(reply, malformed(shell, error.statusCode)),
  );
  app.get('/paper/health', (_request, reply) => {
    const well = shell.isOpen && !shell.broken;
    const { instanceId, maintenance } = shell.isOpen
      ? { instanceId: shell.state.instanceId, maintenance: shell.state.controls.maintenance }
      : { instanceId: null, maintenance: false };
    void reply.code(well ? 200 : 503);
    return { ok: well, instanceId, maintenance, now: clock.now() };
  });
  if (settings.exposeTruth) {
    app.get<{ Querystring: { others?: string; fills?: string } }>('/paper/truth', ({ query }) =>
      truth(shell.state, { others: query.others === 'true', fills: query.fills === 'true' }),
    );
  }
  const toExchange = (request: FastifyRequest, reply: FastifyReply) => sendResponse(reply, shell.respond(request));
  app.all('/*', toExchange);
  app.setNotFoundHandler(toExchange);
  return app;
}

function malformed(shell: Shell, status = 500): PaperResponse {
  const msg = status === 413 ? `The body is larger than ${BODY_MAX_BYTES} bytes.` : 'The request is malformed.';
  return shell.refuseWith({ status, code: -1009, msg });
}

function sendResponse(reply: FastifyReply, { status, headers, body }: PaperResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

function addressOf(app: FastifyInstance, { host, port }: PaperServerOptions): string {
  const address = app.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}
