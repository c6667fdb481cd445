// What is answered to requests that never get as far as the exchange: bytes that are no HTTP, or more of them than
// anyone needs. No code of the interface says any of this: the answer is a status of HTTP and a sentence.
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PaperResponse } from '../wire/messages.ts';
import { type Connections, MOST_AT_EXCHANGE } from './connections.ts';
import { lastBytes, sendResponse } from './messages.ts';
import type { Shell } from './shell.ts';
import type { Waits } from './waits.ts';

export const BODY_MAX_BYTES = 64 * 1024;
/**
 * How long a connection stays open whose body is not read to its end: closed at once, the system would reset it, and
 * the caller might never read why.
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
/** Bytes after a request that said `Connection: close`: they are no request, and nobody waits for an answer to them. */
const AFTER_THE_LAST = 'HPE_CLOSED_CONNECTION';

interface Parts {
  readonly shell: Shell;
  readonly waits: Waits;
  readonly connections: Connections;
}

/**
 * For bytes that are no HTTP request, or not a whole one in time: after the answers before it one more, and the end.
 */
export async function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Duplex, parts: Parts): Promise<void> {
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

/** Gives the refusals to a server: everything that is no proper request is answered with a status and a sentence. */
export function refuseImproper(app: FastifyInstance, parts: Parts): void {
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

export const unknownPath = (shell: Shell): PaperResponse =>
  shell.refuseWith({ status: 404, code: -1404, msg: 'Endpoint not found.' });

export function refusal(shell: Shell, status = 500, sentence?: string): PaperResponse {
  if (status >= 500) return shell.refuseWith({ status: 500, code: -4001, msg: 'Internal server error.' });
  return shell.refuseHttp(status, sentence ?? SENTENCES[status] ?? 'The request is malformed.');
}

/** HTTP/1.1 wants it once: a request without it, or with several, is refused (RFC 9112, 3.2). */
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
