// A fee in a third asset, whose own market is opened before the trade is read.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { add, booked, differs, held, openings } from './added-market-kit.ts';
import { BTC } from './desk-settings.ts';
import { fillNow, inSlot, ops, quotingDesk, rejected } from './trader-kit.ts';

const FEE = { commissionAsset: 'ETH', commission: decimal('0.001') };

describe('a fee in the coin of a market being opened', () => {
  test('of a trade that could not be read before is deducted from that coin once', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    desk.reply = (request) =>
      request.kind === 'spot-trades' && request.symbol === BTC ? rejected(-5011, 500) : undefined;
    const fill = fillNow(desk, inSlot(desk, 'buy:0'), FEE);
    add(desk);
    desk.run(15_000);
    desk.reply = () => undefined;
    desk.run(5 * 60_000);
    expect(booked(desk, fill)).toBe(1);
    expect(openings(desk)).toHaveLength(1);
    expect([held(desk, 'ETH'), differs(desk, 'ETH')]).toEqual(['9.999', '0']);
    expect(ops(desk)).not.toContain('difference');
  });

  test('of a trade between the opening wallet and the trades read afterward is deducted once', () => {
    const desk = quotingDesk();
    desk.run(60_000);
    add(desk);
    const isOpening = (): boolean => {
      const { opening, openingBefore } = desk.state().reconciliation;
      const showsAllAt = (openingBefore?.receivedAt ?? 0) + desk.state().settings.assumptions.readLagBoundMs;
      return opening !== null && openingBefore !== null && opening.sentAt >= showsAllAt;
    };
    desk.reply = (request) =>
      request.kind === 'spot-trades' && request.symbol === BTC && isOpening() ? rejected(-5011, 500) : undefined;
    for (let step = 0; step < 3_000 && !isOpening(); step += 1) desk.run(100);
    expect([isOpening(), openings(desk)]).toEqual([true, []]);
    const fill = fillNow(desk, inSlot(desk, 'buy:0'), FEE);
    desk.run(1_000);
    desk.reply = () => undefined;
    desk.run(5 * 60_000);
    expect(booked(desk, fill)).toBe(1);
    expect([held(desk, 'ETH'), differs(desk, 'ETH')]).toEqual(['9.999', '0']);
    expect(ops(desk)).not.toContain('difference');
  });
});
