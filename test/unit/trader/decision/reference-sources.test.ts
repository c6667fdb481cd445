// What quotes center on beside the book's own prices.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../../src/domain/fill.ts';
import type { ReferenceSource } from '../../../../src/quoting/reference-price.ts';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, deskWith, fillNow, inSlot, makeReady, reasons, START } from '../trader-kit.ts';

const around = (referenceSource: ReferenceSource, price?: string): TraderSettings => {
  const settings = deskSettings();
  const fixed = price === undefined ? {} : { fixedReference: decimal(price) };
  return { ...settings, runs: settings.runs.map((run) => ({ ...run, referenceSource, ...fixed })) };
};

function begun(settings: TraderSettings, shows: Partial<Desk['shows']> = {}): Desk {
  const desk = deskWith(settings);
  Object.assign(desk.shows, shows);
  makeReady(desk);
  desk.run(4_000);
  return desk;
}

const reference = (desk: Desk): string | undefined =>
  decisionOf(desk.state(), BTC, desk.now()).view?.referencePrice.toFixed();

const trade = (price: string, at: number): PublicTrade => ({
  ...{ price: decimal(price), quantity: decimal('0.1'), takerSide: 'buy', venueTime: at },
});

describe('the reference price', () => {
  test('of the last public trade, which is read for it', () => {
    const trades = [trade('100200', START - 5_000), trade('100300', START - 1_000)];
    const desk = begun(around('lastTrade'), { publicTrades: { [BTC]: trades } });
    expect(reference(desk)).toBe('100300');
    desk.shows.publicTrades[BTC] = [...trades, trade('100400', START + 5_000)];
    desk.run(5_000);
    expect(reference(desk)).toBe('100400');
  });

  test('no public trade: nothing is quoted, and it says why', () => {
    const desk = begun(around('lastTrade'));
    expect(reference(desk)).toBe(undefined);
    expect(reasons(desk)[0]).toContain('no public trade is known');
  });

  test('public trades that can’t be read any more are none: quotes are pulled, until they are read again', () => {
    const trades = [trade('100000', START - 1_000)];
    const desk = begun(around('lastTrade'), { publicTrades: { [BTC]: trades } });
    const { lastGoodAt: before } = marketOf(desk.state(), BTC);
    desk.reply = ({ kind }) =>
      kind === 'public-trades' ? { kind: 'rejected', status: 400, code: -5002, msg: 'No trades.' } : undefined;
    desk.run(20_000);
    expect(reasons(desk)).toEqual(['quoting']);
    desk.run(10_000);
    expect(reasons(desk)[0]).toMatch(/^The public trades that quotes center on are 2\d\.\d s old\.$/);
    expect(desk.shows.orders).toEqual([]);
    const { lastGoodAt } = marketOf(desk.state(), BTC);
    desk.run(10_000);
    expect(marketOf(desk.state(), BTC).lastGoodAt).toBe(lastGoodAt);
    expect(lastGoodAt).toBeGreaterThan(before ?? 0);
    desk.reply = () => undefined;
    desk.run(35_000);
    expect(reasons(desk)).toEqual(['quoting']);
  });

  test('a quiet market whose page says the same again is no old one', () => {
    const desk = begun(around('lastTrade'), { publicTrades: { [BTC]: [trade('100000', START - 1_000)] } });
    desk.run(60_000);
    expect(reasons(desk)).toEqual(['quoting']);
  });

  test('of our own last fill; of the middle before the first', () => {
    const desk = begun(around('ownLastFill'));
    expect(reference(desk)).toBe('100000');
    const bid = inSlot(desk, 'buy:0');
    fillNow(desk, bid);
    desk.look('orders', 'trades', 'wallet');
    desk.run(500);
    expect(reference(desk)).toBe(bid.price.toFixed());
  });

  test('as it is set', () => {
    expect(reference(begun(around('fixed', '100500')))).toBe('100500');
  });

  test('a book without two sides gives none, whatever the source', () => {
    const desk = begun(around('fixed', '100500'));
    desk.shows.books[BTC] = null;
    desk.run(3_000);
    expect(reference(desk)).toBe(undefined);
  });
});
