// A full server makes room for a newcomer: it ends the connection whose last complete request is oldest, except those
// being answered. Node's own limit would turn away the newcomer.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** For each port of the paper exchange. */
export const MOST_CONNECTIONS = 256;

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
