// Own trades over many pages: every fill exactly once, whichever rows a page holds and in whatever order they come.
import { describe, expect, test } from '@jest/globals';
import type { Fill } from '../../src/domain/fill.ts';
import { compareTradeIds, type TradeId, tradeId } from '../../src/domain/ids.ts';
import { type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import type { PaperClient } from './client-paper-client.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { BOB, tradeIdAt } from './client-paper-market.ts';
import { afterFills, chargesOf, statedCharges, totalsOf, units } from './client-paper-sums.ts';
import { windowOf } from './client-paper-words.ts';

const kit = paperKit();
const PAGE = 50;
const FILLS = 130;
const OPENING = { BTC: units('10'), ETH: units('100'), INR: units('10000000') };

/** All fills from a known one on, by the rules of order-truth §4, or the gap that can't be closed. */
async function walk(client: PaperClient, known: TradeId): Promise<{ fills: Map<TradeId, Fill>; gap: boolean }> {
  const fills = new Map<TradeId, Fill>();
  let cursor = known;
  for (;;) {
    const page = await client.fills({ by: 'from-id', fromId: cursor }, PAGE);
    const before = fills.size;
    for (const fill of page) fills.set(fill.tradeId, fill);
    const newest = page
      .map((fill) => fill.tradeId)
      .sort(compareTradeIds)
      .at(-1);
    const reachesBack = page.some((fill) => fill.tradeId === cursor);
    if (page.length < PAGE) return { fills, gap: !reachesBack };
    if (!reachesBack) return { fills, gap: await bisect(client, fills, spanOf(page)) };
    if (newest === undefined || fills.size === before) return { fills, gap: true };
    cursor = newest;
  }
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const spanOf = (page: readonly Fill[]): Span => ({
  from: Math.min(...page.map(({ venueTime }) => venueTime)) - 3_600_000,
  to: Math.min(...page.map(({ venueTime }) => venueTime)),
});

/** Halves the time until no window is full. More than a page in one millisecond is a gap. */
async function bisect(client: PaperClient, fills: Map<TradeId, Fill>, { from, to }: Span): Promise<boolean> {
  const page = await client.fills({ by: 'window', window: windowOf(from, to) }, PAGE);
  for (const fill of page) fills.set(fill.tradeId, fill);
  if (page.length < PAGE) return false;
  if (from === to) return true;
  const middle = Math.floor((from + to) / 2);
  const older = await bisect(client, fills, { from, to: middle });
  return (await bisect(client, fills, { from: middle + 1, to })) || older;
}

/** Alice sells in one order what bob buys in many, one each millisecond at least. */
async function manyFills(): Promise<Meeting> {
  const meeting = await kit.meet();
  const bob = meeting.client({ key: BOB });
  await meeting.client().place('SELL 5.00000 @ 5000000.01');
  for (let fill = 0; fill < FILLS; fill += 1) {
    await bob.place(`BUY 0.000${10 + (fill % 90)} @ 5000000.01`);
    meeting.skip(1 + (fill % 7) * 1_000);
  }
  return meeting;
}

const wantedIds = [...Array(FILLS).keys()].map(tradeIdAt);

const ways: Quirks[] = (['newest-first', 'oldest-first', 'unordered'] as const).flatMap((tradeListOrder) =>
  (['oldest', 'newest'] as const).flatMap((fromIdPage) =>
    (['oldest', 'newest'] as const).map((tradePage) => ({ ...SPEC_QUIRKS, tradeListOrder, fromIdPage, tradePage })),
  ),
);

describe(`${FILLS} fills`, () => {
  test('come exactly once under every combination of Q2 and Q3, and add up to both wallets', async () => {
    const meeting = await manyFills();
    for (const quirks of ways) {
      meeting.control({ quirks });
      for (const client of [meeting.client(), meeting.client({ key: BOB })]) {
        const { fills, gap } = await walk(client, tradeId(tradeIdAt(0)));
        expect([gap, [...fills.keys()].sort(compareTradeIds)]).toEqual([false, wantedIds]);
        const rows = [...fills.values()];
        expect(rows.map(statedCharges)).toEqual(rows.map(chargesOf));
        expect(totalsOf(await client.balances())).toEqual(afterFills(OPENING, rows));
      }
    }
  });

  test('in pages that overlap by the one row that proves it', async () => {
    const meeting = await manyFills();
    const pages: number[][] = [];
    for (let cursor = 0; cursor < FILLS - 1; cursor = pages.at(-1)?.[1] ?? FILLS) {
      const page = await meeting.client().fills({ by: 'from-id', fromId: tradeId(tradeIdAt(cursor)) }, PAGE);
      const numbers = page.map((fill) => wantedIds.indexOf(fill.tradeId));
      pages.push([Math.min(...numbers), Math.max(...numbers)]);
    }
    expect(pages).toEqual([
      [0, 49],
      [49, 98],
      [98, 129],
    ]);
  });

  test('an id beyond the last is an empty page, and a smaller one than the first is no error', async () => {
    const meeting = await manyFills();
    const client = meeting.client();
    expect(await client.fills({ by: 'from-id', fromId: tradeId(tradeIdAt(FILLS)) })).toEqual([]);
    const early = await client.fills({ by: 'from-id', fromId: tradeId('0') });
    expect(early.map((fill) => fill.tradeId).sort(compareTradeIds)).toEqual(wantedIds.slice(0, PAGE));
  });
});

describe('60 fills in one millisecond', () => {
  async function atOnce(quirks: Partial<Quirks>): Promise<{ fills: number; gap: boolean }> {
    const meeting = await kit.meet({ quirks });
    const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
    for (let order = 0; order < 60; order += 1) await bob.place('SELL 0.00010 @ 5000000.01');
    await alice.place('BUY 0.00600 @ 5000000.01');
    const { fills, gap } = await walk(alice, tradeId(tradeIdAt(0)));
    return { fills: fills.size, gap };
  }

  test('are no obstacle where a page holds the oldest ids', async () => {
    expect(await atOnce({ fromIdPage: 'oldest' })).toEqual({ fills: 60, gap: false });
  });

  test('are a gap that is said where it holds the newest, because time can’t tell them apart', async () => {
    expect(await atOnce({ fromIdPage: 'newest' })).toEqual({ fills: 50, gap: true });
  });
});
