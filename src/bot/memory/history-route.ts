// `GET /api/history`: prices, quotes, inventory and equity of a symbol over time, with its fills. Reads only.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type History, type HistoryQuery, historyQuery } from '../../memory/history.ts';
import { realClock } from '../../ports/clock.ts';

export interface HistorySource {
  /** Those that may be asked for. */
  readonly symbols: () => readonly string[];
  /** Null while nothing is remembered. */
  readonly history: (query: HistoryQuery) => Promise<History | null>;
}

export function addHistoryRoute(
  app: FastifyInstance,
  { symbols, history }: HistorySource,
  mayRead: (request: FastifyRequest) => boolean,
): void {
  app.get('/api/history', async (request, reply) => {
    if (!mayRead(request)) return sentence(reply, 401, 'Sign in first, or send a token as `Authorization: Bearer`.');
    const asked = request.query as Readonly<Record<string, unknown>>;
    const query = historyQuery(asked, { symbols: symbols(), now: realClock.now() });
    if (!query.ok) return sentence(reply, 400, query.error);
    const answer = await history(query.value);
    if (answer === null) return sentence(reply, 503, 'Nothing is remembered yet: ask again in some seconds.');
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  });
}

const sentence = (reply: FastifyReply, code: number, text: string): FastifyReply =>
  reply
    .code(code)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: text }));
