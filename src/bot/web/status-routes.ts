// What is only read: the status as JSON, the metrics, and two questions for machines: healthy? ready?
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BotStatus } from '../status/bot-status.ts';
import type { SharedStatus } from './shared-status.ts';
import type { SignIn } from './sign-in.ts';
import type { WebOptions } from './web-options.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_SIGNED_IN = 'Sign in first, or send a token as `Authorization: Bearer`.';

export interface StatusParts {
  readonly options: WebOptions;
  readonly shared: SharedStatus;
  readonly signIn: SignIn;
}

export function addStatusRoutes(app: FastifyInstance, { options, shared, signIn }: StatusParts): void {
  const { status, ready, healthy, metrics, log } = options;
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
  if (metrics !== null) {
    app.get('/metrics', reader, async (_request, reply) => {
      metrics.update(shared.status());
      return reply.type(metrics.contentType).send(log.scrub(await metrics.text()));
    });
  }
  // Whoever watches from elsewhere learns whether, and not why.
  app.get('/health', (request, reply) => {
    if (healthy()) return json(reply, 200, { ok: true });
    return json(reply, 503, { ok: false, ...(signIn.mayRead(request) ? { reason: whyNotHealthy(status()) } : {}) });
  });
  app.get('/ready', (request, reply) => {
    if (ready()) return json(reply, 200, { ready: true });
    return json(reply, 503, { ready: false, ...(signIn.mayRead(request) ? { blockers: blockersOf(status()) } : {}) });
  });
}

const NO_LIFE = 'Nothing of this order is kept: its log begins with the start of the bot, and old ones are forgotten.';

function whyNotHealthy({ stopping, trader }: BotStatus): string {
  if (stopping !== null) return stopping;
  return trader.latched ?? 'The bot contradicted itself or cannot write its journal: it sends nothing more and ends.';
}

/** Never empty: `not ready` without a reason helps nobody. */
function blockersOf({ trader }: BotStatus): readonly string[] {
  return trader.blockers.length > 0 ? trader.blockers : [`The bot is ${trader.phase}; nothing has been compared yet.`];
}
