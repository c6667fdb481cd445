// Between sockets and the values of `answer`.
import type { FastifyRequest } from 'fastify';
import type { PaperRequest } from './messages.ts';

/** The request as the exchange sees it; path and query are those of the request line, not decoded. */
export function requestOf({ raw, body, ip }: FastifyRequest): PaperRequest {
  const url = raw.url ?? '/';
  const cut = url.indexOf('?');
  return {
    method: raw.method ?? '',
    path: cut < 0 ? url : url.slice(0, cut),
    query: cut < 0 ? '' : url.slice(cut + 1),
    headers: raw.headers,
    body: typeof body === 'string' && body !== '' ? body : null,
    // An IPv4 caller of a dual-stack socket.
    ip: ip.startsWith('::ffff:') ? ip.slice(7) : ip,
  };
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

type Socket = FastifyRequest['socket'];

/** Answers bytes that are no HTTP request, or not a whole one in time, and closes the connection. */
export function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Socket, date: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({ code: -1009, msg: 'The request is malformed.' });
  const headers = `content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\ndate: ${date}`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\nconnection: close\r\n\r\n${body}`);
}
