// A page that is full makes room: of the connections on which nothing is being answered, the one that has been quiet
// the longest ends. Node's own limit would turn away the person who comes now.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export function limitConnections(server: Server, most: number): void {
  const open = new Map<string, Socket>();
  /** The longest quiet first. */
  const quiet = new Set<string>();
  const forget = (name: string): void => {
    open.delete(name);
    quiet.delete(name);
  };
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    open.set(name, socket);
    quiet.add(name);
    socket.once('close', () => forget(name));
    const [first = name] = quiet;
    if (open.size <= most) return;
    open.get(first)?.destroy();
    forget(first);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const name = nameOf(socket);
    quiet.delete(name);
    response.once('close', () => open.has(name) && quiet.add(name));
  });
}

/** A connection has one name below TLS and above it. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
