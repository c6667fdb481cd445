// A person resumes a symbol while the bot runs.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { timeText } from '../../../src/domain/time-text.ts';
import { marketIn, marketToChange } from '../../../src/trader/durable/market.ts';
import { trustedPrice } from '../../../src/trader/money/trusted-price.ts';
import { type HaltShown, unseenHalt, whyNotWithoutStart } from '../../../src/trader/observe/resume.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { beginTurn, haltSymbol } from '../../../src/trader/state/turn.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { type Desk, deskWith, fillNow, inSlot, makeReady, quotingDesk } from './trader-kit.ts';

const haltOf = (desk: Desk) => marketIn(desk.state().durable, BTC).halt?.code;
const resume = (desk: Desk, price: number | null = null): void =>
  desk.tell({
    ...{ kind: 'resume-symbol', by: 'asha' },
    resumed: { symbol: BTC, price: price === null ? null : decimal(price) },
  });
const why = (desk: Desk, price: number | null = null): string | null =>
  whyNotWithoutStart(desk.state(), { symbol: BTC, price: price === null ? null : decimal(price) }, desk.now());

const valuedAt = (desk: Desk): string | undefined =>
  trustedPrice(desk.state(), marketOf(desk.state(), BTC))?.price.toFixed();

/** The price goes there at once and stays. */
function jumped(settings = deskSettings(), price = 120_000): Desk {
  const desk = quotingDesk(settings);
  desk.shows.books[BTC] = [price - 1_000, price + 1_000];
  desk.run(2 * MINUTE);
  expect(haltOf(desk)).toBe('price');
  return desk;
}

test('after too many fills it quotes again, and the count of its halt restarts', () => {
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

describe('after a price that jumped', () => {
  test('the person must state the price', () => {
    const desk = jumped();
    expect(why(desk)).toMatch(/say the price you believe is correct: resume BTC\/INR --at PRICE\.$/);
    resume(desk);
    expect(haltOf(desk)).toBe('price');
  });

  test('at the price of the market it quotes there', () => {
    const desk = jumped();
    resume(desk, 120_000);
    expect(haltOf(desk)).toBeUndefined();
    desk.run(20_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
    expect(inSlot(desk, 'buy:0').price.toNumber()).toBe(117_600);
  });

  test.each([
    ['of before the jump', 100_000],
    ['with a digit too few', 12_000],
    ['with a digit too many', 1_200_000],
    ['just beyond the limit of jumps', 133_400],
  ])('a price %s is refused with both prices, whatever else halts it', (_, stated) => {
    for (const code of [null, 'loss', 'repeated-fills'] as const) {
      const desk = jumped();
      if (code !== null) marketToChange(desk.state().durable, BTC).halt = { code, reason: 'Look.', since: desk.now() };
      resume(desk, stated);
      expect(why(desk, stated)).toBe(
        `BTC/INR is not resumed at ${stated}: the exchange shows 120000, further from it than ` +
          '1000 bps. State a price near that one, or wait until the exchange shows yours.',
      );
      expect(haltOf(desk)).toBe(code ?? 'price');
      expect(valuedAt(desk)).toBe('100000');
    }
  });

  test('no jump limit lets a slipped digit pass', () => {
    const desk = jumped(deskSettings({ limits: { jumpBps: 10_000 } }), 250_000);
    expect(why(desk, 2_500_000)).toMatch(/ is not resumed at 2500000: the exchange shows 250000, /);
  });

  test("the account is valued at the exchange's price, never at the stated one", () => {
    const desk = jumped();
    resume(desk, 125_000);
    expect(valuedAt(desk)).toBe('120000');
    desk.run(20_000);
    expect([valuedAt(desk), desk.slots().length]).toEqual(['120000', 2]);
  });

  describe('while the exchange shows no price', () => {
    /** Halted at 120000; then its books are empty. */
    function blind(): Desk {
      const desk = jumped();
      desk.shows.books[BTC] = null;
      desk.run(MINUTE);
      return desk;
    }

    test('the first book is compared with the stated price, which values nothing and can be corrected', () => {
      const desk = blind();
      resume(desk, 130_000);
      expect([haltOf(desk), valuedAt(desk)]).toEqual([undefined, undefined]);
      resume(desk, 120_000);
      expect(desk.notices.at(-1)?.message).toBe('BTC/INR is resumed by asha at 120000.');
      desk.shows.books[BTC] = [109_500, 110_500];
      desk.run(20_000);
      expect([valuedAt(desk), desk.slots().length]).toEqual(['110000', 2]);
    });

    test('a first book far from the stated price is reported with both prices, and is no jump', () => {
      const desk = blind();
      resume(desk, 130_000);
      desk.shows.books[BTC] = [99_500, 100_500];
      desk.run(20_000);
      expect([valuedAt(desk), desk.slots()]).toEqual([undefined, []]);
      expect(desk.notices.findLast(({ op }) => op === 'reference-jumped')?.message).toMatch(
        /^The reference price was 100000 at .* UTC, far from the stated 130000\. It .* `resume BTC\/INR --at PRICE`\.$/,
      );
      resume(desk, 100_000);
      desk.run(20_000);
      expect([valuedAt(desk), desk.slots().length]).toEqual(['100000', 2]);
    });
  });
});

describe('a price stated at a start', () => {
  /** Started with the halt of the jump, at that price. */
  function startedAt(price: number): Desk {
    const desk = jumped();
    desk.tell({ kind: 'stop' });
    desk.run(2 * MINUTE);
    desk.restart(deskSettings(), [{ symbol: BTC, price: decimal(price) }]);
    return desk;
  }

  test('is compared with the first book, and values nothing', () => {
    const desk = startedAt(125_000);
    expect([haltOf(desk), valuedAt(desk)]).toEqual([undefined, undefined]);
    desk.run(20_000);
    expect([valuedAt(desk), desk.slots().length]).toEqual(['120000', 2]);
  });

  test('with a digit too few it quotes nothing, values nothing, says both prices, and is corrected at once', () => {
    const desk = startedAt(12_000);
    desk.run(30_000);
    expect([haltOf(desk), valuedAt(desk), desk.slots()]).toEqual([undefined, undefined, []]);
    expect(desk.notices.findLast(({ op }) => op === 'reference-jumped')?.message).toMatch(
      /^The reference price was 120000 at .* UTC, far from the stated 12000\. /,
    );
    resume(desk, 120_000);
    desk.run(20_000);
    expect([valuedAt(desk), desk.slots().length]).toEqual(['120000', 2]);
  });

  test('with a digit too few it halts, and is corrected then', () => {
    const desk = startedAt(12_000);
    desk.run(2 * MINUTE);
    expect([haltOf(desk), valuedAt(desk)]).toEqual(['price', undefined]);
    expect(why(desk)).toMatch(/say the price/);
    resume(desk, 120_000);
    expect(haltOf(desk)).toBeUndefined();
    desk.run(20_000);
    expect([valuedAt(desk), desk.slots().length]).toEqual(['120000', 2]);
  });
});

test.each(['journal-stale', 'trades-gap', 'strategy'] as const)(
  'what is halted as %s wants a start, and stays',
  (code) => {
    const desk = quotingDesk();
    haltSymbol(beginTurn(desk.state(), desk.now()), marketOf(desk.state(), BTC), 'Look.', code);
    expect(why(desk)).toBe(
      `BTC/INR is halted as ${code}, which only a start can look into: stop the bot, then ` +
        (code === 'journal-stale' ? 'start it with --adopt-orders or --not-mine.' : 'run --resume BTC/INR.'),
    );
  },
);

test('a halt that the person may not have seen is distinguished from the one he was shown by code and time', () => {
  const desk = jumped();
  const { code, reason, since } = marketIn(desk.state().durable, BTC).halt ?? {};
  if (code === undefined || since === undefined) throw new Error('It is not known since when it is halted.');
  const unseen = `BTC/INR is halted as price since ${timeText(since)}: ${reason}`;
  const as = (shown: HaltShown | null) => unseenHalt(desk.state(), marketOf(desk.state(), BTC), shown);
  expect(desk.events).toContainEqual(
    expect.objectContaining({ type: 'symbol-halted', payload: expect.objectContaining({ at: since }) }),
  );
  expect(as(null)).toBe(unseen);
  expect(as({ code: 'loss', since })).toBe(unseen);
  expect(as({ code, since: since - 1 })).toBe(unseen);
  expect(as({ code, since: null })).toBe(unseen);
  expect(as({ code, since })).toBeNull();
  resume(desk, 120_000);
  expect([as(null), as({ code, since })]).toEqual([null, null]);
});

test('resuming a symbol without a halt is no mistake, one without a run is', () => {
  const desk = quotingDesk();
  expect(why(desk)).toBeNull();
  resume(desk);
  expect(desk.events.some(({ type }) => type === 'symbol-resumed')).toBe(false);
  expect(whyNotWithoutStart(desk.state(), { symbol: 'SOL/INR', price: null }, desk.now())).toBe(
    "SOL/INR can't be resumed: configured are BTC/INR.",
  );
});

// A person resumes a symbol at the right price while the bot runs: what was learned at a price that was wrong by a
// decimal is forgotten.

let up = false;
function move(desk: Desk, factor: number, forMs: number): void {
  for (const end = desk.now() + forMs; desk.now() < end; ) {
    up = !up;
    desk.shows.books[BTC] = up ? [99_010 * factor, 101_010 * factor] : [99_000 * factor, 101_000 * factor];
    desk.run(6_000, 1_000);
  }
}

function volatilityAfter(first: number): number {
  const desk = deskWith();
  desk.shows.books[BTC] = [99_000 * first, 101_000 * first];
  makeReady(desk);
  move(desk, first, 200_000);
  if (first !== 1) {
    move(desk, 1, 90_000);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('price');
    desk.tell({ kind: 'resume-symbol', resumed: { symbol: BTC, price: decimal(100_000) }, by: 'asha' });
  } else move(desk, 1, 90_000);
  move(desk, 1, 600_000);
  expect(marketIn(desk.state().durable, BTC).halt).toBeNull();
  const { volatilityBpsPerSqrtSecond: known } = marketOf(desk.state(), BTC).knowledge.estimates;
  if (known.kind !== 'known') throw new Error(known.why);
  return known.value;
}

test('measurements at the wrong price affect no estimate after the resume', () => {
  const usual = volatilityAfter(1);
  expect(volatilityAfter(10) / usual).toBeLessThan(1.5);
});
