// A way to a server on this machine that is cut at the next append, before or after the request has passed. In a thread
// of its own, because the one that appends sleeps until it has an answer.
import { connect, createServer } from 'node:net';
import { workerData } from 'node:worker_threads';

interface Given {
  readonly target: number;
  readonly told: Int32Array;
  /** Words of the server that its client reads as others of the same length. */
  readonly instead: readonly [string, string];
}
const { target, told, instead } = workerData as Given;
const [words, others] = instead;

/** Cells of `told`: the port; how to cut the next append (0: not); how many were cut. */
const [PORT, CUT, CUTS] = [0, 1, 2];
const [BEFORE, AFTER] = [1, 2];
/** Only an append's request holds a record. */
const RECORD = '"prevHash"';

const server = createServer((client) => {
  const upstream = connect(target, '127.0.0.1');
  const end = (): void => {
    client.destroy();
    upstream.destroy();
  };
  client.on('data', (bytes) => {
    const cut = bytes.includes(RECORD) ? Atomics.exchange(told, CUT, 0) : 0;
    if (cut !== BEFORE) upstream.write(bytes);
    if (cut === 0) return;
    Atomics.add(told, CUTS, 1);
    client.destroy();
    // The server must have got it whole.
    if (cut === AFTER) upstream.end();
    else upstream.destroy();
  });
  const heard = (bytes: Buffer): Buffer =>
    words === '' ? bytes : Buffer.from(bytes.toString('latin1').replaceAll(words, others), 'latin1');
  upstream.on('data', (bytes) => client.destroyed || client.write(heard(bytes)));
  for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  Atomics.store(told, PORT, typeof address === 'object' && address !== null ? address.port : 0);
  Atomics.notify(told, PORT);
});
