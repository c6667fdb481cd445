// The routes of the paper exchange's own port: everything goes to the exchange, but for what it tells about itself.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../ports/clock.ts';
import { OPENAPI_VERSION, openApiDocument } from '../../venue/documents/openapi.ts';
import { truth } from '../control/truth.ts';
import { hasEnded } from '../engine/crowd-end.ts';
import type { PaperSettings } from '../state/settings.ts';
import type { Quirks } from '../wire/quirks.ts';
import { Connections } from './connections.ts';
import { carry } from './delivery.ts';
import { sendResponse } from './messages.ts';
import { answerMalformedHttp, BODY_MAX_BYTES, refusal, refuseImproper, unknownPath } from './refusals.ts';
import type { Shell } from './shell.ts';
import type { Waits } from './waits.ts';

/** A request must be complete within this, else 408: a slow client costs a socket, not for ever. */
const REQUEST_TIMEOUT_MS = 10_000;

interface AppParts {
  readonly shell: Shell;
  readonly waits: Waits;
  readonly clock: Clock;
  readonly settings: Pick<PaperSettings, 'exposeTruth' | 'apiKeyHeader'>;
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
    // Before any route: a path that can't be decoded is HTTP, and one that the interface does not know.
    frameworkErrors: (error, _request, reply) =>
      void sendResponse(
        reply,
        error.code === 'FST_ERR_BAD_URL' ? unknownPath(shell) : refusal(shell, error.statusCode),
      ),
  });
  // Without it Node.js does not look at the timeout of the request either, as long as that is the shorter one.
  app.server.headersTimeout = REQUEST_TIMEOUT_MS;
  // Who closes its half after asking still waits for the answer. Node.js has this switch and doesn't document it.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  refuseImproper(app, ways);
  addOwnRoutes(app, parts);
  const toExchange = async (request: FastifyRequest, reply: FastifyReply) => {
    const { delivery, answered } = shell.receive(request);
    const respond = async () => {
      const response = await shell.respond(request, waits);
      answered(response);
      return response;
    };
    if (delivery === null) return sendResponse(reply, await respond());
    await carry(delivery, { request, reply, waits, respond, date: () => shell.date() });
    return reply;
  };
  app.all('/*', toExchange);
  app.setNotFoundHandler(toExchange);
  return app;
}

function addOwnRoutes(app: FastifyInstance, parts: AppParts): void {
  const { shell, clock, settings, warnings = [] } = parts;
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
  if (!settings.exposeTruth) return;
  app.get<{ Querystring: { others?: string; fills?: string } }>('/paper/truth', ({ query }) =>
    truth(shell.state, { others: query.others === 'true', fills: query.fills === 'true' }),
  );
}

/** The document of the exchange as it answers now. Made anew only when that was changed: it takes 0.1 s. */
function openApiBytes({ shell, settings: { apiKeyHeader }, url }: AppParts): () => Buffer {
  let made: { readonly errors: Quirks; readonly bytes: Buffer } | null = null;
  return () => {
    const errors = shell.quirks;
    if (made?.errors === errors) return made.bytes;
    const addresses = { baseUrl: url(), legacyBaseUrl: url() };
    const document = openApiDocument({ version: OPENAPI_VERSION, ...addresses, apiKeyHeader, errors });
    made = { errors, bytes: Buffer.from(JSON.stringify(document), 'utf8') };
    return made.bytes;
  };
}
