// The server of a page: its files, the sign-in, and what guards both. Each page adds its own routes.
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { invariant } from '../../domain/invariant.ts';
import { limitConnections } from '../../paper/server/connections.ts';
import { NO_SCHEMAS } from '../../paper/server/no-schemas.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { pagePortRefusal } from '../base/usable-paths.ts';
import { isLoopback } from '../settings/fields.ts';
import { pageUrl } from '../settings/resolve.ts';
import type { WebSettings } from '../settings/types.ts';
import { followCertificate, readCertificate } from './certificate.ts';
import { type PageTokens, pageTokens } from './page-tokens.ts';
import { createGuard, isSecure, type PageAddress, pageAddress, pagePath, securityHeaders } from './request-guard.ts';
import { addSignIn, type SignIn } from './sign-in.ts';

const BODY_MAX_BYTES = 4_096;
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 64;

export interface ServedPage {
  /** Port 0 means chosen by the system. */
  readonly web: WebSettings;
  /** Where the tokens are. */
  readonly stateFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The file that is the page itself, as `index.html`. */
  readonly index: string;
  readonly addRoutes: (app: FastifyInstance, signIn: SignIn) => void;
}

/** Throws `StartError`: 69 if the port is taken, 78 if the certificate is invalid. */
export async function servePage(page: ServedPage) {
  const { web, log } = page;
  const isGuarded = web.origin !== null && isSecure(web);
  invariant(isLoopback(web.host) || isGuarded, () => `The page would be read in the clear on ${web.host}.`);
  let bound = pageAddress(web, web.port);
  const tokens = pageTokens(page.stateFolder, (token) => log.registerSecret(token));
  for (const message of tokens.troubles()) log.logEvent({ op: 'page', level: 'warn', message });
  const app = await buildApp(page, tokens, () => bound);
  await listen(app, web);
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : web.port;
  bound = pageAddress(web, port);
  const certificate = web.tls === null ? null : followCertificate(app.server, web.tls, log);
  const url = pageUrl(web, port);
  log.logEvent({ op: 'starting', message: `The page is at ${url}.`, url });
  return {
    /** Address for a browser, without a trailing slash. */
    url,
    port,
    /** Ends open connections, too. */
    async close(): Promise<void> {
      certificate?.end();
      await app.close();
    },
  };
}

async function buildApp(page: ServedPage, tokens: PageTokens, bound: () => PageAddress): Promise<FastifyInstance> {
  const { web, clock, log } = page;
  const app = createApp(web);
  // Node ignores `requestTimeout` while the limit for the headers, a minute by default, is longer.
  app.server.headersTimeout = REQUEST_TIMEOUT_MS;
  limitConnections(app.server, MAX_CONNECTIONS);
  // Another page's form can send text, but not JSON.
  app.removeContentTypeParser('text/plain');
  const guard = createGuard(web, bound, log);
  app.addHook('onRequest', async (request, reply) => guard(request, reply));
  app.setNotFoundHandler((_request, reply) => plain(reply, 404, 'There is nothing at this address.'));
  app.setErrorHandler((error, _request, reply) => answerError(error, reply, log));
  for (const [path, { contentType, body, zipped }] of readPageFiles(page.index)) {
    app.get(path, ({ headers }, reply) => {
      reply.type(contentType).header('vary', 'accept-encoding');
      if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(body);
      return reply.header('content-encoding', 'gzip').send(zipped);
    });
  }
  const under = pagePath(web);
  // The page's own addresses are relative to it.
  if (under !== '') app.get(under, (_request, reply) => reply.redirect(`${under}/`));
  page.addRoutes(app, await addSignIn(app, { web, tokens, clock, log }));
  return app;
}

function createApp(web: WebSettings): FastifyInstance {
  const { tls } = web;
  const under = pagePath(web);
  const common = {
    ...NO_SCHEMAS,
    // A proxy may take the path of the page off, or leave it.
    rewriteUrl: ({ url = '/' }: IncomingMessage): string =>
      url.startsWith(`${under}/`) ? url.slice(under.length) : url,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) =>
      void plain(reply.headers(securityHeaders(web)), 400, 'The request is malformed.'),
  };
  const server = { connectionsCheckingInterval: 1_000, maxHeaderSize: 8_192 };
  if (tls === null) return fastify({ ...common, http: server });
  // Differs only in the server's type, of which nothing beyond the common part is used here.
  return fastify({ ...common, https: { ...server, ...readCertificate(tls) } }) as unknown as FastifyInstance;
}

/** The error's message may hold private data: only its name is logged. */
function answerError(error: unknown, reply: FastifyReply, log: Log): FastifyReply {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) {
    return reply.code(status).send({ refused: `JSON of at most ${BODY_MAX_BYTES} bytes was expected.` });
  }
  const name = error instanceof Error ? error.name : typeof error;
  log.logEvent({ op: 'page', level: 'error', message: `The page could not answer: ${name}.` });
  return plain(reply, 500, 'The page could not answer; its log says more.');
}

function plain(reply: FastifyReply, code: number, sentence: string): FastifyReply {
  return reply.code(code).type('text/plain; charset=utf-8').send(`${sentence}\n`);
}

async function listen(app: FastifyInstance, { host, port }: WebSettings): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    const code = systemCode(error);
    await app.close();
    throw pagePortRefusal({ host, port }, code);
  }
}

// The page's files, read once at the start: later files, or files elsewhere, are never served.

interface PageFile {
  readonly contentType: string;
  readonly body: Buffer;
  readonly zipped: Buffer;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The chart library: URL path → file in its package. */
const CHARTS: Readonly<Record<string, string>> = {
  '/uplot.js': import.meta.resolve('uplot/dist/uPlot.esm.js'),
  '/uplot.css': import.meta.resolve('uplot/dist/uPlot.min.css'),
};

/** URL path → file; `index` is `/`, and no other page is served. */
function readPageFiles(index: string): ReadonlyMap<string, PageFile> {
  const folder = path.join(import.meta.dirname, 'page');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const shown = names.filter((name) => name === index || path.extname(name) !== '.html');
  const own = shown.map((name): [string, string] => {
    const address = name === index ? '/' : `/${name.split(path.sep).join('/')}`;
    return [address, path.join(folder, name)];
  });
  const charts = Object.entries(CHARTS).map(([address, url]): [string, string] => [address, fileURLToPath(url)]);
  const files = new Map<string, PageFile>();
  for (const [address, file] of [...own, ...charts]) {
    const contentType = CONTENT_TYPES[path.extname(file)];
    if (contentType === undefined) continue;
    const body = readFileSync(file);
    files.set(address, { contentType, body, zipped: gzipSync(body) });
  }
  return files;
}
