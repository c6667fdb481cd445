// A server of bare sockets that a test scripts: what it does with each request is written in the test.
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export interface Delivery {
  /** Head and body as they came, once the request was complete. */
  readonly text: string;
  /** Counts connections from 1. */
  readonly connection: number;
}

export interface RawServer {
  readonly url: string;
  /** Every complete request that reached the server. */
  readonly deliveries: Delivery[];
  /** Bytes that reached the server, complete request or not. */
  bytesReceived: number;
  connections: number;
  close(): Promise<void>;
}

export interface RawScript {
  readonly onConnection?: (socket: Socket, server: RawServer) => void;
  readonly onRequest?: (socket: Socket, delivery: Delivery, server: RawServer) => void;
  /** Wraps the listener: a TLS server gives the same sockets. */
  readonly listen?: (onSocket: (socket: Socket) => void) => Server;
}

/** Starts on a port that the system chooses. */
export async function startRawServer(script: RawScript): Promise<RawServer> {
  const open = new Set<Socket>();
  const onSocket = (socket: Socket): void => {
    open.add(socket);
    state.connections += 1;
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    script.onConnection?.(socket, state);
    readRequests(socket, state.connections, state, script);
  };
  const server = script.listen?.(onSocket) ?? createServer(onSocket);
  server.on('error', () => undefined);
  const state: RawServer = {
    url: '',
    deliveries: [],
    bytesReceived: 0,
    connections: 0,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return Object.assign(state, { url: `http://127.0.0.1:${port}` });
}

function readRequests(socket: Socket, connection: number, server: RawServer, script: RawScript): void {
  let pending = '';
  socket.on('data', (chunk: Buffer) => {
    server.bytesReceived += chunk.length;
    pending += chunk.toString('latin1');
    for (;;) {
      const length = requestLength(pending);
      if (length === null || pending.length < length) return;
      const delivery = { text: pending.slice(0, length), connection };
      pending = pending.slice(length);
      server.deliveries.push(delivery);
      script.onRequest?.(socket, delivery, server);
    }
  });
}

function requestLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const bodyLength = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
  return headEnd + 4 + bodyLength;
}

/** A complete answer with its length, JSON unless the headers say otherwise. */
export function answer(status: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`;
}
