// The shell around the trader: written down before it leaves, latch looked at before each signed request, and a dead
// disk ends all.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStorage } from '../../../src/backtest/memory-storage.ts';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { createLane } from '../../../src/client/pace/lane.ts';
import { type Loop, type PrivatePass, startLoop } from '../../../src/loop/loop.ts';
import { openTraderJournal } from '../../../src/loop/trader-journal.ts';
import type { JournalRecord, JournalStorage } from '../../../src/ports/journal-storage.ts';
import type { Venue } from '../../../src/ports/transport.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import type { Notice } from '../../../src/trader/state/turn.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { deskSettings } from '../trader/desk-settings.ts';
import { type Desk, readyDesk, START } from '../trader/trader-kit.ts';

let time: VirtualTime;

beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

interface Run {
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
  /** So long any other answer takes. */
  takesMs: number;
}

/** A loop over a venue that answers like a desk: quotes are accepted, everything is read at once, after 10 ms. */
function start(onSend: (run: Run, request: VenueRequest) => void = () => {}): Run {
  const exchange: Desk = readyDesk();
  const memory = memoryStorage();
  let loop: Loop | null = null;
  const notices: Notice[] = [];
  const fatal: unknown[] = [];
  const run: Run = {
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
    takesMs: 10,
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
  const session = {
    now: clock.now(),
    epoch: opened.value.journal.epoch,
    program: 'test',
    paperInstance: null,
    resume: [],
  };
  const recovered = recover(deskSettings(), opened.value.state, session);
  if (!recovered.ok) throw new Error(recovered.error);
  const lane = () => createLane({ requestsPerSecond: 10, maxInFlight: 2 }, { clock, random: { next: () => 0.5 } });
  const venue: Venue = {
    perform: async (request) => {
      run.sent.push(request);
      onSend(run, request);
      const sentAt = clock.now();
      if (request.kind === run.hangs) await new Promise(() => {});
      await time.sleep(run.takesMs);
      exchange.pass(clock.now() - exchange.now());
      const outcome = exchange.answerTo(request, sentAt);
      const facts = {
        sentAt,
        receivedAt: clock.now(),
        venueDate: Math.floor(clock.now() / 1_000) * 1_000,
        status: run.status,
      };
      return { kind: request.kind, request, outcome, facts } as Completed;
    },
    close: () => {},
  };
  const parts = {
    clock,
    venue,
    lanes: { public: lane(), private: lane() },
    journal: opened.value.journal,
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

const creates = ({ sent }: Run): number => sent.filter(({ kind }) => kind === 'create').length;
const pass = (seconds: number): Promise<void> => time.run(time.clock.now() + seconds * 1_000);

describe('the loop', () => {
  test('finds out the clock, opens the ledger, and quotes', async () => {
    const run = start();
    await pass(10);
    expect(run.notices.map(({ op }) => op)).toEqual(expect.arrayContaining(['opened', 'ready', 'accepted']));
    expect(creates(run)).toBe(2);
    expect(run.loop().snapshot().symbols[0]?.state).toBe('quoting');
  });

  test('reports the oldest unanswered request while others come and go', async () => {
    const run = start();
    await pass(10);
    Object.assign(run, { hangs: 'wallet', takesMs: 700 });
    await pass(60);
    const [begun] = run.passes.filter(({ underwaySince, at }) => underwaySince !== null && at - underwaySince > 1_000);
    expect(begun).toBeDefined();
    const later = run.passes.filter(({ at }) => at > (begun?.at ?? 0));
    expect(later.length).toBeGreaterThan(20);
    expect(new Set(later.map(({ underwaySince }) => underwaySince))).toEqual(new Set([begun?.underwaySince]));
    const sentLater = run.sent.slice(run.sent.findIndex(({ kind }) => kind === 'wallet'));
    expect(sentLater.filter(({ kind }) => kind === 'open-orders').length).toBeGreaterThan(3);
  });

  test('reports once that the exchange slows a lane down, and once that it is over', async () => {
    const run = start();
    await pass(10);
    run.status = 429;
    await pass(20);
    run.status = 200;
    await pass(240);
    const told = run.notices.filter(({ op }) => op.startsWith('lane-'));
    for (const lane of ['public', 'private'])
      expect(told.filter(({ message }) => message.includes(`${lane} lane`)).map(({ op }) => op)).toEqual([
        'lane-slowed',
        'lane-slowed',
      ]);
  });

  test('sends a create only when its intent is in the journal (S2)', async () => {
    const unwritten: VenueRequest[] = [];
    const run = start((now, request) => {
      if (request.kind !== 'create') return;
      const written = now.records.filter(({ type }) => type === 'intent').length;
      if (written < now.sent.filter(({ kind }) => kind === 'create').length) unwritten.push(request);
    });
    await pass(10);
    expect(creates(run)).toBe(2);
    expect(unwritten).toEqual([]);
  });

  test('sends nothing more when the journal cannot be written (P3)', async () => {
    const run = start();
    await pass(5);
    run.diskFails = true;
    // The cancels that follow would be written first.
    run.loop().tell({ kind: 'pause', reason: 'Nobody watches.' });
    await pass(10);
    expect(run.fatal).toHaveLength(1);
    const sent = run.sent.length;
    await pass(30);
    expect(run.sent.length).toBe(sent);
    expect(run.sent.some(({ kind }) => kind === 'cancel')).toBe(false);
  });

  test('sends no create whose intent could not be written', async () => {
    const run = start((now, request) => {
      // The disk fills right after the ledger is opened: the next thing to write is the first intent or what follows
      // the reads.
      if (request.kind === 'wallet' && now.records.some(({ type }) => type === 'opened')) now.diskFails = true;
    });
    await pass(20);
    const intents = run.records.filter(({ type }) => type === 'intent').length;
    expect(creates(run)).toBe(intents);
  });

  test('sends nothing more after an uncaught error, and reports the first one once (F101)', async () => {
    const run = start();
    await pass(5);
    const first = new Error('Somewhere.');
    run.loop().fail(first);
    run.loop().fail(new Error('Elsewhere.'));
    const { length } = run.sent;
    await pass(60);
    expect(run.sent).toHaveLength(length);
    expect(run.fatal).toEqual([first]);
  });

  test('checks the kill latch before each signed request, and stops at once when it is set', async () => {
    const run = start();
    await pass(10);
    run.latch = 'Somebody pressed the button.';
    const before = creates(run);
    await pass(60);
    expect(creates(run)).toBe(before);
    expect(run.sent.filter(({ kind }) => kind === 'cancel')).toHaveLength(2);
    expect(run.loop().state().phase).toBe('stopped');
    await run.loop().stopped;
  });

  test('stops when told to, and sends nothing afterward', async () => {
    const run = start();
    await pass(5);
    run.loop().tell({ kind: 'stop' });
    await pass(60);
    await run.loop().stopped;
    expect(run.records.at(-1)?.type).toBe('session-ended');
    const sent = run.sent.length;
    await pass(60);
    expect(run.sent.length).toBe(sent);
  });

  test('never has the same request in flight twice', async () => {
    const going = new Map<string, number>();
    let most = 0;
    const run = start((_run, request) => {
      const key = request.kind === 'create' ? `create ${request.order.side}` : request.kind;
      going.set(key, (going.get(key) ?? 0) + 1);
      most = Math.max(most, going.get(key) ?? 0);
      void time.sleep(9).then(() => going.set(key, (going.get(key) ?? 0) - 1));
    });
    await pass(20);
    expect(run.sent.length).toBeGreaterThan(50);
    expect(most).toBe(1);
  });
});
