// A sweep that is carried out without a watchdog, in virtual time and with real stamps.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../../src/backtest/virtual-time.ts';
import { answerFacts } from '../../../../src/client/outcomes/classify.ts';
import type { AnswerFacts, CancelOutcome, Completed } from '../../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../../src/venue/requests.ts';
import { runSweep, stampedVenue } from '../../../../src/watchdog/run-sweep.ts';
import type { Sweep } from '../../../../src/watchdog/sweep-state.ts';
import { rejected } from '../../trader/desk-exchange.ts';
import type { order } from '../watch-world.ts';
import { ACKNOWLEDGED, ID, sweepOf } from './sweep-kit.ts';

const START = 1_800_000_000_000;
/** The exchange's clock is so far ahead of ours. */
const AHEAD_MS = 7_000;
let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

interface Exchange {
  /** Of the first cancels, in order; all others are acknowledged. */
  readonly outcomes?: readonly CancelOutcome[];
  readonly rows?: ReturnType<typeof order>[];
  readonly tookMs?: number;
  /** What else an answer tells that is complete now. */
  readonly tells?: (receivedAt: number) => Partial<AnswerFacts>;
}

function carryOut(
  sweep: Sweep,
  withinMs: number,
  { outcomes = [], rows = [], tookMs = 20, tells = () => ({}) }: Exchange = {},
) {
  const { clock } = time;
  const sent: string[] = [];
  const stamps: number[] = [];
  const windows = new Set<number>();
  const ends: { readonly isEmpty: boolean; readonly afterMs: number }[] = [];
  const closed: true[] = [];
  const perform = async (request: VenueRequest): Promise<Completed> => {
    if (!('stamp' in request)) throw new Error(`${request.kind} has no stamp.`);
    const sentAt = clock.now();
    const outcome = outcomes[sent.length] ?? ACKNOWLEDGED;
    sent.push(`${sentAt - START} ${request.kind}${'orderId' in request ? ` ${request.orderId}` : ''}`);
    stamps.push(request.stamp.timestamp - sentAt);
    windows.add(request.stamp.recvWindow);
    await time.sleep(tookMs);
    const receivedAt = clock.now();
    const venueDate = Math.floor((receivedAt + AHEAD_MS) / 1_000) * 1_000;
    const read = { kind: 'read', read: { rows, complete: true, sentAt, receivedAt } };
    const facts = { sentAt, receivedAt, status: 200, venueDate, ...tells(receivedAt) };
    return {
      kind: request.kind,
      request,
      outcome: request.kind === 'open-orders' ? read : outcome,
      facts,
    } as Completed;
  };
  const venue = stampedVenue({ perform, close: () => closed.push(true) }, clock, 2_500);
  void runSweep(sweep, { clock, venue }, withinMs).then((isEmpty) =>
    ends.push({ isEmpty, afterMs: clock.now() - START }),
  );
  return { sent, stamps, windows, ends, venue, closed };
}

test('it cancels twice and proves it by two lists', async () => {
  const run = carryOut(sweepOf(), 60_000);
  await time.run(START + 60_000);
  expect(run.sent).toEqual([`0 cancel ${ID}`, `250 cancel ${ID}`, '500 open-orders', '750 open-orders']);
  expect(run.ends).toEqual([{ isEmpty: true, afterMs: 770 }]);
});

test('requests are stamped by our clock until an answer tells of the exchange’s', async () => {
  const run = carryOut(sweepOf(), 60_000, { outcomes: [rejected(-1021)] });
  await time.run(START + 60_000);
  expect(run.stamps[0]).toBe(0);
  for (const ahead of run.stamps.slice(1)) expect(Math.abs(ahead - AHEAD_MS)).toBeLessThan(1_100);
  expect([...run.windows]).toEqual([2_500]);
  run.venue.close();
  expect(run.closed).toHaveLength(1);
});

test('a Date that stands still makes none wait for a minute: windows end by the clock that is known', async () => {
  const date = new Date(START - 300_000).toUTCString();
  const tells = (receivedAt: number): Partial<AnswerFacts> => {
    const reset = String(Math.ceil(receivedAt / 1_000) + 2);
    const headers = { date, 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    const at = { sentAt: receivedAt, receivedAt };
    const { venueDate, rateLimit } = answerFacts({ kind: 'response', status: 200, headers, body: '', ...at });
    return { ...(venueDate && { venueDate }), ...(rateLimit && { rateLimit }) };
  };
  const run = carryOut(sweepOf(), 60_000, { tells });
  await time.run(START + 60_000);
  expect(run.sent).toHaveLength(4);
  expect(run.ends).toMatchObject([{ isEmpty: true }]);
});

test('it waits for the horizon of the last create, and goes on then by itself', async () => {
  const sweep = sweepOf({}, { secondFrom: time.clock.monotonic() + 14_000 });
  const run = carryOut(sweep, 60_000);
  await time.run(START + 12_000);
  expect(run.sent.filter((line) => line.includes('cancel'))).toHaveLength(1);
  await time.run(START + 60_000);
  expect(run.sent.filter((line) => line.includes('cancel'))).toHaveLength(2);
  expect(run.ends).toMatchObject([{ isEmpty: true }]);
  expect(run.ends[0]?.afterMs).toBeLessThan(16_000);
});

test('it ends when its time is over, and leaves no more requests than its pace allows', async () => {
  const run = carryOut(sweepOf(), 5_000, { outcomes: Array(50).fill(rejected(-1125)) });
  await time.run(START + 20_000);
  expect(run.ends).toEqual([{ isEmpty: false, afterMs: 5_000 }]);
  expect(run.sent.length).toBeLessThanOrEqual(20);
  expect(run.sent.every((line) => Number.parseInt(line, 10) < 5_000)).toBe(true);
});

test('without time it sends nothing', async () => {
  const run = carryOut(sweepOf(), 0);
  await time.run(START + 1_000);
  expect(run.ends).toEqual([{ isEmpty: false, afterMs: 0 }]);
  expect(run.sent).toEqual([]);
});

test('an answer that comes late is taken in at once, not at the next look', async () => {
  const run = carryOut(sweepOf({ maxInFlight: 1 }), 60_000, { tookMs: 333 });
  await time.run(START + 60_000);
  expect(run.sent.slice(0, 2)).toEqual([`0 cancel ${ID}`, `333 cancel ${ID}`]);
});
