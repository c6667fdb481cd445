// Makes the servers of the paper exchange, has them listen, and limits the connections to each.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { NO_SCHEMAS } from './no-schemas.ts';
import { PaperStartError, systemCodeOf } from './state-file.ts';

interface Place {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** For a sentence: `, the control interface's,`. */
  readonly whose?: string;
}

/** `code` is the system's, if there is one. */
export function portRefusal({ host, port, whose = '' }: Place, code = 'unknown error'): PaperStartError {
  return new PaperStartError(
    `Port ${port} of ${host}${whose} is ` +
      (code === 'EADDRINUSE' ? 'taken: stop what listens there, or choose another port.' : `not available (${code}).`),
  );
}

/** Returns `http://host:port`. Throws `PaperStartError`, with the server closed, where the port is not available. */
export async function listen(app: FastifyInstance, place: Place): Promise<string> {
  const { host, port } = place;
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw portRefusal(place, systemCodeOf(error));
  }
  const address = app.server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

/** For each port of the paper exchange. */
const MOST_CONNECTIONS = 256;
/** A request must be complete within this, else 408: a slow client must not hold a socket forever. */
const REQUEST_TIMEOUT_MS = 10_000;

/** A server for one of the ports. Before any route it refuses by `frameworkErrors`. */
export function newServer(options: Pick<FastifyServerOptions, 'bodyLimit' | 'frameworkErrors'>): FastifyInstance {
  const app = fastify({
    ...options,
    ...NO_SCHEMAS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: 1_000 },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
  });
  // Otherwise Node.js ignores the request timeout too, as long as that is the shorter one.
  app.server.headersTimeout = REQUEST_TIMEOUT_MS;
  limitConnections(app.server, MOST_CONNECTIONS);
  return app;
}

// A full server makes room for a newcomer: it ends the connection whose last complete request is oldest, except those
// being answered. Node's own limit would turn away the newcomer.

interface Open {
  readonly socket: Socket;
  /** The latest request while it is being answered; its body may still be arriving. */
  asked: IncomingMessage | null;
}

export function limitConnections(server: Server, most: number): void {
  /** In order of the last complete request, or of the connection's start without one: the oldest is first. */
  const connections = new Map<string, Open>();
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    socket.once('close', () => connections.delete(name));
    if (connections.size >= most) endOne(connections);
    connections.set(name, { socket, asked: null });
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const name = nameOf(request.socket);
    const open = connections.get(name);
    if (open === undefined) return;
    open.asked = request;
    response.once('close', () => {
      if (open.asked === request) open.asked = null;
      if (request.complete && connections.delete(name)) connections.set(name, open);
    });
  });
}

function endOne(connections: Map<string, Open>): void {
  const all = [...connections];
  const found = all.find(([, { asked }]) => asked?.complete !== true) ?? all[0];
  if (found === undefined) return;
  const [name, { socket }] = found;
  socket.destroy();
  connections.delete(name);
}

/** A connection has the same name with and without TLS. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
