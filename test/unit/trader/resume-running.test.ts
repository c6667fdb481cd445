// A person resumes a halted symbol of a bot that goes on running.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE, utcText } from '../../../src/domain/time.ts';
import { marketIn, marketToChange } from '../../../src/trader/durable/market.ts';
import { type HaltShown, unseenHalt, whyNotWithoutStart } from '../../../src/trader/observe/resume.ts';
import { haltSymbol } from '../../../src/trader/state/turn.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from './trader-kit.ts';

const haltOf = (desk: Desk) => marketIn(desk.state().durable, BTC).halt?.code;
const resume = (desk: Desk, price: number | null = null): void =>
  desk.tell({
    ...{ kind: 'resume-symbol', by: 'asha' },
    resumed: { symbol: BTC, price: price === null ? null : decimal(price) },
  });
const why = (desk: Desk, price: number | null = null): string | null =>
  whyNotWithoutStart(desk.state(), { symbol: BTC, price: price === null ? null : decimal(price) });

/** The price goes to 120,000 at once and stays there. */
function jumped(): Desk {
  const desk = quotingDesk();
  desk.shows.books[BTC] = [119_000, 121_000];
  desk.run(2 * MINUTE);
  expect(haltOf(desk)).toBe('price-jump');
  return desk;
}

describe('after fills that were too many', () => {
  test('it quotes again, and what halted it begins anew', () => {
    const desk = quotingDesk(deskSettings({ limits: { maxOrderNotional: '1100', repeatedFills: 0.27 } }));
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(10_000);
    expect(haltOf(desk)).toBe('repeated-fills');
    expect(why(desk)).toBeNull();
    resume(desk);
    expect(haltOf(desk)).toBeUndefined();
    expect(desk.events.at(-1)).toMatchObject({ type: 'symbol-resumed', payload: { by: 'asha' } });
    expect(desk.notices.at(-1)?.message).toBe('BTC/INR is resumed by asha.');
    desk.run(20_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });
});

describe('after a price that jumped', () => {
  test('the person must state the price', () => {
    const desk = jumped();
    expect(why(desk)).toMatch(/say the price that you take for right: resume BTC\/INR --at PRICE\.$/);
    resume(desk);
    expect(haltOf(desk)).toBe('price-jump');
  });

  test('at the price of the market it quotes there', () => {
    const desk = jumped();
    resume(desk, 120_000);
    expect(haltOf(desk)).toBeUndefined();
    desk.run(20_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(inSlot(desk, 'buy:0').price.toNumber()).toBe(117_600);
  });

  test('at another price than the market it halts again', () => {
    const desk = jumped();
    resume(desk, 100_000);
    expect(haltOf(desk)).toBeUndefined();
    desk.run(5_000);
    expect(desk.slots()).toEqual([]);
    desk.run(2 * MINUTE);
    expect(haltOf(desk)).toBe('price-jump');
  });
});

test.each(['journal-stale', 'trades-gap', 'strategy-error', 'halted'] as const)(
  'what is halted as %s wants a start, and stays',
  (code) => {
    const desk = quotingDesk();
    haltSymbol({ state: desk.state(), now: desk.now(), events: [], notices: [], answered: null }, BTC, 'Look.', code);
    expect(why(desk)).toBe(
      `BTC/INR is halted as ${code}, which only a start can look into: stop the bot, then ` +
        (code === 'journal-stale' ? 'start it with --adopt-orders or --not-mine.' : 'run --resume BTC/INR.'),
    );
  },
);

describe('a halt that a person may not have seen', () => {
  test('is told from what he was shown by its code and by when it came', () => {
    const desk = jumped();
    const { code, reason, since } = marketIn(desk.state().durable, BTC).halt ?? {};
    if (code === undefined || since === undefined) throw new Error('It is not known since when it is halted.');
    const unseen = `BTC/INR is halted as price-jump since ${utcText(since)}: ${reason}`;
    const as = (shown: HaltShown | null) => unseenHalt(desk.state(), BTC, shown);
    expect(desk.events).toContainEqual(
      expect.objectContaining({ type: 'symbol-halted', payload: expect.objectContaining({ at: since }) }),
    );
    expect(as(null)).toBe(unseen);
    expect(as({ code: 'loss-day', since })).toBe(unseen);
    expect(as({ code, since: since - 1 })).toBe(unseen);
    expect(as({ code, since: null })).toBe(unseen);
    expect(as({ code, since })).toBeNull();
    resume(desk, 120_000);
    expect([as(null), as({ code, since })]).toEqual([null, null]);
  });

  test('of a snapshot from before its moment was kept is known by its code', () => {
    const desk = quotingDesk();
    marketToChange(desk.state().durable, BTC).halt = { code: 'loss-day', reason: 'It lost.' };
    const as = (shown: HaltShown | null) => unseenHalt(desk.state(), BTC, shown);
    expect(as(null)).toBe('BTC/INR is halted as loss-day: It lost.');
    expect(as({ code: 'loss-day', since: null })).toBeNull();
  });
});

test('a symbol that is not halted is no mistake, one without a run is', () => {
  const desk = quotingDesk();
  expect(why(desk)).toBeNull();
  resume(desk);
  expect(desk.events.some(({ type }) => type === 'symbol-resumed')).toBe(false);
  expect(whyNotWithoutStart(desk.state(), { symbol: 'SOL/INR', price: null })).toBe(
    "SOL/INR can't be resumed: configured are BTC/INR.",
  );
});
