// Deposits and withdrawals: what the owner's account did, read back by the client to the last digit, from each of the
// eight lists, in both profiles.
import { describe, expect, test } from '@jest/globals';
import { plain } from '../../src/domain/decimal.ts';
import { DAY, HOUR } from '../../src/domain/time.ts';
import { FIELD_QUIRKS, type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import type { ListLimit } from '../../src/venue/bounds.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { BOB } from './client-paper-market.ts';
import {
  type Moved,
  moving,
  readOf,
  type TransferAction,
  type TransferKind,
  type TransferQuestion,
  transferRequest,
  transfersOf,
} from './client-paper-transfers.ts';
import { rangeOf } from './client-paper-words.ts';

const kit = paperKit();
const WINDOW = SPEC_QUIRKS.historyWindowMs;

describe.each<[TransferKind, TransferAction, number]>([
  ['crypto-deposits', 'crypto-deposit', HOUR],
  ['crypto-deposits-historical', 'crypto-deposit', WINDOW + HOUR],
  ['crypto-withdrawals', 'crypto-withdrawal', HOUR],
  ['crypto-withdrawals-historical', 'crypto-withdrawal', WINDOW + HOUR],
  ['fiat-deposits', 'fiat-deposit', HOUR],
  ['fiat-deposits-historical', 'fiat-deposit', WINDOW + HOUR],
  ['fiat-withdrawals', 'fiat-withdrawal', HOUR],
  ['fiat-withdrawals-historical', 'fiat-withdrawal', WINDOW + HOUR],
])('%s: what the account moved', (kind, action, age) => {
  const isCrypto = kind.startsWith('crypto');
  const isHistorical = age > WINDOW;

  /** Meets, and lets so many transfers happen, one in each millisecond, the first `age` ago. */
  async function moved(quirks: Partial<Quirks>, moves: readonly Partial<Moved>[]): Promise<[Meeting, Moved[]]> {
    const meeting = await kit.meet({ quirks, withOwner: true });
    const first = meeting.clock.now() - age;
    const done = moves.map((move, index) => ({ at: first + index, ...move }));
    for (const each of done) await meeting.owner().act(moving(action, each));
    return [meeting, done];
  }
  const ask = (meeting: Meeting, question: TransferQuestion = {}) => transfersOf(meeting.client(), kind, question);
  /** Failed ones, so that no balance has to bear them. */
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ amount: String(index + 1), status: 'failed' }) as const);
  const amounts = async (meeting: Meeting, question: TransferQuestion = {}) =>
    (await ask(meeting, question)).map(({ amount }) => plain(amount)).join(' ');

  test.each([
    ['spec', SPEC_QUIRKS],
    ['field', FIELD_QUIRKS],
    ['numbers as text', { timeAs: 'string' }],
  ] as const)('%s: every field of every status, newest first', async (_profile, quirks) => {
    const statuses = ['pending', 'success', 'failed', ...(isCrypto ? [] : (['rejected'] as const))] as const;
    const [meeting, done] = await moved(
      quirks,
      statuses.map((status) => ({ status })),
    );
    expect(await ask(meeting)).toEqual(done.map((each) => readOf(action, each)).reverse());
  });

  test('holds nothing of others: of no other direction, means or account', async () => {
    const [meeting] = await moved({}, [{}]);
    const at = meeting.clock.now() - age;
    const others: readonly TransferAction[] = [
      'crypto-deposit',
      'crypto-withdrawal',
      'fiat-deposit',
      'fiat-withdrawal',
    ];
    for (const other of others) if (other !== action) await meeting.owner().act(moving(other, { at }));
    await meeting.owner().act(moving(action, { at, account: 'bob', amount: '2' }));
    expect(await amounts(meeting)).toBe('0.12345678');
    expect((await transfersOf(meeting.client({ key: BOB }), kind)).map(({ amount }) => plain(amount))).toEqual(['2']);
  });

  test('a status selects its rows', async () => {
    const moves = [{ status: 'pending', amount: '1' }, { amount: '2' }, { status: 'failed', amount: '3' }] as const;
    const [meeting] = await moved({}, moves);
    const rows = await Promise.all(
      (['pending', 'success', 'failed'] as const).map((status) =>
        amounts(meeting, { filter: { status, time: { by: 'all' } } }),
      ),
    );
    expect(rows).toEqual(['1', '2', '3']);
  });

  test('times select inclusively, over any stretch', async () => {
    const [meeting, done] = await moved({}, numbers(3));
    const [first = 0, second = 0, third = 0] = done.map(({ at }) => at);
    const by = (time: TransferQuestion['filter'] & {}): Promise<string> => amounts(meeting, { filter: time });
    expect(await by({ time: { by: 'start', startTime: second } })).toBe('3 2');
    expect(await by({ time: { by: 'start', startTime: third + 1 } })).toBe('');
    expect(await by({ time: { by: 'end', endTime: second } })).toBe('2 1');
    expect(await by({ time: { by: 'end', endTime: first - 1 } })).toBe('');
    expect(await by({ time: { by: 'range', range: rangeOf(second, second) } })).toBe('2');
    // The 72 hours are a rule of the trade lists: these have none.
    expect(await by({ time: { by: 'range', range: rangeOf(0, third + 400 * DAY) } })).toBe('3 2 1');
  });

  test.each<[ListLimit | undefined, number | null, Quirks['transferPage'], string]>([
    [undefined, null, 'newest', '60 … 41'],
    [undefined, null, 'oldest', '20 … 1'],
    [50, null, 'newest', '60 … 11'],
    [50, null, 'oldest', '50 … 1'],
    [50, 20, 'newest', '60 … 41'],
    [1, 20, 'oldest', '1 … 1'],
  ])('limit %p, cap %p: the %s of sixty are %s', async (limit, listCap, transferPage, shown) => {
    const [meeting] = await moved({ listCap, transferPage }, numbers(60));
    const rows = (await amounts(meeting, limit === undefined ? {} : { limit })).split(' ');
    expect(`${rows[0]} … ${rows.at(-1)}`).toBe(shown);
    expect(rows).toHaveLength(Math.min(limit ?? 20, listCap ?? 50));
  });

  test.each<[Quirks['transferListOrder'], string | null]>([
    ['newest-first', '5 4 3 2 1'],
    ['oldest-first', '1 2 3 4 5'],
    ['unordered', null],
  ])('Q2: %s', async (transferListOrder, shown) => {
    const [meeting] = await moved({ transferListOrder }, numbers(5));
    const got = await amounts(meeting);
    if (shown !== null) expect(got).toBe(shown);
    expect(got.split(' ').sort().join(' ')).toBe('1 2 3 4 5');
  });

  test.each([1, 7, 90])('Q16: a window of %i days, and what is beyond it', async (days) => {
    for (const archiveHolds of ['older', 'everything'] as const) {
      const meeting = await kit.meet({ quirks: { historyWindowMs: days * DAY, archiveHolds }, withOwner: true });
      const now = meeting.clock.now();
      await meeting.owner().act(moving(action, { at: now - days * DAY + 60_000, amount: '1' }));
      await meeting.owner().act(moving(action, { at: now - days * DAY - 60_000, amount: '2' }));
      const historical = archiveHolds === 'older' ? '2' : '1 2';
      expect(await amounts(meeting)).toBe(isHistorical ? historical : '1');
      // A minute on, the younger one has left the window as well.
      meeting.skip(61_000);
      expect(await amounts(meeting)).toBe(isHistorical ? '1 2' : '');
    }
  });

  test('Q6: a transfer and each change of it show when the lag has passed; the row keeps its time', async () => {
    const meeting = await kit.meet({ quirks: { transfersLagMs: 30_000 }, withOwner: true });
    const at = meeting.clock.now() - age;
    const id = await meeting.owner().begins(moving(action, { at, status: 'pending' }));
    expect(await ask(meeting)).toEqual([]);
    meeting.skip(30_000);
    expect(await ask(meeting)).toEqual([readOf(action, { at, status: 'pending' })]);
    await meeting.owner().act({ kind: 'end-transfer', transferId: id, outcome: 'success' });
    expect(await ask(meeting)).toEqual([readOf(action, { at, status: 'pending' })]);
    meeting.skip(30_000);
    expect(await ask(meeting)).toEqual([readOf(action, { at, status: 'success' })]);
  });

  test('one that fails or is rejected gives back what it held, and says so', async () => {
    const meeting = await kit.meet({ withOwner: true });
    const client = meeting.client();
    const before = await client.wallet();
    const at = meeting.clock.now() - age;
    for (const outcome of isCrypto ? (['failed'] as const) : (['failed', 'rejected'] as const)) {
      const transferId = await meeting.owner().begins(moving(action, { at, status: 'pending' }));
      await meeting.owner().act({ kind: 'end-transfer', transferId, outcome });
      expect((await ask(meeting))[0]).toEqual(readOf(action, { at, status: outcome }));
    }
    expect(await client.wallet()).toEqual(before);
  });

  test('two that are alike in every field are two rows', async () => {
    const at = Date.now() - age;
    const [meeting] = await moved({}, [{ at }, { at }]);
    expect(await ask(meeting)).toEqual([readOf(action, { at }), readOf(action, { at })]);
  });

  test('another asset of a crypto list, and no filter by asset in a fiat one', async () => {
    const meeting = await kit.meet({ withOwner: true });
    const at = meeting.clock.now() - age;
    await meeting.owner().act(moving(action, { at, amount: '1' }));
    await meeting.owner().act(moving(action, { at, amount: '2', asset: 'ETH' }));
    const filter = { asset: 'ETH', time: { by: 'all' } } as const;
    expect(await amounts(meeting, { filter })).toBe(isCrypto ? '2' : '2 1');
    const { request } = await meeting.client().perform(transferRequest(meeting.client(), kind, { filter }));
    expect(request).toMatchObject({ filter });
  });
});

test('crypto-deposits that have no hash and no address yet are null, and get the hash later', async () => {
  const meeting = await kit.meet({ withOwner: true });
  const base = { account: 'alice', asset: 'ETH', network: 'ERC20', amount: '1', status: 'pending' } as const;
  const transferId = await meeting.owner().begins({ kind: 'crypto-deposit', ...base });
  const nothing = { transactionHash: null, fromAddress: null, toAddress: null };
  expect(await transfersOf(meeting.client(), 'crypto-deposits')).toMatchObject([nothing]);
  await meeting.owner().act({ kind: 'transaction-hash', transferId, transactionHash: '0xabc' });
  expect(await transfersOf(meeting.client(), 'crypto-deposits')).toMatchObject([
    { ...nothing, transactionHash: '0xabc' },
  ]);
});

test('money moves as the rows say: a deposit credits its amount, a withdrawal costs amount and fee', async () => {
  const meeting = await kit.meet({ withOwner: true });
  const client = meeting.client();
  const at = meeting.clock.now();
  const held = { status: 'pending', at } as const;
  const begun = await meeting.owner().begins(moving('crypto-withdrawal', held));
  // 10 − 0.12345678 − 0.00000001, and what is on its way is locked.
  expect(await client.wallet()).toMatchObject({ BTC: '9.87654321 + 0.12345679', INR: '10000000 + 0' });
  await meeting.owner().act({ kind: 'end-transfer', transferId: begun, outcome: 'success' });
  expect(await client.wallet()).toMatchObject({ BTC: '9.87654321 + 0' });
  await meeting.owner().act(moving('crypto-deposit', { at }));
  await meeting.owner().act(moving('fiat-deposit', { at, amount: '0.01' }));
  await meeting.owner().act(moving('fiat-withdrawal', { at, amount: '100' }));
  expect(await client.wallet()).toEqual({ BTC: '9.99999999 + 0', ETH: '100 + 0', INR: '9999898.78 + 0' });
});
