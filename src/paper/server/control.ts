// The control interface of the paper exchange: its own port on this machine, JSON in and out, every refusal a sentence.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ok } from '../../domain/result.ts';
import { readJson } from '../../domain/text.ts';
import type { ControlRoute, RequestLog } from '../control/route.ts';
import { CONTROL_ROUTES, routesOverview } from '../control/routes.ts';
import type { Refusal } from '../control/sentences.ts';
import { listen, newServer } from './connections.ts';
import type { Shell } from './shell.ts';

interface ControlOptions {
  readonly shell: Shell;
  readonly requests: RequestLog;
  readonly log: Logger;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Resolves when the present state is stored. */
  readonly store: () => Promise<void>;
}

export interface ControlServer {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

const BODY_MAX_BYTES = 1_000_000;
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
};

/** Resolves when it listens. Throws `PaperStartError` when the port is not available. */
export async function startControl(options: ControlOptions): Promise<ControlServer> {
  let hosts: ReadonlySet<string> = new Set();
  const app = buildControl(options, () => hosts);
  const url = await listen(app, controlPlace(options.port));
  hosts = controlHosts(new URL(url).port);
  options.log.info({ url }, 'The control interface is open.');
  return { url, close: () => app.close() };
}

function buildControl(options: ControlOptions, hosts: () => ReadonlySet<string>): FastifyInstance {
  const app = newServer({
    bodyLimit: BODY_MAX_BYTES,
    frameworkErrors: (_error, _request, reply) => void refuse(reply, 400, '', 'The request is malformed.'),
  });
  // Some clients always declare JSON, even without content: a DELETE has no body.
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const json = body === '' ? ok(undefined) : readJson(body);
    if (json.ok) done(null, json.value);
    else done(Object.assign(new Error(json.error), { statusCode: 400 }), undefined);
  });
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(HEADERS);
    const refusal = guardRefusal(request, hosts());
    if (refusal === null) next();
    else refuse(reply, refusal.status, refusal.field, refusal.sentence);
  });
  app.setErrorHandler<{ statusCode?: number }>((error, _request, reply) => {
    const { statusCode: status = 500 } = error;
    if (status === 413) return refuse(reply, 413, '', `The body is larger than ${BODY_MAX_BYTES} bytes.`);
    if (status < 500) return refuse(reply, 400, '', 'The body is not JSON.');
    options.log.error('The control interface could not answer.');
    return refuse(reply, 500, '', 'The control interface could not answer.');
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'path', 'There is no such route; GET / lists them.'));
  app.get('/', () => routesOverview());
  for (const route of CONTROL_ROUTES) addRoute(app, route, options);
  return app;
}

function addRoute(app: FastifyInstance, route: ControlRoute, { shell, requests, log, store }: ControlOptions): void {
  const { method, path, lasts } = route;
  app.route({
    method,
    url: path,
    handler: async ({ params, query, body }, reply) => {
      const answer = shell.change((state, now) =>
        route.answer({ state, now, requests, newKey }, { params, query, body }),
      );
      if (answer === null) {
        const why = shell.isOpen ? 'contradicted itself and answers no more' : 'is opening';
        return refuse(reply, 503, '', `The exchange ${why}.`);
      }
      if (method !== 'GET') log.info({ method, path, kind: answer.kind }, 'The exchange was controlled.');
      if (lasts && answer.kind === 'done') await store();
      if (answer.kind === 'done') return send(reply, 200, answer.value);
      return send(reply, answer.status, bodyOf(answer.refusals));
    },
  });
}

const newKey = () => ({ apiKey: `paper-${randomBytes(8).toString('hex')}`, secret: randomBytes(32).toString('hex') });

const bodyOf = (refusals: readonly Refusal[]) => ({
  error: refusals.map(({ sentence }) => sentence).join(' '),
  fields: refusals.map(({ field }) => field).filter((field) => field !== ''),
});

function refuse(reply: FastifyReply, status: number, field: string, sentence: string): FastifyReply {
  return send(reply, status, bodyOf([{ field, sentence }]));
}

function send(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  return reply
    .code(status)
    .headers({ ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
    .send(`${JSON.stringify(value, null, 2)}\n`);
}

// Guards the control interface: only programs of this machine may use it. A page in a browser may not, under any host
// name.

/** The only address it binds to, whatever the configuration says. */
export const CONTROL_HOST = '127.0.0.1';

export const controlPlace = (port: number) => ({ host: CONTROL_HOST, port, whose: ", the control interface's," });

/**
 * The accepted `Host` headers; a URL names no port 80. An outside name that resolves to this machine (DNS rebinding) is
 * not among them.
 */
function controlHosts(port: string): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set(names.flatMap((name) => (port === '' ? [name, `${name}:80`] : [`${name}:${port}`])));
}

type GuardRefusal = Refusal & { readonly status: number };

/**
 * Why a request is refused; `null` if it passes. Without a preflight, which is never granted, a page can't send the
 * required `Host`, omit `Origin`, or send a JSON body.
 */
function guardRefusal(
  { method, headers, raw }: Pick<FastifyRequest, 'method' | 'headers' | 'raw'>,
  hosts: ReadonlySet<string>,
): GuardRefusal | null {
  const { host = '', origin, 'sec-fetch-site': site, 'content-type': type = '' } = headers;
  const refusal = (status: number, field: string, why: string) => ({ status, field, sentence: `${field}: ${why}` });
  if (!hosts.has(host.toLowerCase()) || raw.headersDistinct.host?.length !== 1)
    return refusal(403, 'host', 'the control interface answers only to one name of this machine.');
  if (origin !== undefined || (typeof site === 'string' && site !== 'none'))
    return refusal(403, 'origin', 'the control interface does not answer pages in a browser.');
  const wantsJson = method === 'POST' || method === 'PATCH' || method === 'PUT';
  return wantsJson && !/^application\/json\s*(?:;|$)/i.test(type)
    ? refusal(415, 'content-type', 'must be application/json, with a body such as {}.')
    : null;
}
