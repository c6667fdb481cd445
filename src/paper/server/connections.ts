// The order of answers on each connection: what was read must be answered before the connection may end, and after what
// ends it nothing more is done.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export class Connections {
  readonly #unanswered = new WeakMap<Duplex, Set<Exchange>>();
  readonly #ending = new WeakSet<Duplex>();

  /** Before any other listener: one that answers at once would be missed. */
  watch(server: Server): void {
    for (const event of ['request', 'checkExpectation'] as const) {
      server.prependListener(event, (request: IncomingMessage, response: ServerResponse) =>
        this.#note({ request, response }),
      );
    }
  }

  #note(exchange: Exchange): void {
    const { socket } = exchange.request;
    const unanswered = this.#unanswered.get(socket) ?? new Set();
    this.#unanswered.set(socket, unanswered.add(exchange));
    const over = () => void unanswered.delete(exchange);
    exchange.response.once('finish', over).once('close', over);
  }

  /**
   * Whether an answer that ends the connection is decided: what comes after it is not to be done, for nobody would
   * know.
   */
  isEnding(socket: Duplex): boolean {
    return this.#ending.has(socket);
  }

  /** Says that the connection ends; `false` where that was said before. */
  end(socket: Duplex): boolean {
    if (this.#ending.has(socket)) return false;
    this.#ending.add(socket);
    return true;
  }

  /** Waits until every request that was read to its end is answered, but for `except`, or the connection is gone. */
  async answered(socket: Duplex, except?: IncomingMessage): Promise<void> {
    const whole = [...(this.#unanswered.get(socket) ?? [])].filter(
      ({ request }) => request.complete && request !== except,
    );
    await Promise.all(whole.map(({ response }) => isOver(response)));
  }
}

/** A response that waits for its turn on a connection that was closed never says so itself. */
function isOver(response: ServerResponse): Promise<void> {
  const { socket } = response.req;
  if (response.writableFinished || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('finish', resolve).once('close', resolve);
    socket.once('close', resolve);
  });
}
