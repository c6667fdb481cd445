// Between sockets and the values of `answer`.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainAddress } from '../wire/address.ts';
import type { PaperRequest, PaperResponse } from '../wire/messages.ts';

/** The request as the exchange sees it; path and query are those of the request line, not decoded. */
export function requestOf({ raw, body, ip }: FastifyRequest): PaperRequest {
  const url = originForm(raw.url ?? '/');
  const cut = url.indexOf('?');
  return {
    method: raw.method ?? '',
    path: cut < 0 ? url : url.slice(0, cut),
    query: cut < 0 ? '' : url.slice(cut + 1),
    headers: raw.headers,
    body: typeof body === 'string' && body !== '' ? body : null,
    ip: plainAddress(ip),
  };
}

/** `/path?query` of a request line that names the whole address, as it does on the way to a proxy (RFC 9112, 3.2.2). */
function originForm(url: string): string {
  const [, rest] = /^https?:\/\/[^/?]*(.*)$/is.exec(url) ?? [];
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
}

export function sendResponse(reply: FastifyReply, { status, headers, body }: PaperResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

/** A whole answer as bytes, for a connection that ends with it and that no framework answers on any more. */
export function lastBytes({ status, headers, body }: PaperResponse): string {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`;
}
