// A way between a process and a server that can be cut: no byte, no connection and no end of one passes, in either
// direction, and nobody is told.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Link {
  readonly port: number;
  /** Sees what the process sends, before it goes on; what it cuts then never does. */
  watch: ((sent: Buffer) => unknown) | null;
  cut(): void;
  /** `late`: what was under way arrives now, as TCP repeats it. Else connections from before have ended. */
  mend(late: boolean): void;
  end(): void;
}

interface Pair {
  readonly ends: readonly [Socket, Socket];
  /** One end is gone, and the other does not know yet. */
  isBroken: boolean;
}

/** Listens on `port` of 127.0.0.1 in front of `target`. */
export async function openLink(port: number, target: number): Promise<Link> {
  const pairs = new Set<Pair>();
  let cuts = 0;
  const pass = (from: Socket, to: Socket, seen: (chunk: Buffer) => void): void => {
    from
      .on('end', () => to.end())
      .on('data', (chunk) => {
        seen(chunk);
        if (cuts > 0) from.unshift(chunk);
        else to.write(chunk);
      });
  };
  const hold = ({ ends }: Pair) => ends.map((socket) => socket.pause());
  const drop = (pair: Pair): void => {
    pairs.delete(pair);
    for (const socket of pair.ends) socket.destroy();
  };
  const server = createServer((client) => {
    const pair: Pair = { ends: [client, connect(target, '127.0.0.1')], isBroken: false };
    pairs.add(pair);
    const lost = (): void => {
      pair.isBroken = true;
      if (cuts === 0) drop(pair);
    };
    for (const socket of pair.ends) socket.on('error', lost).on('close', lost);
    pass(...pair.ends, (chunk) => link.watch?.(chunk));
    pass(pair.ends[1], client, () => undefined);
    if (cuts > 0) hold(pair);
  });
  const link: Link = {
    port,
    watch: null,
    cut() {
      cuts += 1;
      for (const pair of pairs) hold(pair);
    },
    mend(late) {
      cuts -= 1;
      if (cuts > 0) return;
      for (const pair of pairs) {
        if (late && !pair.isBroken) for (const socket of pair.ends) socket.resume();
        else drop(pair);
      }
    },
    end() {
      for (const pair of pairs) drop(pair);
      server.close();
    },
  };
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return link;
}
