// Plain HTTP over node:http for contract tests: nothing of ours between the test and the socket.
import http from 'node:http';
import type { PaperRequest } from '../../src/paper/messages.ts';

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method: string;
  /** Path with query, as it goes onto the request line. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | null;
  readonly agent?: http.Agent;
}

export function send(base: string, { method, target, headers = {}, body = null, agent }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const options = { method, hostname, port, path: target, headers, ...(agent ? { agent } : {}) };
    const request = http.request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

/** Sends what a test made for `answer`. */
export function sendRequest(base: string, request: PaperRequest, agent?: http.Agent): Promise<Answer> {
  const target = request.query === '' ? request.path : `${request.path}?${request.query}`;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers[name] = value;
  const { method, body } = request;
  return send(base, { method, target, headers, body, ...(agent ? { agent } : {}) });
}
