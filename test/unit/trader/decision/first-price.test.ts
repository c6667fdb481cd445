// The first price of a market of which none is known from before: two books that agree are all there is, and both may
// have the same slipped decimal.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { ReferenceSource } from '../../../../src/quoting/reference-price.ts';
import { haltOf } from '../../../../src/trader/decision/readiness.ts';
import { BOTH, codes } from '../added-market-kit.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { type Desk, inSlot, quotingDesk, reasons } from '../trader-kit.ts';

const RIGHT = { [BTC]: [99_000, 101_000], [ETH]: [9_900, 10_100] } as const;
const TENFOLD = { [BTC]: [990_000, 1_010_000], [ETH]: [99_000, 101_000] } as const;

/** ETH/INR is configured while BTC/INR has a price from before, and what books show is as given. */
function addedUnder(books: Desk['shows']['books'], settings = BOTH): Desk {
  const desk = quotingDesk();
  desk.run(5_000);
  Object.assign(desk.shows.books, books);
  desk.restart(settings);
  return desk;
}

const ofEth = (desk: Desk): number => desk.intents().filter(({ symbol }) => symbol === ETH).length;

function takenFrom(referenceSource: ReferenceSource, symbol: string): typeof BOTH {
  const fixed = referenceSource === 'fixed' ? { fixedReference: decimal(symbol === ETH ? 10_000 : 100_000) } : {};
  const runs = BOTH.runs.map((run) => (run.instrument.symbol === symbol ? { ...run, referenceSource, ...fixed } : run));
  return { ...BOTH, runs };
}

describe('a first price while that of another market has slipped by a decimal (seed 48557)', () => {
  test.each([
    ['ten times as high', TENFOLD],
    ['a tenth', { [BTC]: [9_900, 10_100], [ETH]: [990, 1_010] } as const],
  ])('%s is not believed until that one is back', (_name, books) => {
    const desk = addedUnder(books);
    desk.run(40_000);
    expect(haltOf(desk.state(), BTC)).toBeNull();
    expect(ofEth(desk)).toBe(0);
    expect(codes(desk, ETH)).toContain('price');
    expect(reasons(desk).join('\n')).toContain(
      'The price of BTC/INR jumped, and no price of ETH/INR is known from before: none is believed until the books ' +
        'of BTC/INR show the price of before.',
    );
    Object.assign(desk.shows.books, RIGHT);
    desk.run(60_000);
    expect(codes(desk, ETH)).toEqual([]);
    expect(inSlot(desk, 'buy:0', ETH).price.toFixed()).toBe('9800');
    expect(haltOf(desk.state(), ETH)).toBeNull();
  });

  test('nor once that one is halted for it, but where a person says that it is so', () => {
    const desk = addedUnder(TENFOLD);
    desk.run(90_000);
    expect(haltOf(desk.state(), BTC)?.code).toBe('price');
    expect([ofEth(desk), codes(desk, ETH)]).toEqual([0, ['price']]);
    desk.restart(BOTH, [{ symbol: BTC, price: decimal(1_000_000) }]);
    desk.run(60_000);
    expect(codes(desk, ETH)).toEqual([]);
    expect(inSlot(desk, 'buy:0', ETH).price.toFixed()).toBe('98000');
  });
});

describe('a first price is believed as soon as a second book confirms it', () => {
  test('where another market moved far, and less than a decimal does', () => {
    const desk = addedUnder({ [BTC]: [148_000, 152_000], [ETH]: RIGHT[ETH] });
    desk.run(40_000);
    expect(desk.state().markets.get(BTC)?.jump).not.toBeNull();
    expect([codes(desk, ETH), ofEth(desk) > 0]).toEqual([[], true]);
  });

  test.each([
    ['its own price is not the exchange’s', ETH],
    ['the other one’s is not', BTC],
  ])('where %s', (_name, symbol) => {
    const desk = addedUnder({ [BTC]: TENFOLD[BTC], [ETH]: RIGHT[ETH] }, takenFrom('fixed', symbol));
    desk.run(40_000);
    expect(codes(desk, ETH)).not.toContain('price');
  });

  test('where there is no other market', () => {
    const desk = quotingDesk(deskSettings());
    desk.run(3_000);
    expect(inSlot(desk, 'buy:0').state).toBe('open');
  });

  test('from before: what is known of the market itself is what tells', () => {
    const desk = quotingDesk(BOTH);
    desk.run(20_000);
    const before = ofEth(desk);
    desk.shows.books[BTC] = TENFOLD[BTC];
    desk.run(20_000);
    expect([codes(desk, ETH), before > 0]).toEqual([[], true]);
  });
});
