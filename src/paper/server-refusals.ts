// What is answered to requests that never get as far as the exchange: bytes that are no HTTP, or more of them than anyone needs.
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lastBytes, sendResponse } from './server-messages.ts';
import type { Shell } from './server-shell.ts';
import type { Waits } from './server-waits.ts';

export const BODY_MAX_BYTES = 64 * 1024;
/**
 * How long a connection stays open whose body is not read to its end: closed at once, the system would reset it, and the
 * caller might never read why.
 */
const LINGER_MS = 1_000;

const MALFORMED = -1009;
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** For bytes that are no HTTP request, or not a whole one in time: an answer, and the end of the connection. */
export function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Duplex, shell: Shell): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUSES[error.code ?? ''] ?? 400;
  socket.end(lastBytes(shell.refuseWith({ status, code: MALFORMED, msg: 'The request is malformed.' })));
}

/** Gives the refusals to a server: everything that is no proper request is answered with a code. */
export function refuseImproper(app: FastifyInstance, parts: { readonly shell: Shell; readonly waits: Waits }): void {
  const { shell } = parts;
  app.server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(lastBytes(shell.refuseWith({ status: 404, code: -1404, msg: 'Endpoint not found.' })));
  });
  app.server.on('checkExpectation', (_request, response) => {
    const msg = 'The only expectation that is met is 100-continue.';
    const { headers, body } = shell.refuseWith({ status: 417, code: MALFORMED, msg });
    response.writeHead(417, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) refuseTooLarge(request, reply, parts);
    else if (isHostMissing(request)) sendResponse(reply.header('connection', 'close'), malformed(shell, 400));
    else done();
  });
  app.setErrorHandler<{ statusCode?: number }>((error, request, reply) => {
    if (error.statusCode === 413) refuseTooLarge(request, reply, parts);
    else sendResponse(reply, malformed(shell, error.statusCode));
  });
}

export function malformed(shell: Shell, status = 500) {
  return shell.refuseWith({ status, code: MALFORMED, msg: 'The request is malformed.' });
}

/** HTTP/1.1 wants it, and a request without it is refused (RFC 9112, 3.2). */
const isHostMissing = ({ raw }: FastifyRequest): boolean => raw.httpVersion === '1.1' && raw.headers.host === undefined;

function refuseTooLarge(
  request: FastifyRequest,
  reply: FastifyReply,
  { shell, waits }: { readonly shell: Shell; readonly waits: Waits },
): void {
  const { socket } = request.raw;
  const msg = `The body is larger than ${BODY_MAX_BYTES} bytes.`;
  reply.hijack();
  request.raw.pause();
  // Where an answer to an earlier request is still to come on this connection, this one can't be written before it.
  if (reply.raw.socket === null) {
    socket.destroy();
    return;
  }
  socket.write(lastBytes(shell.refuseWith({ status: 413, code: MALFORMED, msg })));
  void waits.wait(LINGER_MS).then(() => socket.destroy());
}
