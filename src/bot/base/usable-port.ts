// Whether a port could be had: taken for a moment and given back.
import { createServer } from 'node:net';
import { EXIT, StartError } from './exit-codes.ts';
import { systemCode } from './system-error.ts';

export interface WantedPort {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** The code of the system that listening there would end with; `null` where it would not. */
export function whyNotFree({ host, port }: WantedPort): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(systemCode(error)));
    server.listen({ host, port }, () => void server.close(() => resolve(null)));
  });
}

export function pagePortRefusal({ host, port }: WantedPort, code: string): StartError {
  return new StartError(
    EXIT.unavailable,
    code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is taken: stop what listens there, or set web.port to another.`
      : `The page can't listen on port ${port} of ${host} (${code}).`,
  );
}
