// The shell around the trader: written down before it leaves, latch looked at before each signed request, and a dead
// disk ends all.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { START } from '../trader/trader-kit.ts';
import { creates, type Run, startRun } from './loop-run.ts';

let time: VirtualTime;

beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

const start = (onSend?: (run: Run, request: VenueRequest) => void): Run => startRun(time, onSend && { onSend });
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
    Object.assign(run, { hangs: 'wallet', takesMs: () => 700 });
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
