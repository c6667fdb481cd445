// Why the paper exchange can't listen where it was told to.
import { CONTROL_HOST } from './control-guard.ts';
import { PaperStartError } from './start.ts';

/** `code` is that of the system, where there is one. */
export function portRefusal({ host, port }: { host: string; port: number }, code = 'unknown error'): PaperStartError {
  return new PaperStartError(
    code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is taken: stop what listens there, or choose another port.`
      : `The paper exchange can't listen on port ${port} of ${host} (${code}).`,
  );
}

export function controlPortRefusal(port: number, code = 'unknown error'): PaperStartError {
  return new PaperStartError(
    code === 'EADDRINUSE'
      ? `Port ${port} of ${CONTROL_HOST}, the control interface's, is taken: choose another with --control.`
      : `The control interface can't listen on port ${port} of ${CONTROL_HOST} (${code}).`,
  );
}
