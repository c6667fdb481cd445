// Two markets that are configured later: what was bought of one coin was withdrawn again.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { booked, differs, HOUR, move, trade } from './added-market-kit.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { quotingDesk } from './trader-kit.ts';

const SOL = 'SOL/INR';

describe('what the owner bought while the bot was down, in two markets that are added', () => {
  test('and withdrew of one is a difference of what that one cost alone', () => {
    const desk = quotingDesk();
    Object.assign(desk.shows.balances, { ETH: decimal(0), SOL: decimal(3) });
    desk.shows.books[SOL] = [9_900, 10_100];
    desk.run(5_000);
    desk.pass(HOUR);
    const withdrawn = trade(desk);
    move(desk, 'ETH', '-2');
    const kept = trade(desk, { symbol: SOL });
    desk.pass(HOUR);
    desk.restart(deskSettings({ symbols: [BTC, ETH, SOL] }));
    desk.look('book', 'orders');
    desk.run(10 * 60_000);
    expect([booked(desk, withdrawn), booked(desk, kept)]).toEqual([0, 1]);
    expect(differs(desk, 'INR')).toBe('-20200');
  });
});
