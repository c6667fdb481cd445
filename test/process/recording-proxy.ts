// Stands between bot and exchange, passes everything on and remembers what was asked.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';

const proxies = new Set<Server>();

/** Every signature that passed one of this file's proxies: none may be found anywhere afterward. */
export const passedSignatures = new Set<string>();

export interface RecordingProxy {
  /** `METHOD /path` of every request so far, without the query: a signed address is a secret. */
  readonly asked: readonly string[];
  /** When each of them came, in milliseconds. */
  readonly at: readonly number[];
  /** Every POST that was answered so far. */
  readonly posted: readonly Posted[];
  /** From now on requests reach nobody: they end like this. `null` mends the line; what hangs goes on hanging. */
  cut(how: Cut | null): void;
  /** The list of markets lacks this one from now on. */
  hide(symbol: string): void;
}

/** `hang`: no answer ever. `reset`: the connection ends. `page`: what a gateway says, HTTP 502 and HTML. */
export type Cut = 'hang' | 'reset' | 'page';

export interface Posted {
  readonly path: string;
  /** As they went over the wire. A body is no secret: the signature stands in the address. */
  readonly body: string;
  /** Of the signed address. */
  readonly timestamp: string | null;
  readonly answer: string;
  /** By `performance.now()`. */
  readonly answeredAt: number;
}

/** Listens on `port` of 127.0.0.1 in front of `target`. */
export async function startRecordingProxy(port: number, target: number): Promise<RecordingProxy> {
  const asked: string[] = [];
  const at: number[] = [];
  const posted: Posted[] = [];
  let line: Cut | null = null;
  const hidden = new Set<string>();
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming;
    at.push(performance.now());
    const { searchParams } = new URL(url, 'http://proxy');
    const signature = searchParams.get('signature');
    if (signature) passedSignatures.add(signature);
    asked.push(`${method} ${url.split('?')[0]}`);
    if (line !== null) return void refuse(line, incoming, answer);
    const body = textOf(incoming);
    const onward = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (response) => {
      if (hidden.size > 0 && url.endsWith('/symbols')) return void listWithout(hidden, response, answer);
      answer.writeHead(response.statusCode ?? 502, response.headers);
      const answered = textOf(response);
      // Not by `pipe`, which stops reading when the asker is gone: what the exchange has answered is remembered.
      response.on('end', () => {
        if (method === 'POST') {
          const sent = { path: url.split('?')[0] ?? '', body: body(), timestamp: searchParams.get('timestamp') };
          posted.push({ ...sent, answer: answered(), answeredAt: performance.now() });
        }
        answer.end(answered());
      });
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  proxies.add(server);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const cut = (how: Cut | null): void => {
    line = how;
  };
  return { asked, at, posted, cut, hide: (symbol) => hidden.add(symbol) };
}

function listWithout(hidden: ReadonlySet<string>, response: IncomingMessage, answer: ServerResponse): void {
  const text = textOf(response);
  response.on('end', () => {
    const listed: readonly unknown[] = JSON.parse(text());
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = response.headers;
    answer.writeHead(response.statusCode ?? 502, headers);
    answer.end(JSON.stringify(listed.filter((each) => typeof each !== 'string' || !hidden.has(each))));
  });
}

function refuse(how: Cut, incoming: IncomingMessage, answer: ServerResponse): void {
  incoming.resume();
  if (how === 'reset') incoming.socket.destroy();
  if (how !== 'page') return;
  answer.writeHead(502, { 'content-type': 'text/html' });
  answer.end('<html><body>Bad gateway</body></html>');
}

/** What of the body has come so far. */
function textOf(message: IncomingMessage): () => string {
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** For `afterEach`. */
export function endProxies(): void {
  for (const server of proxies) {
    server.closeAllConnections();
    server.close();
  }
  proxies.clear();
}
