// The routes of the paper exchange's own port: all go to the exchange, except those about itself.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../ports/clock.ts';
import { OPENAPI_VERSION, openApiDocument } from '../../venue/documents/openapi.ts';
import { truth } from '../control/truth.ts';
import { hasEnded } from '../engine/advance.ts';
import type { PaperSettings } from '../state/settings.ts';
import type { PaperResponse } from '../wire/messages.ts';
import { newServer } from './connections.ts';
import { carry } from './delivery.ts';
import { type Shell, sendResponse, type Waits } from './shell.ts';

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
  const app = newServer({
    bodyLimit: BODY_MAX_BYTES,
    // Before any route: a path that can't be decoded is an unknown path of the interface.
    frameworkErrors: (error, _request, reply) =>
      void sendResponse(
        reply,
        error.code === 'FST_ERR_BAD_URL' ? unknownPath(shell) : refusal(shell, error.statusCode),
      ),
  });
  // A client that closes its half after asking still gets the answer. Node.js has this switch and doesn't document it.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler<{ statusCode?: number }>((error, _request, reply) =>
    sendResponse(reply, refusal(shell, error.statusCode)),
  );
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
    const state = shell.isOpen ? shell.state : null;
    const instanceId = state?.instanceId ?? null;
    const maintenance = state?.controls.maintenance ?? false;
    const ended = state !== null && hasEnded(state);
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

// Refusals of HTTP requests that never reach the exchange. The interface has no codes for these: the answer is an HTTP
// status and a sentence.

const BODY_MAX_BYTES = 64 * 1024;
const SENTENCES: Readonly<Record<number, string>> = {
  413: `The body is larger than ${BODY_MAX_BYTES} bytes.`,
  415: 'The header Content-Type names no media type.',
};

const unknownPath = (shell: Shell): PaperResponse =>
  shell.refuseWith({ status: 404, code: -1404, msg: 'Endpoint not found.' });

function refusal(shell: Shell, status = 500): PaperResponse {
  if (status >= 500) return shell.refuseWith({ status: 500, code: -4001, msg: 'Internal server error.' });
  return shell.refuseHttp(status, SENTENCES[status] ?? 'The request is malformed.');
}
