// The whole bot in virtual time, without faults: one seed is one run, the journal is the state, and nothing is alarmed.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { memoryStorage } from '../../../src/backtest/memory-storage.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { readTraderJournal } from '../../../src/loop/trader-journal.ts';
import { LIVE_LIKE, type Playing, playPaper } from './played.ts';
import { endViolations } from './world-checks.ts';

const hashOf = async (playing: Playing): Promise<string> => (await playPaper(playing)).report.journalHash;
const ALARMS = ['difference', 'symbol-halted', 'stray-order', 'late-fill', 'external-fill', 'stray-order', 'reopened'];

describe('one seed', () => {
  test('twice gives one journal, and another seed another', async () => {
    const playing = { seed: 7, durationMs: 2 * MINUTE, checked: false };
    const first = await hashOf(playing);
    expect(await hashOf(playing)).toBe(first);
    expect(await hashOf({ ...playing, seed: 8 })).not.toBe(first);
  });

  test('twice gives one journal with faults too', async () => {
    const faults = { chances: { held: 0.05, 'lost-after': 0.05, cut: 0.05 }, forMs: 2 * MINUTE };
    const playing = { seed: 7, durationMs: 2 * MINUTE, faults, checked: false };
    expect(await hashOf(playing)).toBe(await hashOf(playing));
  });
});

test('the journal of a run verifies, and folds to the state that the run ended in (R4)', async () => {
  const { report, durable, endedAt } = await playPaper({ seed: 3, durationMs: 4 * MINUTE });
  expect(report.journalRecords).toBeGreaterThan(50);
  const clock = { now: () => endedAt, monotonic: () => 0 };
  const folded = readTraderJournal(memoryStorage([...report.records]), clock);
  expect(folded.ok && isDeepStrictEqual(folded.value, durable)).toBe(true);
});

test('a journal with one changed digit does not', async () => {
  const { report, endedAt } = await playPaper({ seed: 3, durationMs: MINUTE, checked: false });
  const records = [...report.records].map((record) =>
    record.seq === 20 ? { ...record, payload: record.payload.replace(/[1-8]/, '9') } : record,
  );
  const folded = readTraderJournal(memoryStorage(records), { now: () => endedAt, monotonic: () => 0 });
  expect(folded.ok).toBe(false);
});

describe('without a fault nothing is alarmed, and the ledger is the wallet at the end (L4, M2, M3)', () => {
  test.each([1, 2, 3])('seed %d', async (seed) => {
    const { report, violations, notices } = await playPaper({ seed, durationMs: 5 * MINUTE });
    expect(violations).toEqual([]);
    expect(endViolations(report)).toEqual([]);
    expect(report.flat).toBe(true);
    expect(ALARMS.filter((op) => notices.has(op))).toEqual([]);
    expect(report.snapshot.symbols.every(({ fills }) => fills.takers === 0)).toBe(true);
  });

  test.each([
    ['every list trails, each by its own time', { openOrdersLagMs: 3_000, tradesLagMs: 8_000, walletLagMs: 1_000 }],
    ['the wallet trails', { walletLagMs: 9_000 }],
    ['the trades trail', { tradesLagMs: 9_000 }],
    [
      'trades come in no order, the newest part of a page',
      { tradeListOrder: 'unordered', fromIdPage: 'newest', tradePage: 'oldest' } as const,
    ],
  ])('%s', async (_name, quirks) => {
    const { report, violations, notices } = await playPaper({
      seed: 5,
      durationMs: 8 * MINUTE,
      quirks,
      assumptions: { readLagBoundMs: 10_000 },
    });
    expect(violations).toEqual([]);
    expect(endViolations(report)).toEqual([]);
    expect(report.flat).toBe(true);
    expect(ALARMS.filter((op) => notices.has(op))).toEqual([]);
    expect(report.snapshot.symbols.some(({ fills }) => fills.buys + fills.sells > 0)).toBe(true);
  });

  test('at one request in 2.5 seconds, with the patience of the example for a live exchange', async () => {
    const { report, violations, notices } = await playPaper({ seed: 2, durationMs: 40 * MINUTE, ...LIVE_LIKE });
    expect(violations).toEqual([]);
    expect(endViolations(report)).toEqual([]);
    expect(report.flat).toBe(true);
    expect(ALARMS.filter((op) => notices.has(op))).toEqual([]);
    const read = (kind: string): number =>
      report.snapshot.requests.find((each) => each.kind === kind && each.outcome === 'read')?.count ?? 0;
    // Each looked at as often as configured, though orders close all the time.
    expect(read('wallet')).toBeGreaterThan(60);
    expect(read('spot-trades')).toBeGreaterThan(200);
  });
});
