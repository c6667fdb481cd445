// What a wallet differs by while a market that was configured later waits to be opened.
import { describe, expect, test } from '@jest/globals';
import { add, booked, differs, expectCalm, INEXACT, move, openings, told, trade } from './added-market-kit.ts';
import { ETH } from './desk-settings.ts';
import { type Desk, ops, quotingDesk, rejected } from './trader-kit.ts';

/** Own trades of the added market can't be read. */
const tradesRefused: Desk['reply'] = (request) =>
  request.kind === 'spot-trades' && request.symbol === ETH ? rejected(-1500, 500) : undefined;

describe('a market that is configured later', () => {
  test('tells of no difference that its own trades explain, which wait to be booked (seed 30025)', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    // Its trades are read, and no wallet: then wallets come, and its trades no more.
    desk.reply = ({ kind }) => (kind === 'wallet' ? rejected(-1500, 500) : undefined);
    desk.run(2_000);
    const own = trade(desk);
    desk.run(5_000);
    desk.reply = tradesRefused;
    desk.run(60_000);
    expect([openings(desk), booked(desk, own)]).toEqual([[], 0]);
    expect(ops(desk)).not.toContain('difference');
    desk.reply = () => undefined;
    desk.run(60_000);
    expect([openings(desk), booked(desk, own)]).toEqual([[{ ETH: '10' }], 1]);
    expectCalm(desk);
  });

  test('tells of no difference before its own trades were read after the wallet (seed 46039)', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    desk.run(1_000);
    const own = trade(desk);
    desk.reply = tradesRefused;
    desk.run(20_000);
    expect(ops(desk)).not.toContain('difference');
    desk.reply = () => undefined;
    desk.run(60_000);
    expect([openings(desk), booked(desk, own)]).toEqual([[{ ETH: '10' }], 1]);
    expectCalm(desk);
  });

  test('tells of no difference where its owner traded again after the wallet (seed 53045)', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    const first = trade(desk);
    desk.run(1_000);
    desk.reply = tradesRefused;
    desk.run(60_000);
    // The last wallet waits for trades after it, and these show what came after it as well.
    desk.reply = ({ kind }) => (kind === 'wallet' ? rejected(-1500, 500) : undefined);
    const second = trade(desk);
    desk.run(20_000);
    expect(openings(desk)).toEqual([]);
    expectCalm(desk);
    desk.reply = () => undefined;
    desk.run(60_000);
    expect([openings(desk), booked(desk, first), booked(desk, second)]).toEqual([[{ ETH: '10' }], 1, 1]);
    expectCalm(desk);
  });

  test('tells of a loss in another asset, and of nothing that its own trades explain, which wait to be booked', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    // An amount that is not exact keeps the market from being opened.
    move(desk, 'ETH', INEXACT);
    add(desk);
    const own = trade(desk);
    move(desk, 'BTC', '-0.3');
    desk.run(10 * 60_000);
    expect([differs(desk, 'BTC'), differs(desk, 'INR')]).toEqual(['-0.3', '0']);
    move(desk, 'ETH', `-${INEXACT}`);
    desk.run(60_000);
    expect([openings(desk), booked(desk, own)]).toEqual([[{ ETH: '10' }], 1]);
    expect(told(desk)).toEqual(['BTC']);
  });

  test('is not opened beside a real loss in another asset, which is told', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    move(desk, 'BTC', '-0.3');
    add(desk);
    desk.reply = tradesRefused;
    desk.run(60_000);
    expect(differs(desk, 'BTC')).toBe('-0.3');
    expect(openings(desk)).toEqual([]);
  });

  test('whose trades cannot be read keeps a loss of what pays for it from being judged, which is told', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    move(desk, 'INR', '-500');
    add(desk);
    desk.reply = tradesRefused;
    desk.run(5 * 60_000);
    expect(ops(desk)).toContain('difference-unjudged');
    expect(ops(desk)).not.toContain('difference');
    desk.reply = () => undefined;
    desk.run(60_000);
    expect(differs(desk, 'INR')).toBe('-500');
  });
});
