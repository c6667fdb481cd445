// Ledger against wallet: what is listed is booked, and what is left stops the symbols of its asset until they agree.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, ETH, LAG_MS } from './desk-settings.ts';
import { account, differs, fiat, move, sbs } from './money-kit.ts';
import { type Desk, ops, quotingDesk } from './trader-kit.ts';

const LONG = LAG_MS + 30_000;
const both = (): Desk => quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
const resting = (desk: Desk, symbol: string): number =>
  desk.shows.orders.filter((order) => order.symbol === symbol).length;
const withdrawn = (desk: Desk, amount: number, venueTime = desk.now()): void =>
  fiat(desk, { direction: 'withdrawal', amount: decimal(amount), venueTime, referenceId: `W${amount}` });

describe('a difference', () => {
  test('stops the symbols of its asset alone, and they quote again by themselves when it is gone', () => {
    const desk = both();
    move(desk, 'ETH', '0.2');
    desk.run(LONG);
    expect(differs(desk, 'ETH')).toBe('0.2');
    expect([resting(desk, BTC), resting(desk, ETH)]).toEqual([2, 0]);
    desk.run(5 * 60_000);
    expect([resting(desk, BTC), resting(desk, ETH)]).toEqual([2, 0]);
    expect(ops(desk)).not.toContain('symbol-halted');
    move(desk, 'ETH', '-0.2');
    desk.run(LONG);
    expect([resting(desk, BTC), resting(desk, ETH)]).toEqual([2, 2]);
  });

  test('in the quote asset stops all of its symbols', () => {
    const desk = both();
    move(desk, 'INR', '-500');
    desk.run(LONG);
    expect([resting(desk, BTC), resting(desk, ETH)]).toEqual([0, 0]);
  });

  test('is shown with asset, amount and since when, after a restart as well', () => {
    const desk = both();
    const shown = () => takeSnapshot(desk.state(), desk.now()).assets.find(({ asset }) => asset === 'ETH');
    move(desk, 'ETH', '0.2');
    desk.run(LONG);
    const since = desk.state().durable.differences.byAsset.get('ETH')?.since;
    expect(shown()).toMatchObject({ difference: '0.2', differenceStands: true, differsSince: since });
    desk.restart(deskSettings({ symbols: [BTC, ETH] }));
    desk.look('book', 'orders', 'trades', 'wallet');
    expect(shown()).toMatchObject({ difference: '0.2', differenceStands: true, differsSince: since });
  });

  test('pages once for each amount', () => {
    const desk = both();
    const pages = () => desk.notices.filter(({ op, level }) => op === 'difference' && level === 'page').length;
    move(desk, 'ETH', '0.2');
    desk.run(10 * 60_000, 250);
    expect(pages()).toBe(1);
    move(desk, 'ETH', '0.1');
    desk.run(LONG);
    expect([differs(desk, 'ETH'), pages()]).toEqual(['0.3', 2]);
  });
});

describe('a listed flow is booked', () => {
  test('despite losses that no list shows, in the same asset and in another one', () => {
    const desk = both();
    sbs(desk);
    withdrawn(desk, 3_000);
    move(desk, 'BTC', '0.01');
    move(desk, 'INR', '-4077.5');
    move(desk, 'ETH', '0.2');
    desk.run(LONG);
    expect(account(desk, 'BTC', 'external:conversion')).toBe('-0.01');
    expect(account(desk, 'INR', 'external:withdrawal')).toBe('3000');
    expect(['BTC', 'INR', 'ETH'].map((asset) => differs(desk, asset))).toEqual(['0', '-70', '0.2']);
  });

  test('when it shows long after its difference was confirmed', () => {
    const desk = both();
    const at = desk.now();
    move(desk, 'INR', '-500');
    desk.run(2 * 60_000);
    withdrawn(desk, 500, at);
    desk.run(12 * 60_000, 250);
    expect([differs(desk, 'INR'), account(desk, 'INR', 'external:withdrawal')]).toEqual(['0', '500']);
    expect([resting(desk, BTC), resting(desk, ETH)]).toEqual([2, 2]);
  });

  test('before the wallet shows it: the resulting difference goes away by itself', () => {
    const desk = both();
    move(desk, 'ETH', '0.2'); // has the lists read
    withdrawn(desk, 500);
    desk.run(1.5 * LAG_MS);
    expect(account(desk, 'INR', 'external:withdrawal')).toBe('500');
    move(desk, 'INR', '-500');
    desk.run(LONG);
    expect(desk.events.filter(({ type, payload }) => type === 'difference' && payload.asset === 'INR')).toEqual([]);
  });
});

describe('an accepted difference', () => {
  const acceptedDesk = (moves: Readonly<Record<string, string>> = { INR: '-500' }, afterMs = LONG): Desk => {
    const desk = both();
    for (const [asset, by] of Object.entries(moves)) move(desk, asset, by);
    desk.run(afterMs, 250);
    desk.restart(deskSettings({ symbols: [BTC, ETH] }), [], 0, { acceptDifferences: true });
    desk.look('book', 'orders');
    desk.run(LONG);
    return desk;
  };

  test('is booked with its name, and quoting goes on', () => {
    const desk = acceptedDesk();
    expect(ops(desk)).toContain('difference-accepted');
    expect(account(desk, 'INR', 'external:manual')).toBe('500');
    expect([resting(desk, BTC), resting(desk, ETH)]).toEqual([2, 2]);
  });

  test('is not booked again when a list shows it later', () => {
    const desk = acceptedDesk();
    withdrawn(desk, 500, desk.now() - 10 * 60_000);
    move(desk, 'ETH', '0.2'); // has the lists read
    desk.run(3 * LONG);
    expect(account(desk, 'INR', 'external:withdrawal')).toBe('0');
    expect(differs(desk, 'INR')).toBe('0');
  });

  test('nor does its row explain a later loss of the same amount', () => {
    const bought = { BTC: '0.01', INR: '-1007.5' };
    const desk = acceptedDesk(bought, 20 * 60_000);
    sbs(desk, { venueTime: desk.now() - 15 * 60_000 });
    for (const [asset, by] of Object.entries(bought)) move(desk, asset, by);
    desk.run(3 * LONG);
    expect([differs(desk, 'BTC'), differs(desk, 'INR')]).toEqual(['0.01', '-1007.5']);
    expect(account(desk, 'BTC', 'external:conversion')).toBe('0');
  });

  test('is none where wallet and ledger agreed at the start: a later loss stops its symbols', () => {
    const desk = acceptedDesk({});
    move(desk, 'INR', '-500');
    desk.run(LONG);
    expect(differs(desk, 'INR')).toBe('-500');
    expect(ops(desk)).not.toContain('difference-accepted');
    expect([resting(desk, BTC), resting(desk, ETH)]).toEqual([0, 0]);
  });

  test('covers no later loss', () => {
    const desk = acceptedDesk();
    move(desk, 'INR', '-500');
    desk.run(LONG);
    expect(differs(desk, 'INR')).toBe('-500');
    withdrawn(desk, 500);
    desk.run(12 * 60_000, 250);
    expect([differs(desk, 'INR'), account(desk, 'INR', 'external:withdrawal')]).toEqual(['0', '500']);
  });
});
