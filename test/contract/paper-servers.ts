// A small paper exchange over real sockets.
import { pino } from 'pino';
import { type PaperServer, startPaperServer } from '../../src/paper/server/server.ts';
import { realClock } from '../../src/ports/clock.ts';
import { smallSettings } from '../unit/paper/small-exchange.ts';

type Options = Parameters<typeof startPaperServer>[0];

/** On a port that the system chooses; it keeps and logs nothing unless told. */
export const startSmall = (more: Partial<Options> = {}): Promise<PaperServer> =>
  startPaperServer({
    settings: smallSettings(),
    port: 0,
    host: '127.0.0.1',
    clock: realClock,
    log: pino({ level: 'silent' }),
    stateFile: null,
    ...more,
  });
