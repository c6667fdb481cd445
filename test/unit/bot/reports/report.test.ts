// Profit of periods, exact: equal to the trader's own sums over all time, and daily sums equal to their month's.
import { describe, expect, test } from '@jest/globals';
import { calendarOf, parseDay } from '../../../../src/bot/books/local-time.ts';
import { readBooks } from '../../../../src/bot/books/read-books.ts';
import type { CountSum } from '../../../../src/bot/memory/history.ts';
import type { NoticeRow } from '../../../../src/bot/memory/rows.ts';
import {
  periodProfit,
  type Report,
  type ReportInput,
  reportOf,
  reportPeriod,
} from '../../../../src/bot/reports/report.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { DAY } from '../../../../src/domain/time.ts';
import { addValue, NO_VALUE, type Value } from '../../../../src/ledger/amount.ts';
import { markPnl, pnlParts } from '../../../../src/ledger/pnl.ts';
import { emptyDurable } from '../../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import { applyEvent } from '../../../../src/trader/durable/fold/apply-event.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { amt } from '../../ledger/fills.ts';
import {
  corrected,
  type FillGiven,
  fill,
  KOLKATA,
  moment,
  opening,
  recordsOf,
  reversed,
  transfer,
} from '../books/books-kit.ts';

const day = (text: string) => {
  const parsed = parseDay(text);
  if (parsed === null) throw new Error(text);
  return parsed;
};
const ALL = { from: 0, to: moment('2027-01-01') };

/** The bot's fill, and the trusted price at that time. */
const at = (mid: string, event: TraderEvent): TraderEvent =>
  event.type === 'fill' || event.type === 'fill-corrected'
    ? ({ ...event, payload: { ...event.payload, mid } } as TraderEvent)
    : event;
const bought = (given: FillGiven): TraderEvent => at('101', fill({ side: 'buy', ...given }));

const EVENTS: readonly TraderEvent[] = [
  ...opening('2026-07-01', { INR: '1000', BTC: '0.5' }),
  at('100.25', fill({ on: '2026-07-02', id: '1', price: '99', quantity: '2', fee: '0.198' })),
  at(
    '102.5',
    fill({ on: '2026-07-03', id: '2', side: 'sell', price: '104', quantity: '1.3', fee: '0.1352', tds: '1.352' }),
  ),
  at('103', fill({ on: '2026-07-03', id: '3', price: '101', quantity: '0.7', fee: '0.0007', feeAsset: 'BTC' })),
  fill({ on: '2026-07-04', id: '4', price: '98', quantity: '5', byHand: true }),
  transfer({ on: '2026-07-04', asset: 'INR', by: '500' }),
  at('97', corrected({ on: '2026-07-03', id: '3', price: '101', quantity: '0.6', fee: '0.0006', feeAsset: 'BTC' })),
];

function foldOf(events: readonly TraderEvent[]) {
  const durable = emptyDurable();
  for (const event of events) applyEvent(durable, event);
  return marketIn(durable, 'BTC/INR').pnl;
}

const ownIn = (events: readonly TraderEvent[]) =>
  readBooks(recordsOf(events)).movements.filter(({ trade }) => trade?.origin === 'strategy');

describe('profit', () => {
  test.each(['cost', 'credit', 'ignore'] as const)(
    'of all time is the trader’s, to the last digit (tax: %s)',
    (treatment) => {
      const events = EVENTS.slice(0, -1);
      const marked = markPnl(foldOf(events), decimal('96.125'));
      const { spread, drift, fees, total } = pnlParts(marked, treatment);
      const prices = { begin: null, end: amt('96.125') };
      const profit = periodProfit(ownIn(events), { ...ALL, prices, treatment });
      expect(profit).toEqual({
        ...{ spread, inventory: drift, fees, total },
        ...{ taxWithheld: marked.tax, taxInTotal: treatment === 'cost' },
      });
    },
  );

  test('with a correction equals the trader’s total', () => {
    const marked = markPnl(foldOf(EVENTS), decimal('96.125'));
    const profit = periodProfit(ownIn(EVENTS), {
      ...ALL,
      prices: { begin: null, end: amt('96.125') },
      treatment: 'cost',
    });
    expect(profit.total).toBe(pnlParts(marked, 'cost').total);
  });

  test('of days adds up to their month’s, part by part', () => {
    const month = reportPeriod('month', day('2026-07-15'), KOLKATA);
    const price = (moment_: number) => amt(String(90 + (Math.floor(moment_ / DAY) % 13)));
    const of = ({ from, to }: { from: number; to: number }) =>
      periodProfit(ownIn(EVENTS), { from, to, prices: { begin: price(from), end: price(to) }, treatment: 'cost' });
    const days = Array.from({ length: 31 }, (_, index) =>
      of(reportPeriod('day', day(`2026-07-${String(index + 1).padStart(2, '0')}`), KOLKATA)),
    );
    const sum = (part: 'spread' | 'inventory' | 'fees' | 'taxWithheld' | 'total'): Value =>
      days.reduce((all, each) => addValue(all, each[part] ?? NO_VALUE), NO_VALUE);
    const whole = of(month);
    for (const part of ['spread', 'inventory', 'fees', 'taxWithheld', 'total'] as const)
      expect([part, sum(part)]).toEqual([part, whole[part]]);
  });

  test('is unknown without a price for the holdings, and needs none if there are none', () => {
    const none = { begin: null, end: null };
    expect(periodProfit(ownIn(EVENTS), { ...ALL, prices: none, treatment: 'cost' })).toMatchObject({
      inventory: null,
      total: null,
    });
    const flat = [
      ...opening('2026-07-01', { INR: '1000' }),
      bought({ on: '2026-07-02', id: '1', price: '99' }),
      at('101', fill({ on: '2026-07-02', id: '2', side: 'sell', price: '103' })),
    ];
    expect(periodProfit(ownIn(flat), { ...ALL, prices: none, treatment: 'cost' }).total).toBe(4n * 10n ** 36n);
  });

  test('of a reversed trade is zero', () => {
    const events = [
      ...opening('2026-07-01', { INR: '1000' }),
      bought({ on: '2026-07-02', id: '1' }),
      reversed('1', 'buy', '2026-07-03'),
    ];
    const { spread, inventory, total } = periodProfit(ownIn(events), {
      ...ALL,
      prices: { begin: null, end: null },
      treatment: 'cost',
    });
    expect([spread, inventory, total]).toEqual([0n, 0n, 0n]);
  });
});

describe('a period', () => {
  test.each([
    ['day', '2026-07-05', '2026-07-05', '2026-07-05', '2026-07-05'],
    ['week', '2026-07-05', 'the week of 2026-06-29', '2026-06-29', '2026-07-05'],
    ['week', '2026-07-06', 'the week of 2026-07-06', '2026-07-06', '2026-07-12'],
    ['month', '2026-12-31', '2026-12', '2026-12-01', '2026-12-31'],
    ['month', '2028-02-29', '2028-02', '2028-02-01', '2028-02-29'],
  ] as const)('%s of %s', (span, of, name, firstDay, lastDay) => {
    expect(reportPeriod(span, day(of), KOLKATA)).toMatchObject({ name, firstDay, lastDay });
  });

  test('ends where the next begins, also when clocks change', () => {
    const berlin = calendarOf('Europe/Berlin');
    const { from, to } = reportPeriod('week', day('2026-03-29'), berlin);
    expect((to - from) / 3_600_000).toBe(7 * 24 - 1);
    expect(reportPeriod('day', day('2026-03-30'), berlin).from).toBe(to);
  });
});

describe('a report', () => {
  const RUN = { symbol: 'BTC/INR', base: 'BTC', quote: 'INR', treatment: 'cost', feeTaxRatio: amt('0') } as const;
  const NOW = moment('2026-07-20');

  function report(events: readonly TraderEvent[], change: Partial<ReportInput> = {}): Report {
    const books = readBooks(recordsOf(events));
    const memory = { since: null, counts: [], notices: [], priceAt: () => null };
    const period = reportPeriod('month', day('2026-07-15'), KOLKATA);
    return reportOf({ books, ledger: books.ledger, isWhole: true, period, now: NOW, runs: [RUN], memory, ...change });
  }

  test('values holdings at the newest known price', () => {
    const seen = { price: amt('120'), at: moment('2026-07-10') };
    const memory = { since: 1, counts: [], notices: [], priceAt: () => seen };
    const { symbols, totals } = report(EVENTS, { memory });
    expect(symbols[0]?.prices.end).toEqual({ ...seen, price: '120', from: 'memory' });
    // 1000 + 500 − 198.198 + 133.7128 − 60.6 − 490 quote, and 0.5 + 2 − 1.3 + 0.6 − 0.0006 + 5 base.
    const quote = 1_000 + 500 - 198.198 + 135.2 - 0.1352 - 1.352 - 60.6 - 490;
    expect(Number(totals[0]?.equity.end) / 1e36).toBeCloseTo(quote + 120 * 6.7994, 6);
    const older = { ...seen, at: moment('2026-07-01') };
    const { symbols: byFill } = report(EVENTS, { memory: { ...memory, priceAt: () => older } });
    expect(byFill[0]?.prices.end).toMatchObject({ price: '97', from: 'last fill' });
  });

  test('shows the largest inventory and its time, including the owner’s trades', () => {
    const [symbol] = report(EVENTS).symbols;
    expect(symbol?.inventory).toEqual({
      ...{ begin: '0', end: '6.7994', largest: '6.7994', largestAt: moment('2026-07-04') },
    });
  });

  test('counts fills by side with the sign of corrections, and lists other changes', () => {
    const { symbols, flows } = report(EVENTS);
    expect(symbols[0]?.fills).toMatchObject({ buys: 2, sells: 1, trades: 3 });
    expect(flows.map(({ asset, line }) => `${asset} ${line}`)).toEqual([
      'BTC owner-trades',
      'BTC opening-balances',
      'INR owner-trades',
      'INR deposits',
      'INR opening-balances',
    ]);
  });

  test('has the memory file’s data by symbol, side and horizon', () => {
    const row = (
      kind: CountSum['kind'],
      a: string,
      n: number,
      [b = '', c = '']: readonly string[] = [],
      symbol = 'BTC/INR',
    ) => ({
      symbol,
      kind,
      a,
      b,
      c,
      n,
    });
    const hold: NoticeRow = {
      at: 5,
      level: 'page',
      op: 'symbol-halted',
      symbol: 'BTC/INR',
      message: 'It lost.',
    };
    const counts = [
      ...[
        row('watched', '', 10_000),
        row('presence', 'both', 7_500, ['fresh']),
        row('presence', 'both', 2_500, ['lane']),
      ],
      ...[row('spread', 'ms', 10_000), row('spread', 'market', 2_000_000), row('spread', 'ms-quoted', 5_000)],
      ...[row('spread', 'own', 750_000), row('spread', 'market-meanwhile', 900_000)],
      ...[row('markout', 'buy', -3, ['60', 'gained']), row('markout', 'buy', 1_000, ['60', 'filled'])],
      ...[row('markout', 'buy', 2, ['60', 'fills']), row('request', 'private', 9, ['create', 'accepted'], '')],
      ...[
        row('throttled', 'private', 2, ['429'], ''),
        row('notice', 'warn', 3, ['locked']),
        row('notice', 'warn', 1, ['locked'], ''),
      ],
    ];
    const memory = { since: 1, counts, notices: [hold, { ...hold, op: 'unknown' }], priceAt: () => null };
    const { symbols, holds, messages, ...account } = report(EVENTS, { memory });
    expect(symbols[0]).toMatchObject({
      ...{ halts: 1, locks: 0 },
      watchedMs: 10_000,
      spread: { marketBps: 200, quotedBps: 150, marketWhileQuotedBps: 180, quotedMs: 5_000 },
      presence: { both: { freshMs: 7_500, lost: [{ reason: 'lane', ms: 2_500 }] } },
      markouts: [{ side: 'buy', horizon: 60, fills: 2, gained: -3, filled: 1_000, bps: -30 }],
    });
    expect(account).toMatchObject({
      requests: [{ lane: 'private', endpoint: 'create', outcome: 'accepted', count: 9 }],
      refused: [{ lane: 'private', status: '429', count: 2 }],
      notices: [{ level: 'warn', op: 'locked', count: 4 }],
    });
    expect([holds.length, messages.length]).toEqual([1, 1]);
  });
});
