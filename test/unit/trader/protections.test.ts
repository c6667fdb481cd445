// Protections: what sets a lock by itself, what it counts, and what of that begins anew.
import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../../src/domain/time.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { BTC, deskSettings, type GivenProtections } from './desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk, rejected } from './trader-kit.ts';

const locksOf = (desk: Desk) => marketIn(desk.state().durable, BTC).locks;
const codes = (desk: Desk): string[] => locksOf(desk).map(({ code, side }) => `${code} ${side ?? 'both'}`);
const memoryOf = (desk: Desk) => marketIn(desk.state().durable, BTC).risk;

function withBase(protections: GivenProtections): Desk {
  const desk = quotingDesk(deskSettings({ protections }));
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(3_000);
  return desk;
}

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
