// The routes of the paper exchange's own port: everything goes to the exchange, but for what it tells about itself.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../ports/clock.ts';
import { openApiDocument } from '../venue/openapi.ts';
import { carry } from './server-delivery.ts';
import { sendResponse } from './server-messages.ts';
import { answerMalformedHttp, BODY_MAX_BYTES, malformed, refuseImproper } from './server-refusals.ts';
import type { Shell } from './server-shell.ts';
import type { Waits } from './server-waits.ts';
import type { PaperSettings } from './settings.ts';
import { truth } from './truth.ts';

/** A request must be complete within this, else 408: a slow client costs a socket, not for ever. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Of the description of the interface, which is the specification's. */
const OPENAPI_VERSION = '1.0.0';

interface AppParts {
  readonly shell: Shell;
  readonly waits: Waits;
  readonly clock: Clock;
  readonly settings: Pick<PaperSettings, 'exposeTruth' | 'apiKeyHeader'>;
  /** Known once it listens. */
  readonly url: () => string;
}

export function buildApp(parts: AppParts): FastifyInstance {
  const { shell, waits } = parts;
  const app = fastify({
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: 1_000, requireHostHeader: false },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => answerMalformedHttp(error, socket, shell),
    frameworkErrors: (error, _request, reply) => void sendResponse(reply, malformed(shell, error.statusCode)),
  });
  // Without it Node.js does not look at the timeout of the request either, as long as that is the shorter one.
  app.server.headersTimeout = REQUEST_TIMEOUT_MS;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  refuseImproper(app, { shell, waits });
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

function addOwnRoutes(app: FastifyInstance, { shell, clock, settings, url }: AppParts): void {
  app.get('/paper/health', (_request, reply) => {
    const well = shell.isOpen && !shell.broken;
    const { instanceId, maintenance } = shell.isOpen
      ? { instanceId: shell.state.instanceId, maintenance: shell.state.controls.maintenance }
      : { instanceId: null, maintenance: false };
    void reply.code(well ? 200 : 503);
    return { ok: well, instanceId, maintenance, now: clock.now() };
  });
  app.get('/openapi.json', () => {
    const { apiKeyHeader } = settings;
    return openApiDocument({ version: OPENAPI_VERSION, baseUrl: url(), legacyBaseUrl: url(), apiKeyHeader });
  });
  if (!settings.exposeTruth) return;
  app.get<{ Querystring: { others?: string; fills?: string } }>('/paper/truth', ({ query }) =>
    truth(shell.state, { others: query.others === 'true', fills: query.fills === 'true' }),
  );
}
