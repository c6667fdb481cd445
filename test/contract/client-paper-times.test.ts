// Times that the exchange writes off by hours (N5), as the client corrects them: by the offset that is configured.
import { describe, expect, test } from '@jest/globals';
import { HOUR } from '../../src/domain/time.ts';
import { INDIA_OFFSET_MS } from '../../src/paper/wire/quirks.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import { type Meeting, type MeetingOptions, paperKit } from './client-paper-kit.ts';
import { BOB } from './client-paper-market.ts';

const kit = paperKit();
const symbol = 'BTC/INR';

/** One trade, now. */
async function trade(meeting: Meeting, aheadMs = 0): Promise<void> {
  await meeting.client({ aheadMs }).place('BUY 0.00100 @ 5000000.00');
  await meeting.client({ key: BOB, aheadMs }).place('SELL 0.00100 @ 5000000.00');
}

const timesOf = ({ outcome }: Completed): readonly number[] =>
  outcome.kind === 'read' && Array.isArray(outcome.read.rows)
    ? outcome.read.rows.flatMap((row) => (typeof row === 'object' && 'venueTime' in row ? [row.venueTime] : []))
    : [];

const trades = { kind: 'public-trades', symbol } as const;

/** When alice's fills really were, newest first. */
async function truly(meeting: Meeting): Promise<readonly number[]> {
  const [alice] = (await meeting.truth()).accounts;
  return (alice?.fills ?? []).map(({ time }) => time).reverse();
}

describe('public trades whose times are 5 h 30 min ahead', () => {
  const offset = { timeOffsetsMs: { 'public-trades': INDIA_OFFSET_MS } };

  test.each<[string, MeetingOptions]>([
    ['as numbers', {}],
    ['as text', { quirks: { timeAs: 'string' } }],
    ['where the client’s clock is an hour behind', { aheadMs: HOUR }],
  ])('come out in true time, by the offset: %s', async (_how, options) => {
    const meeting = await kit.meet({ ...options, quirks: { ...options.quirks, publicTradeOffsetMs: INDIA_OFFSET_MS } });
    await trade(meeting, options.aheadMs);
    const [really = 0] = await truly(meeting);
    expect(timesOf(await meeting.client({ settings: offset }).perform(trades))).toEqual([really]);
    expect(timesOf(await meeting.client({ settings: { timeOffsetsMs: {} } }).perform(trades))).toEqual([
      really + INDIA_OFFSET_MS,
    ]);
  });
});
