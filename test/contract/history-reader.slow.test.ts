// The history readers against the paper exchange over sockets: many rows, under every way in which a venue may list
// them. What a reading calls complete is the truth to the last row; what it does not know it says.
import { describe, expect, test } from '@jest/globals';
import { readHistory } from '../../src/client/history-reader.ts';
import { tradeId } from '../../src/domain/ids.ts';
import { DAY, HOUR, MINUTE } from '../../src/domain/time.ts';
import { cryptoTransfers, fiatTransfers, sbsTrades, spotTrades } from '../../src/history/lists.ts';
import type { HistoryOutcome } from '../../src/history/outcome.ts';
import type { TradesTarget } from '../../src/history/state.ts';
import { FIELD_QUIRKS, type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import {
  faultsOf,
  historyApi,
  readAll,
  SETTINGS,
  tradeLine,
  transferLine,
  trueTrades,
  trueTransfers,
} from './client-paper-history.ts';
import { failing, type Meeting, type MeetingOptions, paperKit } from './client-paper-kit.ts';
import { tradeIdAt } from './client-paper-market.ts';
import { moving, type TransferAction } from './client-paper-transfers.ts';

const kit = paperKit();
const symbol = 'BTC/INR';
const meet = (options: MeetingOptions = {}): Promise<Meeting> => kit.meet({ withOwner: true, ...options });

const spansOf = (outcome: HistoryOutcome) =>
  outcome.kind === 'gap' ? outcome.gaps.map(({ from, to }) => [from, to]) : [];

/** Every combination of the values. */
function* combinations(values: { readonly [K in keyof Quirks]?: readonly Quirks[K][] }): Generator<Partial<Quirks>> {
  const [first, ...others] = Object.entries(values);
  if (first === undefined) return yield {};
  for (const rest of combinations(Object.fromEntries(others)))
    for (const value of first[1]) yield { ...rest, [first[0]]: value };
}

/** Alice buys by hand from bob, so much at each moment, in one trade or in many of the same millisecond. */
async function trade(meeting: Meeting, at: number, count = 1): Promise<void> {
  const order = { kind: 'place-order', symbol, at, terms: { type: 'LIMIT', price: '5000000.01' } } as const;
  for (let number = 0; number < count; number += 1) {
    await meeting.owner().act({ ...order, account: 'bob', side: 'sell', quantity: '0.00003' });
  }
  const quantity = (count * 0.00003).toFixed(5);
  await meeting.owner().act({ ...order, account: 'alice', side: 'buy', quantity });
}

/**
 * 60 old trades, one an hour from four days ago on, 30 of one millisecond, 60 young ones, and again 30 of one
 * millisecond.
 */
async function traded(): Promise<{ readonly meeting: Meeting; readonly now: number }> {
  const meeting = await meet({ quirks: { historyWindowMs: DAY } });
  const now = meeting.clock.now();
  for (let hour = 0; hour < 60; hour += 1) await trade(meeting, now - 4 * DAY + hour * HOUR);
  await trade(meeting, now - 30 * HOUR, 30);
  for (let number = 0; number < 60; number += 1) await trade(meeting, now - 20 * HOUR + number * 10 * MINUTE);
  await trade(meeting, now - 2 * HOUR, 30);
  return { meeting, now };
}

/** Reads alice's trades, and says how it ended and what is wrong with it. */
async function readTrades(meeting: Meeting, target: TradesTarget) {
  const api = historyApi(meeting, meeting.client());
  const { rows, outcome } = await readAll(readHistory(api, spotTrades(symbol), { target, settings: SETTINGS }));
  const from = target.by === 'between' ? target.from : 0;
  const to = (target.by === 'between' ? target.to : null) ?? Number.POSITIVE_INFINITY;
  const behind = target.by === 'after' ? BigInt(target.cursor.tradeId) : -1n;
  const truth = trueTrades(await meeting.truth(), 'fills').filter(
    ({ line, time }) => time >= from && time <= to && BigInt(line.split(' ')[0] ?? '') > behind,
  );
  return { rows, outcome, truth, faults: faultsOf(rows.map(tradeLine), truth, outcome) };
}

const LISTINGS: { readonly [K in keyof Quirks]?: readonly Quirks[K][] } = {
  archiveHolds: ['older', 'everything'],
  fromIdPage: ['oldest', 'newest'],
  tradePage: ['oldest', 'newest'],
  listCap: [null, 20],
  tradeListOrder: ['newest-first', 'unordered'],
};

describe('own trades', () => {
  test('spot-trades, spot-trades-historical: all of them, under every way to list them', async () => {
    const { meeting, now } = await traded();
    const ends = new Set<string>();
    for (const quirks of combinations(LISTINGS)) {
      meeting.control({ quirks: { ...SPEC_QUIRKS, historyWindowMs: DAY, ...quirks } });
      for (const target of [
        { by: 'between', from: now - 5 * DAY, to: null },
        { by: 'between', from: now - 30 * HOUR, to: now - 2 * HOUR },
        { by: 'after', cursor: { tradeId: tradeId(tradeIdAt(20)), venueTime: now - 4 * DAY + 20 * HOUR } },
        { by: 'after', cursor: { tradeId: tradeId(tradeIdAt(100)), venueTime: now - 20 * HOUR + 10 * 10 * MINUTE } },
      ] as const) {
        const { outcome, faults } = await readTrades(meeting, target);
        expect([quirks, target, faults]).toEqual([quirks, target, []]);
        // Thirty rows of one millisecond can't all be seen through pages of twenty: that, and nothing else, may be a
        // gap.
        const gaps = outcome.kind === 'gap' ? outcome.gaps : [];
        const crowds = [now - 30 * HOUR, now - 2 * HOUR];
        for (const { from, to, why } of gaps) {
          // The millisecond before a crowd may hide behind it.
          expect([crowds.includes(to), to - from <= 1, why]).toEqual([true, true, 'too-many-at-once']);
        }
        expect(['complete', quirks.listCap === null ? 'complete' : 'gap']).toContain(outcome.kind);
        ends.add(outcome.kind);
      }
    }
    expect([...ends].sort()).toEqual(['complete', 'gap']);
  });

  test('spot-trades: rows that show late are read by the next reading, from where the first says', async () => {
    const meeting = await meet({ quirks: { tradesLagMs: MINUTE } });
    const now = meeting.clock.now();
    for (let number = 0; number < 30; number += 1) await trade(meeting, now - 3 * HOUR + number * MINUTE);
    meeting.skip(MINUTE);
    // Shown at last; these are not yet.
    for (let number = 0; number < 5; number += 1) await trade(meeting, meeting.clock.now());
    const first = await readTrades(meeting, { by: 'between', from: now - DAY, to: null });
    expect([first.outcome.kind, first.rows.length]).toEqual(['complete', 30]);
    const { settledUntil } = first.outcome;
    expect(settledUntil).toBeLessThan(meeting.clock.now() - MINUTE);
    meeting.skip(MINUTE);
    const second = await readTrades(meeting, { by: 'between', from: settledUntil, to: null });
    expect([second.outcome.kind, second.rows.length, second.faults]).toEqual(['complete', 5, []]);
  });

  test('spot-trades: busy and failing answers are asked again, and a reading that gives up says so', async () => {
    const { meeting, now } = await traded();
    const target = { by: 'between', from: now - 5 * DAY, to: null } as const;
    const fails = (code: number, times: number) => meeting.control(failing(code, { skip: 2, times }));
    fails(-1003, 5);
    expect(await readTrades(meeting, target)).toMatchObject({ outcome: { kind: 'complete' }, faults: [] });
    fails(-1125, 5);
    expect(await readTrades(meeting, target)).toMatchObject({ outcome: { kind: 'complete' }, faults: [] });
    fails(-5011, 1);
    expect(await readTrades(meeting, target)).toMatchObject({ outcome: { kind: 'complete' }, faults: [] });
    fails(-5011, SETTINGS.attempts);
    const given = await readTrades(meeting, target);
    expect(given.outcome.kind).toBe('failed');
    // What was handed out is true all the same.
    expect(given.faults.filter((fault) => fault.startsWith('Handed out'))).toEqual([]);
  });

  test('spot-trades-historical: an archive that is switched off is a gap where it would have told', async () => {
    const { meeting, now } = await traded();
    meeting.control({ disabledEndpoints: ['spot-trades-historical'] });
    const { outcome, faults, rows } = await readTrades(meeting, { by: 'between', from: now - 5 * DAY, to: null });
    expect(faults).toEqual([]);
    expect(outcome).toMatchObject({ kind: 'gap', gaps: [{ from: now - 5 * DAY, why: 'archive-refused' }] });
    expect(rows).toHaveLength(90);
  });

  test('spot-trades: a known trade that is no longer there is a gap', async () => {
    const { meeting, now } = await traded();
    const cursor = { tradeId: tradeId(tradeIdAt(100)), venueTime: now - 20 * HOUR + 10 * 10 * MINUTE };
    await meeting.owner().act({ kind: 'bust-trade', tradeId: cursor.tradeId });
    const { outcome, faults } = await readTrades(meeting, { by: 'after', cursor });
    expect([outcome.kind, faults]).toEqual(['gap', []]);
  });

  test('spot-trades: 120 of one millisecond, told apart by their ids from a trade before them on', async () => {
    for (const quirks of [{}, FIELD_QUIRKS, { timeAs: 'string', tradeIdAs: 'string' }] as const) {
      const meeting = await meet({ quirks });
      const at = meeting.clock.now() - HOUR;
      await trade(meeting, at - HOUR);
      await trade(meeting, at, 120);
      const { outcome, rows, faults } = await readTrades(meeting, { by: 'between', from: at - DAY, to: null });
      expect([outcome.kind, rows.length, faults]).toEqual(['complete', 121, []]);
    }
  });

  test('spot-trades: as many with nothing before them are read, or the rest is a gap of that millisecond', async () => {
    const meeting = await meet();
    const at = meeting.clock.now() - HOUR;
    await trade(meeting, at, 120);
    const { outcome, faults } = await readTrades(meeting, { by: 'between', from: at - DAY, to: null });
    expect(faults).toEqual([]);
    if (outcome.kind !== 'complete') expect(spansOf(outcome)).toEqual([[expect.any(Number), at]]);
  });

  test('spot-trades: an account that never traded', async () => {
    const meeting = await meet();
    const from = meeting.clock.now() - 5 * DAY;
    expect(await readTrades(meeting, { by: 'between', from, to: null })).toMatchObject({
      outcome: { kind: 'complete' },
      rows: [],
    });
  });
});

describe('simple trades', () => {
  test('sbs-trades: all that the list still shows; what is older is a gap, for there is no archive', async () => {
    const meeting = await meet({ quirks: { historyWindowMs: DAY } });
    const now = meeting.clock.now();
    const buy = { kind: 'sbs-trade', account: 'alice', coin: 'BTC', side: 'buy', price: '5000000' } as const;
    for (let hour = 0; hour < 40; hour += 1)
      await meeting.owner().act({ ...buy, quantity: '0.0001', at: now - 40 * HOUR + hour * HOUR });
    for (let number = 0; number < 30; number += 1)
      await meeting.owner().act({ ...buy, quantity: '0.0002', at: now - HOUR });
    const truth = trueTrades(await meeting.truth(), 'sbsTrades');
    for (const quirks of combinations({
      fromIdPage: ['oldest', 'newest'],
      tradePage: ['oldest', 'newest'],
      listCap: [null, 20],
    })) {
      meeting.control({ quirks: { ...SPEC_QUIRKS, historyWindowMs: DAY, ...quirks } });
      for (const [from, wanted] of [
        [now - 20 * HOUR, ''],
        [now - 3 * DAY, 'beyond-the-window'],
      ] as const) {
        const api = historyApi(meeting, meeting.client());
        const reading = { target: { by: 'between', from, to: null }, settings: SETTINGS } as const;
        const { rows, outcome } = await readAll(readHistory(api, sbsTrades(symbol), reading));
        const faults = faultsOf(
          rows.map(tradeLine),
          truth.filter(({ time }) => time >= from),
          outcome,
        );
        expect([quirks, wanted, faults]).toEqual([quirks, wanted, []]);
        const why = outcome.kind === 'gap' ? outcome.gaps.map((gap) => gap.why) : [];
        if (wanted !== '') expect(why).toContain(wanted);
      }
    }
  });
});

describe.each<[string, TransferAction, 'crypto' | 'fiat', 'deposit' | 'withdrawal']>([
  ['crypto-deposits', 'crypto-deposit', 'crypto', 'deposit'],
  ['crypto-withdrawals', 'crypto-withdrawal', 'crypto', 'withdrawal'],
  ['fiat-deposits', 'fiat-deposit', 'fiat', 'deposit'],
  ['fiat-withdrawals', 'fiat-withdrawal', 'fiat', 'withdrawal'],
])('%s: all of them', (_kind, action, means, direction) => {
  /** Failed ones cost nothing. */
  const move = (meeting: Meeting, at: number, amount: string, status: 'failed' | 'pending' = 'failed') =>
    meeting.owner().begins(moving(action, { at, amount, status }));

  async function read(meeting: Meeting, from: number) {
    const api = historyApi(meeting, meeting.client());
    const reading = { target: { by: 'between', from, to: null }, settings: SETTINGS } as const;
    const { rows, outcome } =
      means === 'crypto'
        ? await readAll(readHistory(api, cryptoTransfers(direction), reading))
        : await readAll(readHistory(api, fiatTransfers(direction), reading));
    const truth = trueTransfers(await meeting.truth(), means, direction).filter(({ time }) => time >= from);
    return { rows, outcome, faults: faultsOf([...rows].map(transferLine), truth, outcome) };
  }

  test('old and young ones, and some that are alike in every field', async () => {
    const meeting = await meet();
    const now = meeting.clock.now();
    for (let hour = 0; hour < 90; hour += 1) await move(meeting, now - 95 * HOUR + hour * HOUR, String(1 + (hour % 3)));
    for (let number = 0; number < 7; number += 1) await move(meeting, now - 30 * HOUR, '7');
    for (let number = 0; number < 7; number += 1) await move(meeting, now - 2 * HOUR, '8');
    const transferListOrder = ['newest-first', 'oldest-first', 'unordered'] as const;
    for (const quirks of combinations({
      ...{
        archiveHolds: ['older', 'everything'],
        transferPage: ['oldest', 'newest'],
        listCap: [null, 20],
        transferListOrder,
      },
    })) {
      meeting.control({ quirks: { ...SPEC_QUIRKS, historyWindowMs: DAY, ...quirks } });
      const { outcome, faults } = await read(meeting, now - 5 * DAY);
      expect([quirks, outcome.kind, faults]).toEqual([quirks, 'complete', []]);
    }
  });

  test('more at one moment than a page holds is a gap of that moment', async () => {
    const meeting = await meet();
    const at = meeting.clock.now() - HOUR;
    for (let number = 0; number < 60; number += 1) await move(meeting, at, String(1 + number));
    await move(meeting, at - HOUR, '1');
    await move(meeting, at + 1, '1');
    const { outcome, faults } = await read(meeting, at - DAY);
    expect(faults).toEqual([]);
    expect(spansOf(outcome)).toEqual([[expect.any(Number), at]]);
    // The millisecond before it may hide behind it.
    expect(at - (spansOf(outcome)[0]?.[0] ?? 0)).toBeLessThanOrEqual(1);
  });

  test('one that is pending is not settled, and is later what it became', async () => {
    const meeting = await meet();
    const at = meeting.clock.now() - 3 * HOUR;
    await move(meeting, at - HOUR, '1');
    const transferId = await move(meeting, at, '2', 'pending');
    await move(meeting, at + HOUR, '3');
    const first = await read(meeting, at - DAY);
    expect([first.outcome.kind, first.outcome.settledUntil, first.faults]).toEqual(['complete', at - 1, []]);
    await meeting.owner().act({ kind: 'end-transfer', transferId, outcome: 'success' });
    const second = await read(meeting, first.outcome.settledUntil);
    expect(second.outcome.kind).toBe('complete');
    expect(second.rows.map(({ status }) => status)).toEqual(['success', 'failed']);
    expect(second.faults).toEqual([]);
  });
});
