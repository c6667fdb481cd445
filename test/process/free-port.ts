// Ports for servers that are told where to listen, and for those that stop and listen there again.
import { createServer } from 'node:net';
import { threadId } from 'node:worker_threads';

/** Test files that run at the same time draw from ranges of their own, and none draws a port again soon. */
const PORTS_OF_A_WORKER = 2_000;
const WORKERS = 6;
const MOST_GIVEN = 1_500;
const given = new Set<number>();

/** Below the range from which the system gives ports to connections: one that is free now is free in a second. */
export async function freePort(): Promise<number> {
  const worker = threadId % WORKERS;
  for (;;) {
    const port = 20_000 + worker * PORTS_OF_A_WORKER + Math.floor(Math.random() * PORTS_OF_A_WORKER);
    if (given.has(port) || !(await canListen(port))) continue;
    given.add(port);
    // Else a long campaign would find none.
    if (given.size > MOST_GIVEN) given.clear();
    return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
