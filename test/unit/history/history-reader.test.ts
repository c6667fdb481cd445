// The reader over a network that is asked one question at a time: rows as they are known, then one end.
import { describe, expect, test } from '@jest/globals';
import {
  type HistoryApi,
  type HistoryEvent,
  type ReaderSettings,
  readHistory,
} from '../../../src/client/history-reader.ts';
import { tradeId } from '../../../src/domain/ids.ts';
import { DAY, MINUTE } from '../../../src/domain/time.ts';
import {
  cryptoTransfers,
  fiatTransfers,
  type HistoryQuestion,
  sbsTrades,
  spotTrades,
} from '../../../src/history/lists.ts';
import type { HistoryOutcome } from '../../../src/history/outcome.ts';
import type { TradesTarget } from '../../../src/history/state.ts';
import type { Completed, Fault, ReadOutcome } from '../../../src/venue/outcomes.ts';
import { refused } from '../refused.ts';

import { drawing, type Law, pageAt, type TrueRow } from './oracle-list.ts';
import { askedBy, fillOf, SETTINGS, SYMBOL } from './play-trades.ts';
import { cryptoOf, fiatOf, transferAskedBy, transfersOf } from './play-transfers.ts';
import { NOW } from './true-rows.ts';

const part = { start: 'oldest', end: 'newest', window: 'oldest', 'from-id': 'oldest' } as const;
const LAW: Law = {
  order: 'newest-first',
  cap: 50,
  part,
  ties: 'by-id',
  windowMs: 7 * DAY,
  archive: 'older',
  repeats: 0,
  finer: false,
};
const READER: ReaderSettings = { ...SETTINGS, attempts: 3, mostThrottled: 2 };
const FAULT: Fault = { sent: true, reason: 'timeout', detail: 'No answer in time.' };
const STAMP = { timestamp: NOW, recvWindow: 5_000 };

const rows: TrueRow[] = Array.from({ length: 120 }, (_, index) => {
  const time = NOW - (120 - index) * 2 * 60 * MINUTE;
  return { id: 1_000n + BigInt(index), time, shownAt: time };
});
const transfers = transfersOf(rows, drawing(1));
const behindFirst: TradesTarget = { by: 'after', cursor: { tradeId: tradeId('1000'), venueTime: rows[0]?.time ?? 0 } };
const sinceFirst = { by: 'between', from: rows[0]?.time ?? 0, to: null } as const;

type Trouble = Extract<ReadOutcome<never>, { kind: 'rejected' | 'throttled' | 'failed' }>;

/** Answers from the small venue, but for what `trouble` says of the n-th request. */
function network(trouble: (request: number, question: HistoryQuestion) => Trouble | null = () => null) {
  const asked: HistoryQuestion[] = [];
  const slept: number[] = [];
  const api: HistoryApi = {
    ask: async (question) => {
      asked.push(question);
      await Promise.resolve();
      return completedOf(question, trouble(asked.length, question));
    },
    sleepUntil: async (moment) => {
      slept.push(moment);
    },
  };
  return { api, asked, slept };
}

const facts = { sentAt: NOW, receivedAt: NOW };
const venue = { law: LAW, draw: drawing(2) };
const readOf = <Row>(found: readonly Row[]): ReadOutcome<readonly Row[]> => ({
  kind: 'read',
  read: { rows: found, complete: true, ...facts },
});

function completedOf(question: HistoryQuestion, trouble: Trouble | null): Completed {
  switch (question.kind) {
    case 'spot-trades':
    case 'spot-trades-historical':
    case 'sbs-trades':
      return paired(question, trouble ?? readOf(pageAt({ ...venue, rows }, askedBy(question), NOW).map(fillOf)));
    default: {
      const rowOf = question.kind.startsWith('crypto') ? cryptoOf : fiatOf;
      const page = pageAt({ ...venue, rows: transfers }, transferAskedBy(question), NOW);
      return paired(question, trouble ?? readOf(page.map((row) => rowOf(row, NOW))));
    }
  }
}

/** The compiler can't see that the rows are those of the question's list. */
const paired = (question: HistoryQuestion, outcome: ReadOutcome<readonly unknown[]>): Completed =>
  ({ kind: question.kind, request: { ...question, stamp: STAMP }, outcome, facts }) as Completed;

async function drain<Row>(events: AsyncIterable<HistoryEvent<Row>>): Promise<{ rows: Row[]; ends: HistoryOutcome[] }> {
  const found: Row[] = [];
  const ends: HistoryOutcome[] = [];
  for await (const event of events) {
    if (event.kind === 'rows') found.push(...event.rows);
    else ends.push(event.outcome);
  }
  return { rows: found, ends };
}

const spot = (api: HistoryApi) => readHistory(api, spotTrades(SYMBOL), { target: behindFirst, settings: READER });

describe('each list', () => {
  test('spot trades, over both lists', async () => {
    const { api, asked } = network();
    const { rows: found, ends } = await drain(spot(api));
    expect(found.map((row) => row.tradeId)).toEqual(rows.slice(1).map(({ id }) => String(id)));
    expect(ends).toMatchObject([{ kind: 'complete', rows: 119, requests: asked.length }]);
    expect(new Set(asked.map(({ kind }) => kind))).toEqual(new Set(['spot-trades', 'spot-trades-historical']));
  });

  test('simple buys and sells, as far as the list goes', async () => {
    const { api, asked } = network();
    const { ends } = await drain(readHistory(api, sbsTrades(SYMBOL), { target: sinceFirst, settings: READER }));
    expect(ends).toMatchObject([{ kind: 'gap', gaps: [{ why: 'beyond-the-window' }] }]);
    expect(new Set(asked.map(({ kind }) => kind))).toEqual(new Set(['sbs-trades']));
  });

  test('crypto and fiat transfers', async () => {
    const { api, asked } = network();
    const settings = READER;
    const crypto = await drain(readHistory(api, cryptoTransfers('deposit'), { target: sinceFirst, settings }));
    expect(crypto.ends).toMatchObject([{ kind: 'complete', rows: 120 }]);
    const fiat = await drain(readHistory(api, fiatTransfers('withdrawal'), { target: sinceFirst, settings }));
    expect(fiat.ends).toMatchObject([{ kind: 'complete', rows: 120 }]);
    expect(new Set(asked.map(({ kind }) => kind))).toEqual(
      new Set(['crypto-deposits', 'crypto-deposits-historical', 'fiat-withdrawals', 'fiat-withdrawals-historical']),
    );
  });
});

describe('where no answer comes', () => {
  test('a throttled question waits until the venue wants it again', async () => {
    const throttled = (times: number) =>
      network((request) =>
        request > 1 && request <= 1 + times ? { kind: 'throttled', status: 429, retryAt: NOW + request } : null,
      );
    const some = throttled(2);
    expect((await drain(spot(some.api))).ends).toMatchObject([{ kind: 'complete' }]);
    expect(some.slept).toEqual([NOW + 2, NOW + 3]);
    const more = throttled(3);
    expect((await drain(spot(more.api))).ends).toMatchObject([{ kind: 'failed', fault: { status: 429 } }]);
    expect(more.slept).toHaveLength(2);
  });

  test('a refusal is not asked again: the archive’s is a gap, any other ends reading', async () => {
    const refusal = refused(-1404, { status: 404, msg: 'Endpoint not found.' });
    const archive = network((_request, { kind }) => (kind === 'spot-trades-historical' ? refusal : null));
    expect((await drain(spot(archive.api))).ends).toMatchObject([{ kind: 'gap', gaps: [{ why: 'archive-refused' }] }]);
    const all = network(() => refusal);
    expect((await drain(spot(all.api))).ends).toMatchObject([{ kind: 'failed', fault: { code: -1404 } }]);
    // By the id, which the list may not take, and by time.
    expect(all.asked).toHaveLength(2);
  });

  test.each([
    ['that nobody answers', { kind: 'failed', fault: FAULT } as const],
    ['that could not be fetched', refused(-5011, { status: 500, msg: 'Unable to fetch.' })],
    ['that was asked by a clock that is off', refused(-1021, { msg: 'Timestamp outside recvWindow.' })],
  ])('a list %s is asked for again as often as the settings say, and is no gap', async (_, last) => {
    const fault = last.kind === 'failed' ? last.fault : { code: last.code };
    const some = network((request) => (request === 2 || request === 3 ? last : null));
    expect((await drain(spot(some.api))).ends).toMatchObject([{ kind: 'complete', rows: 119 }]);
    expect(some.asked[1]).toEqual(some.asked[3]);
    const none = network((request) => (request >= 2 ? last : null));
    const { rows: found, ends } = await drain(spot(none.api));
    expect(ends).toMatchObject([{ kind: 'failed', fault, rows: found.length }]);
    expect(none.asked).toHaveLength(4);
    const archive = network((_request, { kind }) => (kind === 'spot-trades-historical' ? last : null));
    expect((await drain(spot(archive.api))).ends).toMatchObject([{ kind: 'failed', fault }]);
  });
});

test('who stops listening stops the questions', async () => {
  const { api, asked } = network();
  for await (const event of spot(api)) {
    expect(event.kind).toBe('rows');
    break;
  }
  const before = asked.length;
  await Promise.resolve();
  expect(asked).toHaveLength(before);
});

test('an answer to another question is a bug', async () => {
  const { api } = network();
  const crossed: HistoryApi = {
    ...api,
    ask: async () =>
      completedOf({ kind: 'sbs-trades', symbol: SYMBOL, filter: { time: { by: 'all' }, fromId: tradeId('1') } }, null),
  };
  await expect(drain(spot(crossed))).rejects.toThrow('spot-trades was asked, sbs-trades was answered');
});
