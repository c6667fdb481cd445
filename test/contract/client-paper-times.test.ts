// Times that the exchange writes shifted (N5, Q17), as the client corrects them: by the Date of the answers, never by
// its own clock, and only where the answers show a shift.
import { describe, expect, test } from '@jest/globals';
import type { TimeOffset } from '../../src/client/times/time-offsets.ts';
import { HOUR, MINUTE } from '../../src/domain/time.ts';
import { INDIA_OFFSET_MS } from '../../src/paper/wire/quirks.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import { type Meeting, type MeetingOptions, paperKit } from './client-paper-kit.ts';
import { BOB } from './client-paper-market.ts';
import { goodRequest } from './client-paper-requests.ts';
import { enrich } from './client-paper-rich.ts';
import { moving } from './client-paper-transfers.ts';

const kit = paperKit();
const symbol = 'BTC/INR';

/** One trade, now. */
async function trade(meeting: Meeting): Promise<void> {
  await meeting.client().place('BUY 0.00100 @ 5000000.00');
  await meeting.client({ key: BOB }).place('SELL 0.00100 @ 5000000.00');
}

const timesOf = ({ outcome }: Completed): readonly number[] =>
  outcome.kind === 'read' && Array.isArray(outcome.read.rows)
    ? outcome.read.rows.flatMap((row) => (typeof row === 'object' && 'venueTime' in row ? [row.venueTime] : []))
    : [];

const trades = { kind: 'public-trades', symbol } as const;
const offsetOf = (offsets: readonly TimeOffset[], kind: string) => offsets.find((offset) => offset.kind === kind);

/** When alice's fills really were, newest first. */
async function truly(meeting: Meeting): Promise<readonly number[]> {
  const [alice] = (await meeting.truth()).accounts;
  return (alice?.fills ?? []).map(({ time }) => time).reverse();
}

describe('public-trades: shifted by five and a half hours', () => {
  test.each<[string, MeetingOptions]>([
    ['at once', {}],
    ['where the client’s clock is an hour behind', { aheadMs: HOUR }],
    ['where it is a day ahead', { aheadMs: -24 * HOUR }],
    ['where the times are text', { quirks: { timeAs: 'string' } }],
  ])('%s', async (_how, options) => {
    const meeting = await kit.meet({ ...options, quirks: { ...options.quirks, publicTradeOffsetMs: INDIA_OFFSET_MS } });
    // Bob and alice stamp by the exchange's time.
    const stamped = options.aheadMs ?? 0;
    const [alice, bob] = [meeting.client({ aheadMs: stamped }), meeting.client({ key: BOB, aheadMs: stamped })];
    const client = meeting.client();
    for (let round = 0; round < 3; round += 1) {
      await alice.place('BUY 0.00100 @ 5000000.00');
      await bob.place('SELL 0.00100 @ 5000000.00');
      meeting.skip(5 * MINUTE);
      expect(timesOf(await client.perform(trades))).toEqual(await truly(meeting));
    }
    expect(offsetOf(client.timeOffsets(), 'public-trades')).toMatchObject({ appliedMs: INDIA_OFFSET_MS, changes: 0 });
  });

  test('a shift that begins and ends while the client runs is noticed', async () => {
    const meeting = await kit.meet();
    const client = meeting.client();
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        await trade(meeting);
        meeting.skip(3 * MINUTE);
        await client.perform(trades);
      }
      return timesOf(await client.perform(trades));
    };
    expect(await rounds(3)).toEqual(await truly(meeting));
    meeting.control({ quirks: { ...meeting.quirks(), publicTradeOffsetMs: INDIA_OFFSET_MS } });
    expect(await rounds(5)).toEqual(await truly(meeting));
    meeting.control({ quirks: { ...meeting.quirks(), publicTradeOffsetMs: 0 } });
    expect(await rounds(5)).toEqual(await truly(meeting));
    const { changes = 0 } = offsetOf(client.timeOffsets(), 'public-trades') ?? {};
    expect(changes).toBeGreaterThanOrEqual(2);
  });

  test('a shift that is configured wins over what the answers show', async () => {
    const meeting = await kit.meet({ quirks: { publicTradeOffsetMs: INDIA_OFFSET_MS } });
    await trade(meeting);
    const client = meeting.client({ settings: { timeOffsetsMs: { 'public-trades': 0 } } });
    const [really = 0] = await truly(meeting);
    expect(timesOf(await client.perform(trades))).toEqual([really + INDIA_OFFSET_MS]);
  });
});

test('what is not shifted is never corrected: not in hours of trading, not by old rows, not by lags', async () => {
  const meeting = await kit.meet({ withOwner: true, quirks: { tradesLagMs: MINUTE, transfersLagMs: MINUTE } });
  await enrich(meeting);
  const client = meeting.client();
  const names = [
    'public-trades',
    'spot-trades',
    'crypto-deposits',
    'fiat-withdrawals',
    'sbs-trades',
    'open-orders',
    'tickers',
  ] as const;
  for (let round = 0; round < 12; round += 1) {
    await trade(meeting);
    meeting.skip(round % 3 === 0 ? 2 * HOUR : 40_000);
    for (const name of names) await client.perform(goodRequest(name, client.stamp()));
  }
  for (const { kind, appliedMs, changes } of client.timeOffsets())
    expect([kind, appliedMs, changes]).toEqual([kind, 0, 0]);
});

test('the clocks: an exchange whose own clock is set forward shifts nothing but its stamps', async () => {
  const meeting = await kit.meet();
  const client = meeting.client();
  await trade(meeting);
  await client.perform(trades);
  meeting.control({ clockOffsetMs: 10 * MINUTE });
  expect((await client.perform({ kind: 'wallet', stamp: client.stamp() })).outcome).toMatchObject({ code: -1021 });
  const completed = await client.perform({ kind: 'wallet', stamp: client.stamp(10 * MINUTE) });
  expect(completed.outcome.kind).toBe('read');
  expect(completed.facts.venueDate ?? 0).toBeGreaterThan(meeting.clock.now() + 9 * MINUTE);
  await client.perform(trades);
  expect(offsetOf(client.timeOffsets(), 'public-trades')?.appliedMs).toBe(0);
});

// Times that are behind are those of rows that are listed late: nothing that is behind UTC was seen in the field.
test.each([30 * MINUTE, 59 * MINUTE, 3 * HOUR, 6 * HOUR])(
  'crypto-deposits that are listed %i ms after their time are not corrected, however often',
  async (lateMs) => {
    const meeting = await kit.meet({ withOwner: true });
    const client = meeting.client();
    const ask = async () => timesOf(await client.perform(goodRequest('crypto-deposits', client.stamp())));
    const wanted: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      meeting.skip(8 * HOUR);
      await ask();
      meeting.skip(5 * MINUTE);
      wanted.unshift(meeting.clock.now() - lateMs);
      await meeting.owner().act(moving('crypto-deposit', { at: wanted[0] ?? 0, amount: '1' }));
      expect(await ask()).toEqual(wanted);
    }
  },
);
