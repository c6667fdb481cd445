// The routes of the paper exchange's own port: all go to the exchange, except those about itself.

import type { Duplex } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../ports/clock.ts';
import { OPENAPI_VERSION, openApiDocument } from '../../venue/documents/openapi.ts';
import { truth } from '../control/truth.ts';
import { hasEnded } from '../engine/advance.ts';
import type { PaperSettings } from '../state/settings.ts';
import type { PaperResponse } from '../wire/messages.ts';
import { Connections, MOST_AT_EXCHANGE } from './connections.ts';
import { carry } from './delivery.ts';
import { lastBytes, type Shell, sendResponse, type Waits } from './shell.ts';

/** A request must be complete within this, else 408: a slow client must not hold a socket forever. */
const REQUEST_TIMEOUT_MS = 10_000;

interface AppParts {
  readonly shell: Shell;
  readonly waits: Waits;
  readonly clock: Clock;
  readonly settings: Pick<PaperSettings, 'apiKeyHeader'>;
  readonly warnings?: readonly string[];
  /** Known once it listens. */
  readonly url: () => string;
}

export function buildApp(parts: AppParts): FastifyInstance {
  const { shell, waits } = parts;
  const ways = { shell, waits, connections: new Connections() };
  const app = fastify({
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: 1_000, requireHostHeader: false },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => void answerMalformedHttp(error, socket, ways),
    // Before any route: a path that can't be decoded is refused as HTTP, any other as an unknown path of the interface.
    frameworkErrors: (error, _request, reply) =>
      void sendResponse(
        reply,
        error.code === 'FST_ERR_BAD_URL' ? unknownPath(shell) : refusal(shell, error.statusCode),
      ),
  });
  // Otherwise Node.js ignores the request timeout too, as long as that is the shorter one.
  app.server.headersTimeout = REQUEST_TIMEOUT_MS;
  // A client that closes its half after asking still gets the answer. Node.js has this switch and doesn't document it.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  refuseImproper(app, ways);
  addOwnRoutes(app, parts);
  const toExchange = async (request: FastifyRequest, reply: FastifyReply) => {
    const { fault, answered } = shell.receive(request);
    const respond = async () => {
      const response = await shell.respond(request, waits);
      answered(response);
      return response;
    };
    if (fault === null) return sendResponse(reply, await respond());
    await carry(fault, { request, reply, waits, respond, quirks: shell.quirks, date: () => shell.date() });
    return reply;
  };
  app.all('/*', toExchange);
  app.setNotFoundHandler(toExchange);
  return app;
}

function addOwnRoutes(app: FastifyInstance, parts: AppParts): void {
  const { shell, clock, warnings = [] } = parts;
  app.get('/paper/health', (_request, reply) => {
    const well = shell.isOpen && !shell.broken;
    const { instanceId, maintenance, ended } = shell.isOpen
      ? {
          instanceId: shell.state.instanceId,
          maintenance: shell.state.controls.maintenance,
          ended: hasEnded(shell.state),
        }
      : { instanceId: null, maintenance: false, ended: false };
    void reply.code(well ? 200 : 503);
    return { ok: well, instanceId, maintenance, ended, warnings, now: clock.now() };
  });
  const document = openApiBytes(parts);
  app.get('/openapi.json', (request, reply) => {
    const refused = shell.countPublic(request);
    if (refused !== null) return sendResponse(reply, refused);
    return reply.type('application/json; charset=utf-8').send(document());
  });
  // All accounts' balances and orders, without a key.
  app.get<{ Querystring: { others?: string; fills?: string } }>('/paper/truth', ({ query }) =>
    truth(shell.state, { others: query.others === 'true', fills: query.fills === 'true' }),
  );
}

/** Takes 0.1 s, so it is built once. */
function openApiBytes({ settings: { apiKeyHeader }, url }: AppParts): () => Buffer {
  let bytes: Buffer | null = null;
  return () => {
    const addresses = { baseUrl: url(), legacyBaseUrl: url() };
    bytes ??= Buffer.from(JSON.stringify(openApiDocument({ version: OPENAPI_VERSION, ...addresses, apiKeyHeader })));
    return bytes;
  };
}

// Answers to requests that never reach the exchange: bytes that are not HTTP, or too many of them. The interface has no
// codes for these: the answer is an HTTP status and a sentence.

const BODY_MAX_BYTES = 64 * 1024;
/**
 * How long a connection stays open after a refusal before its body was read: if closed at once, the system would reset
 * it, and the caller might never read the reason.
 */
const LINGER_MS = 1_000;

const TOO_LARGE = `The body is larger than ${BODY_MAX_BYTES} bytes.`;
const SENTENCES: Readonly<Record<number, string>> = {
  408: 'The request did not become whole in time.',
  413: TOO_LARGE,
  415: 'The header Content-Type names no media type.',
  431: 'The headers are too large.',
};
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
/** Bytes after a request that said `Connection: close`: not a request, and no client waits for an answer. */
const AFTER_THE_LAST = 'HPE_CLOSED_CONNECTION';

interface Parts {
  readonly shell: Shell;
  readonly waits: Waits;
  readonly connections: Connections;
}

/**
 * For bytes that are no HTTP request, or an incomplete one: sends one more answer after those before it, and ends the
 * connection.
 */
async function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Duplex, parts: Parts): Promise<void> {
  const { shell, waits, connections } = parts;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (!connections.end(socket, 'bytes')) return;
  await connections.answered(socket);
  const status = STATUSES[error.code ?? ''] ?? 400;
  if (error.code === AFTER_THE_LAST) socket.end();
  else if (socket.writable) socket.end(lastBytes(refusal(shell, status)));
  await waits.wait(LINGER_MS);
  socket.destroy();
}

/** Adds the refusals to a server: every improper request is answered with a status and a sentence. */
function refuseImproper(app: FastifyInstance, parts: Parts): void {
  const { shell, connections } = parts;
  connections.watch(app.server, MOST_AT_EXCHANGE);
  app.server.on('connect', async (_request, socket) => {
    socket.on('error', () => socket.destroy());
    await connections.answered(socket);
    socket.end(lastBytes(unknownPath(shell)));
  });
  app.server.on('checkExpectation', (request, response) => {
    if (!connections.end(request.socket, 'bytes')) return;
    const { headers, body } = refusal(shell, 417, 'The only expectation that is met is 100-continue.');
    response.writeHead(417, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const wrongHost = hostTrouble(request);
    if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) void refuseTooLarge(request, reply, parts);
    else if (wrongHost !== null) {
      connections.end(request.raw.socket, 'request');
      sendResponse(reply.header('connection', 'close'), refusal(shell, 400, wrongHost));
    } else done();
  });
  app.setErrorHandler<{ statusCode?: number }>((error, request, reply) => {
    if (error.statusCode === 413) void refuseTooLarge(request, reply, parts);
    else sendResponse(reply, refusal(shell, error.statusCode));
  });
}

const unknownPath = (shell: Shell): PaperResponse =>
  shell.refuseWith({ status: 404, code: -1404, msg: 'Endpoint not found.' });

function refusal(shell: Shell, status = 500, sentence?: string): PaperResponse {
  if (status >= 500) return shell.refuseWith({ status: 500, code: -4001, msg: 'Internal server error.' });
  return shell.refuseHttp(status, sentence ?? SENTENCES[status] ?? 'The request is malformed.');
}

/** HTTP/1.1 requires it exactly once: a request without it, or with several, is refused (RFC 9112, 3.2). */
function hostTrouble({ raw }: FastifyRequest): string | null {
  const count = raw.headersDistinct.host?.length ?? 0;
  if (count > 1) return 'The header Host is given more than once.';
  return count === 0 && raw.httpVersion === '1.1' ? 'The header Host is missing.' : null;
}

async function refuseTooLarge(request: FastifyRequest, reply: FastifyReply, parts: Parts): Promise<void> {
  const { shell, waits, connections } = parts;
  const { socket } = request.raw;
  connections.end(socket, 'request');
  reply.hijack();
  request.raw.pause();
  await connections.answered(socket, request.raw);
  if (socket.writable) socket.write(lastBytes(refusal(shell, 413)));
  await waits.wait(LINGER_MS);
  socket.destroy();
}
