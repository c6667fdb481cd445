// Protections: what sets a lock by itself, what it counts, and what of that begins anew.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { DAY, MINUTE } from '../../../src/domain/time.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { BTC, deskSettings, type GivenProtections } from './desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk, rejected, tradeNow } from './trader-kit.ts';

const locksOf = (desk: Desk) => marketIn(desk.state().durable, BTC).locks;
const codes = (desk: Desk): string[] => locksOf(desk).map(({ code, side }) => `${code} ${side ?? 'both'}`);
const memoryOf = (desk: Desk) => marketIn(desk.state().durable, BTC).risk.protections;
const told = (desk: Desk, op: string): string[] =>
  desk.notices.flatMap((each) => (each.op === op ? [each.message] : []));

/** Sells 0.004 of what was bought at 98,000, at a price of its own. */
function sellAt(desk: Desk, price: number, commission: string, commissionAsset = 'INR'): void {
  fillNow(desk, inSlot(desk, 'sell:0'), {
    commissionAsset,
    ...{ price: decimal(price), quantity: decimal('0.001'), quoteQuantity: decimal('0.001').mul(price) },
    commission: decimal(commission),
  });
  desk.run(3_000);
}

function withBase(protections: GivenProtections): Desk {
  const desk = quotingDesk(deskSettings({ protections }));
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(3_000);
  return desk;
}

describe('sales below cost', () => {
  // 0.01 bought at 98,000 with a fee of 9.8: each unit has cost 98,980.
  test('count with their fees, and lock at the limit', () => {
    const desk = withBase({ losingSales: { count: 2, lockMs: 10 * MINUTE } });
    sellAt(desk, 98_981, '0');
    expect(memoryOf(desk).losingSales).toHaveLength(0);
    sellAt(desk, 98_981, '0.002');
    expect(memoryOf(desk).losingSales).toHaveLength(1);
    expect(codes(desk)).toEqual([]);
    sellAt(desk, 98_979, '0');
    expect(codes(desk)).toEqual(['losing-sales both']);
    expect(told(desk, 'locked')).toEqual([
      expect.stringMatching(
        /^BTC\/INR is locked until .* UTC: 2 own sales within 3600 s brought less than their base had cost\.$/,
      ),
    ]);
    // What made it lock begins anew with it.
    expect(memoryOf(desk).losingSales).toHaveLength(0);
    desk.run(11 * MINUTE);
    expect(codes(desk)).toEqual([]);
  });

  test('count a fee that was taken in base at the price of the fill', () => {
    const desk = withBase({ losingSales: { count: 1 } });
    // 0.00000003 BTC are 0.003 INR: 3 for a unit.
    sellAt(desk, 98_982, '0.00000003', 'BTC');
    expect(codes(desk)).toEqual(['losing-sales both']);
  });

  test('do not count a fee in an asset that has no price here', () => {
    const desk = withBase({ losingSales: { count: 1 } });
    sellAt(desk, 98_982, '5', 'BNB');
    expect(codes(desk)).toEqual([]);
  });

  test('that lie too far apart lock nothing', () => {
    const desk = withBase({ losingSales: { count: 2, withinMs: MINUTE } });
    sellAt(desk, 97_000, '0');
    desk.run(2 * MINUTE);
    sellAt(desk, 97_000, '0');
    expect(codes(desk)).toEqual([]);
  });

  test('from long ago lock nothing if the setting is lowered and something else fills', () => {
    const desk = withBase({});
    sellAt(desk, 97_000, '0');
    sellAt(desk, 97_000, '0');
    expect(memoryOf(desk).losingSales).toHaveLength(2);
    desk.run(MINUTE);
    desk.pass(6 * 60 * MINUTE);
    desk.run(20_000);
    const [run] = deskSettings({ protections: { losingSales: { count: 2 } } }).runs;
    if (run === undefined) throw new Error('No run.');
    desk.tell({ kind: 'revise-run', run: { ...run, parameters: { losingSales: '2' } }, by: 'asha' });
    desk.run(3_000);
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(3_000);
    expect(codes(desk)).toEqual([]);
    // The next one is an hour too late to make two.
    sellAt(desk, 97_000, '0');
    expect(codes(desk)).toEqual([]);
    sellAt(desk, 97_000, '0');
    expect(codes(desk)).toEqual(['losing-sales both']);
  });

  test('count even if the purchase came in more small fills than are shown', () => {
    const desk = quotingDesk(deskSettings({ protections: { losingSales: { count: 1 } } }));
    for (let index = 0; index < 25; index += 1) {
      const part = { quantity: decimal('0.0004'), quoteQuantity: decimal('39.2'), commission: decimal('0.4') };
      fillNow(desk, inSlot(desk, 'buy:0'), part);
      desk.run(3_000);
    }
    sellAt(desk, 90_000, '0');
    expect(codes(desk)).toEqual(['losing-sales both']);
  });

  test('count even if the owner has traded often since the buy', () => {
    const desk = withBase({ losingSales: { count: 1 } });
    const order = { symbol: BTC, side: 'buy', price: decimal(90_000), quantity: decimal('0.001') } as const;
    for (let index = 0; index < 20; index += 1) tradeNow(desk, order, '1-7-1');
    desk.run(5_000);
    sellAt(desk, 97_000, '0');
    expect(codes(desk)).toEqual(['losing-sales both']);
  });
});

describe('a fall of profit', () => {
  function moveTo(desk: Desk, mid: number): void {
    desk.shows.books[BTC] = [mid - 1_000, mid + 1_000];
    desk.run(4_000);
  }

  test('locks for a while, and begins to count anew when that is over', () => {
    const desk = withBase({ drawdown: { quote: '40', lockMs: 5 * MINUTE } });
    moveTo(desk, 97_000);
    expect(codes(desk)).toEqual([]);
    // 0.01 × 4,000 below the mark at 100,000.
    moveTo(desk, 96_000);
    expect(codes(desk)).toEqual(['drawdown both']);
    expect(locksOf(desk)[0]?.reason).toBe('Profit is 40 INR below its highest within 86400 s; the lock begins at 40.');
    desk.run(6 * MINUTE);
    expect(codes(desk)).toEqual([]);
    moveTo(desk, 93_000);
    expect(codes(desk)).toEqual([]);
    moveTo(desk, 91_900);
    expect(codes(desk)).toEqual(['drawdown both']);
  });

  test('below a peak from before its window locks nothing', () => {
    const desk = withBase({ drawdown: { quote: '40', withinMs: 2 * MINUTE } });
    moveTo(desk, 98_000);
    desk.run(3 * MINUTE);
    moveTo(desk, 95_500);
    expect(codes(desk)).toEqual([]);
  });

  test('locks even if profit stood still before it for longer than the window', () => {
    const desk = withBase({ drawdown: { quote: '40', withinMs: 2 * MINUTE } });
    desk.run(3 * MINUTE);
    expect(codes(desk)).toEqual([]);
    moveTo(desk, 94_000);
    expect(codes(desk)).toEqual(['drawdown both']);
  });

  const DRAWDOWN = { drawdown: { quote: '40', withinMs: 2 * MINUTE } };

  test.each<[string, (desk: Desk) => void]>([
    [
      'before it was limited',
      (desk) => {
        const [limited] = deskSettings({ protections: DRAWDOWN }).runs;
        const [free] = deskSettings().runs;
        if (limited === undefined || free === undefined) throw new Error('No run.');
        desk.tell({ kind: 'revise-run', run: { ...free, parameters: { drawdown: 'none' } }, by: 'asha' });
        desk.run(3 * MINUTE);
        moveTo(desk, 94_000);
        desk.run(3 * MINUTE);
        desk.tell({ kind: 'revise-run', run: { ...limited, parameters: { drawdown: '40' } }, by: 'asha' });
      },
    ],
    [
      'while the bot did not run',
      (desk) => {
        desk.run(3 * MINUTE);
        desk.tell({ kind: 'stop' });
        desk.run(30_000);
        desk.pass(60 * MINUTE);
        desk.shows.books[BTC] = [93_000, 95_000];
        desk.restart();
      },
    ],
  ])('that came %s locks nothing, and what falls from then on does', (_words, fall) => {
    const desk = withBase(DRAWDOWN);
    fall(desk);
    desk.run(3 * MINUTE);
    expect(codes(desk)).toEqual([]);
    moveTo(desk, 89_900);
    expect(codes(desk)).toEqual(['drawdown both']);
  });
});

describe('the turnover of a day', () => {
  test('locks until midnight UTC, and the next day begins with nothing', () => {
    const desk = withBase({ turnover: { quotePerDay: '1900' } });
    expect(codes(desk)).toEqual([]);
    fillNow(desk, inSlot(desk, 'sell:0'));
    desk.run(3_000);
    expect(codes(desk)).toEqual(['turnover both']);
    const [only] = locksOf(desk);
    expect((only?.until ?? 1) % DAY).toBe(0);
    expect(only?.reason).toMatch(/^Own fills of this day are worth [\d.]+ INR; the most is 1900\.$/);
    desk.pass((only?.until ?? 0) - desk.now());
    desk.run(40_000);
    expect(codes(desk)).toEqual([]);
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(3_000);
    expect(codes(desk)).toEqual([]);
    expect(memoryOf(desk).turnover.notional.toNumber()).toBeLessThan(1_000);
  });

  test('has its room once more after a person removes its lock', () => {
    const desk = withBase({ turnover: { quotePerDay: '900' } });
    expect(codes(desk)).toEqual(['turnover both']);
    desk.tell({ kind: 'unlock', symbol: BTC, side: null, by: 'asha' });
    expect(codes(desk)).toEqual([]);
    expect(memoryOf(desk).turnover.notional.toNumber()).toBe(0);
    desk.run(20_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  /** The next create is refused for a reason that halts. */
  function haltByRefusal(desk: Desk): void {
    let done = false;
    desk.reply = ({ kind }) => {
      if (kind !== 'create' || done) return undefined;
      done = true;
      return rejected(-1121);
    };
    desk.shows.books[BTC] = [101_000, 103_000];
    for (let second = 0; second < 60 && !done; second += 1) desk.run(1_000);
    desk.run(20_000);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('exchange');
  }
  const resume = (desk: Desk): void =>
    desk.tell({ kind: 'resume-symbol', by: 'asha', resumed: { symbol: BTC, price: null } });

  test('is kept if a person resumes a symbol with another halt', () => {
    const desk = withBase({ turnover: { quotePerDay: '1900' } });
    haltByRefusal(desk);
    resume(desk);
    desk.run(20_000);
    fillNow(desk, inSlot(desk, 'sell:0'));
    desk.run(3_000);
    expect(codes(desk)).toEqual(['turnover both']);
  });

  test('has its room once more if a person resumes a symbol that it had locked', () => {
    const settings = {
      protections: { turnover: { quotePerDay: '900' } },
      limits: { maxOrderNotional: '1100', repeatedFills: 0.27 },
    };
    const desk = quotingDesk(deskSettings(settings));
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(3_000);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('repeated-fills');
    expect(codes(desk)).toEqual(['turnover both']);
    resume(desk);
    expect(codes(desk)).toEqual([]);
    expect(memoryOf(desk).turnover.notional.toNumber()).toBe(0);
  });
});
