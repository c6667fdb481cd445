// An address that lets no connection in: a listener that never accepts, in a process of its own, with its queue full.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';

export interface BlackHole {
  readonly url: string;
  close(): void;
}

const LISTENER = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    process.stdout.write(String(server.address().port), () => {
      // Accepts nothing, and leaves the processor to others; whoever forgets it has it for two minutes.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120000);
    });
  });`;

export async function startBlackHole(): Promise<BlackHole> {
  const child = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  // Two fit into the queue; the kernel needs a moment to leave the others without an answer.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      for (const socket of fillers) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
