// The HTTP shell of the paper exchange: bytes in, `answer`, bytes out; stores the state in a file while it runs.
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../../ports/clock.ts';
import { RequestLog } from '../control/route.ts';
import { hasEnded } from '../engine/advance.ts';
import { control as changeControls } from '../exchange.ts';
import type { PaperSettings } from '../state/settings.ts';
import type { Controls } from '../state/state.ts';
import { buildApp } from './app.ts';
import { listen } from './connections.ts';
import { type ControlServer, startControl } from './control.ts';
import { Shell, Waits } from './shell.ts';
import { holdStateFile, keepState, type StateKeeper, startExchange } from './start.ts';

interface PaperServerOptions {
  /** The server names the instance itself: a new name whenever the accounts start fresh. */
  readonly settings: Omit<PaperSettings, 'instanceId'>;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** File for the state of a stopped exchange; `null` keeps none. */
  readonly stateFile: string | null;
  /** Sentences that a trader here must read beforehand. */
  readonly warnings?: readonly string[];
  /** Port of the control interface on this machine, 0 lets the system choose; absent: no control interface. */
  readonly controlPort?: number;
}

export interface PaperServer {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  readonly instanceId: string;
  /** Whether it resumes the exchange of its state file; else its accounts are new. */
  readonly goesOn: boolean;
  /** `http://127.0.0.1:port` of the control interface; `null` without one. */
  readonly controlUrl: string | null;
  /** Changes controls at runtime, from the next request on. */
  control(change: Partial<Controls>): void;
  /** Closes every connection, then stores the state as stopped in good order. */
  close(): Promise<void>;
}

/** How often the crowd acts without requests. */
const TICK_MS = 250;

/** Throws `PaperStartError` when it can't listen, in particular `PaperStateError` when it can't use the state file. */
export async function startPaperServer(options: PaperServerOptions): Promise<PaperServer> {
  const { log, controlPort } = options;
  const requests = new RequestLog();
  const shell = new Shell(controlPort === undefined ? options : { ...options, requests });
  const waits = new Waits();
  const app: FastifyInstance = buildApp({ shell, waits, url: () => url, ...options });
  // Listen first: a second start with the same configuration then reports that the port is taken.
  const url = await listen(app, options);
  let control: ControlServer | null = null;
  let keeper: StateKeeper | null = null;
  let release = (): void => {};
  try {
    // Locked before it is read: a second start on another port can't disturb a running exchange.
    release = holdStateFile(options.stateFile);
    const store = async (): Promise<void> => keeper?.store();
    if (controlPort !== undefined) control = await startControl({ shell, requests, log, port: controlPort, store });
    const { state, goesOn } = await startExchange(options);
    const kept = await keepState(() => (shell.isOpen ? shell.state : state), options);
    keeper = kept;
    shell.open(state);
    log.info({ url, instanceId: state.instanceId }, 'The paper exchange is open.');
    for (const warning of options.warnings ?? []) log.warn(warning);
    const ticking = setInterval(ticker(shell, log), TICK_MS);
    const closeAll = async (): Promise<void> => {
      clearInterval(ticking);
      waits.close();
      await control?.close();
      await app.close();
      await kept.close(!shell.broken);
      release();
      log.info('The paper exchange is closed.');
    };
    let closing: Promise<void> | null = null;
    return {
      url,
      instanceId: state.instanceId,
      goesOn,
      controlUrl: control?.url ?? null,
      control: (wanted) => void changeControls(shell.state, wanted),
      close: () => {
        // Once: by a second call the file may belong to another process.
        closing ??= closeAll();
        return closing;
      },
    };
  } catch (error) {
    await control?.close();
    await app.close();
    release();
    throw error;
  }
}

/** Advances the market, and logs once that its recording is over. */
function ticker(shell: Shell, log: Logger): () => void {
  let isOver = false;
  return () => {
    shell.tick();
    if (isOver || !hasEnded(shell.state)) return;
    isOver = true;
    log.info('The recording has ended: nobody but you trades here any more.');
  };
}
