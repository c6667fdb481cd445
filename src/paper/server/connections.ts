// Each connection is answered one request at a time, in turn with all others, so that a client that sends many delays
// only itself. Requests already read are answered before the connection ends; those after its end are not carried out.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A server's limits; one request more than `waiting` ends its connection. */
interface MostAtOnce {
  readonly connections: number;
  readonly waiting: number;
}

/** For each port of the paper exchange. */
export const MOST_AT_EXCHANGE: MostAtOnce = { connections: 256, waiting: 4_096 };
/** With more waiting requests than this, a connection is not read. */
const MOST_WAITING = 16;

export class Connections {
  /** Unanswered requests. The first is with the server, the others wait. */
  readonly #unanswered = new WeakMap<Duplex, Exchange[]>();
  readonly #ending = new WeakSet<Duplex>();

  /** Inserts itself before the server's existing listeners. */
  watch(server: Server, most: MostAtOnce): void {
    limitConnections(server, most.connections);
    const listeners = server.listeners('request');
    const handle = ({ request, response }: Exchange): void => {
      for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
    };
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      // The connection's end was decided before this request: if carried out, it would get no answer.
      if (this.#ending.has(socket) || socket.destroyed) return;
      const queue = this.#queueOf(socket);
      // The parser turns all bytes it was given into requests, even after the connection is paused.
      if (queue.length > most.waiting) return void socket.destroy();
      queue.push({ request, response });
      if (queue.length > MOST_WAITING) socket.pause();
      if (queue.length === 1) this.#give(queue, handle);
    });
  }

  #queueOf(socket: Duplex): Exchange[] {
    const known = this.#unanswered.get(socket);
    if (known !== undefined) return known;
    const queue: Exchange[] = [];
    this.#unanswered.set(socket, queue);
    // Node.js resumes reading after each request.
    socket.on('resume', () => {
      if (queue.length > MOST_WAITING) socket.pause();
    });
    return queue;
  }

  #give(queue: Exchange[], handle: (exchange: Exchange) => void): void {
    const [first] = queue;
    if (first === undefined || first.request.socket.destroyed) return;
    const next = (): void => {
      if (queue[0] !== first) return;
      queue.shift();
      if (queue.length === MOST_WAITING) first.request.socket.resume();
      this.#give(queue, handle);
    };
    const over = (): void => void setImmediate(next);
    first.response.once('finish', over).once('close', over);
    handle(first);
  }

  /**
   * Marks the connection as ending: later requests are not carried out, as their answers could not arrive. If a request
   * in progress ends it, nor are those that wait behind it. `false` where it was marked before.
   */
  end(socket: Duplex, by: 'bytes' | 'request'): boolean {
    if (by === 'request') this.#queueOf(socket).splice(1);
    if (this.#ending.has(socket)) return false;
    this.#ending.add(socket);
    return true;
  }

  /** Waits until every completely read request except `except` is answered, or the connection is gone. */
  async answered(socket: Duplex, except?: IncomingMessage): Promise<void> {
    const last = this.#queueOf(socket).findLast(({ request }) => request.complete && request !== except);
    if (last !== undefined) await isOver(last.response);
  }
}

/** A response that waits for its turn on a closed connection never emits an event itself. */
function isOver(response: ServerResponse): Promise<void> {
  const { socket } = response.req;
  if (response.writableFinished || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('finish', resolve).once('close', resolve);
    socket.once('close', resolve);
  });
}

// A full server makes room for a newcomer: it ends the connection whose last complete request is oldest, except those
// being answered. Node's own limit would turn away the newcomer.

interface Open {
  readonly socket: Socket;
  /** The request being answered; its body may still be arriving. */
  asked: IncomingMessage | null;
}

/** The server must hand out the requests of a connection one at a time. */
function limitConnections(server: Server, most: number): void {
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

/** A connection has the same name with and without TLS. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
