// A server that is full makes room for whoever comes: the connection that has asked nothing whole for the longest ends,
// but for those that are being answered. Node's own limit would turn away the newcomer.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Open {
  readonly socket: Socket;
  /** The request that is being answered; its body may be on its way still. */
  asked: IncomingMessage | null;
}

/** The server must hand out the requests of a connection one at a time. */
export function limitConnections(server: Server, most: number): void {
  /** The one whose last whole request was answered first, or that asked none and came first, is first. */
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
      open.asked = null;
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

/** A connection has one name below TLS and above it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
