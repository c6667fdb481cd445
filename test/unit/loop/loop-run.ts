// A loop in virtual time over a venue that answers like a desk, until a test has it otherwise.
import { memoryStorage } from '../../../src/backtest/memory-storage.ts';
import type { VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { createLane } from '../../../src/client/pace/lane.ts';
import { type Loop, type PrivatePass, startLoop } from '../../../src/loop/loop.ts';
import { openTraderJournal } from '../../../src/loop/trader-journal.ts';
import type { JournalRecord, JournalStorage } from '../../../src/ports/journal-storage.ts';
import type { Venue } from '../../../src/ports/transport.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import type { Notice } from '../../../src/trader/state/turn.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { deskSettings } from '../trader/desk-settings.ts';
import { type Desk, readyDesk } from '../trader/trader-kit.ts';

export interface Run {
  readonly exchange: Desk;
  loop(): Loop;
  readonly sent: VenueRequest[];
  readonly notices: Notice[];
  readonly fatal: unknown[];
  readonly records: JournalRecord[];
  latch: string | null;
  /** The disk refuses from now on. */
  diskFails: boolean;
  /** Of every answer. */
  status: number;
  /** Of the private lane. */
  readonly passes: PrivatePass[];
  /** What is never answered. */
  hangs: VenueRequest['kind'] | null;
  /** So long any other answer takes, by its number. */
  takesMs: (nth: number) => number;
  /** Whether answers tell the time. */
  dates: boolean;
  /** What every answer asks for. */
  retryAfterMs: number | null;
}

interface How {
  readonly settings?: TraderSettings;
  onSend?(run: Run, request: VenueRequest): void;
}

/** A loop over a venue that answers like a desk: quotes are accepted, everything is read at once, after 10 ms. */
export function startRun(time: VirtualTime, { settings = deskSettings(), onSend }: How = {}): Run {
  const exchange: Desk = readyDesk();
  const memory = memoryStorage();
  let loop: Loop | null = null;
  const notices: Notice[] = [];
  const fatal: unknown[] = [];
  const run: Run = {
    exchange,
    loop: () => {
      if (loop === null) throw new Error('The loop has not begun.');
      return loop;
    },
    sent: [],
    notices,
    fatal,
    records: memory.records,
    latch: null,
    diskFails: false,
    status: 200,
    passes: [],
    hangs: null,
    takesMs: () => 10,
    dates: true,
    retryAfterMs: null,
  };
  const storage: JournalStorage = {
    ...memory,
    append: (records) => {
      if (run.diskFails) throw new Error('The disk is full.');
      memory.append(records);
    },
  };
  const { clock } = time;
  const opened = openTraderJournal(storage, clock);
  if (!opened.ok) throw opened.error;
  const { journal, state } = opened.value;
  const session = { now: clock.now(), epoch: journal.epoch, program: 'test', paperInstance: null, resume: [] };
  const recovered = recover(settings, state, session);
  if (!recovered.ok) throw new Error(recovered.error);
  const lane = () => createLane({ requestsPerSecond: 10, maxInFlight: 2 }, { clock, random: { next: () => 0.5 } });
  const venue: Venue = {
    perform: async (request) => {
      run.sent.push(request);
      onSend?.(run, request);
      const sentAt = clock.now();
      if (request.kind === run.hangs) await new Promise(() => {});
      await time.sleep(run.takesMs(run.sent.length));
      exchange.pass(clock.now() - exchange.now());
      const outcome = exchange.answerTo(request, sentAt);
      const told = {
        ...(run.dates && { venueDate: Math.floor(clock.now() / 1_000) * 1_000 }),
        ...(run.retryAfterMs !== null && { rateLimit: { retryAfter: run.retryAfterMs } }),
      };
      const facts = { sentAt, receivedAt: clock.now(), status: run.status, ...told };
      return { kind: request.kind, request, outcome, facts } as Completed;
    },
    close: () => {},
  };
  const parts = {
    clock,
    venue,
    lanes: { public: lane(), private: lane() },
    journal,
    killLatch: { reason: () => run.latch, set: () => {} },
    before: recovered.value.effects,
  };
  const listener = {
    notice: (notice: Notice) => notices.push(notice),
    completed: () => {},
    fatal: (error: unknown) => fatal.push(error),
    passed: (each: PrivatePass) => run.passes.push(each),
  };
  loop = startLoop(recovered.value.state, parts, listener);
  return run;
}

export const creates = ({ sent }: Run): number => sent.filter(({ kind }) => kind === 'create').length;
