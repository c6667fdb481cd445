// What limits remember survives a snapshot to the last digit, and a snapshot from before there were such limits.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { DAY, HOUR } from '../../../src/domain/time.ts';
import { canonicalText, fromCanonicalText } from '../../../src/journal/canonical.ts';
import { type Durable, emptyDurable } from '../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../src/trader/durable/events.ts';
import { applyEvent } from '../../../src/trader/durable/fold/apply-event.ts';
import { applyRisk } from '../../../src/trader/durable/fold/apply-risk.ts';
import { toFillRecord } from '../../../src/trader/durable/fold/fill-record.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { dayOf } from '../../../src/trader/durable/remembered.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { fillNow, foldAll, inSlot, quotingDesk, START } from './trader-kit.ts';

const settings = deskSettings({ limits: { maxOrderNotional: '1100', repeatedFills: 0.28, maxDayLoss: '100' } });

function haltedDesk() {
  const desk = quotingDesk(settings);
  fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.003') });
  desk.run(8_000);
  fillNow(desk, inSlot(desk, 'buy:0'), { quantity: decimal('0.0065') });
  desk.run(4_000);
  expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('repeated-fills');
  return desk;
}

test('it is the same after a snapshot, and goes on as it would have', () => {
  const desk = haltedDesk();
  const { risk } = marketIn(desk.state().durable, BTC);
  const restored = fromCanonicalText(canonicalText(desk.state().durable)) as Durable;
  expect(restored).toEqual(desk.state().durable);
  expect(risk.profit?.last).not.toBe(0n);
  const more: TraderEvent = {
    type: 'profit-marked',
    payload: { symbol: BTC, mark: { total: '-3.25', treatment: 'cost' }, at: START + DAY },
  };
  const [one, other] = [foldAll(desk.events), restored];
  for (const durable of [one, other]) applyEvent(durable, JSON.parse(JSON.stringify(more)) as TraderEvent);
  expect(other).toEqual(one);
  expect(marketIn(other, BTC).risk.profit?.day).toEqual({ number: dayOf(START) + 1, from: risk.profit?.last });
});

test('fills are remembered for an hour, and at most as many as any limit needs', () => {
  const desk = quotingDesk(settings);
  const fill = fillNow(desk, inSlot(desk, 'buy:0'));
  const record = toFillRecord(fill);
  const durable = emptyDurable();
  const fillAt = (order: number, venueTime: number): void =>
    applyRisk(durable, {
      type: 'fill',
      payload: { fill: { ...record, venueTime }, intentId: `1-${order}`, mid: null, at: venueTime },
    });
  for (let order = 1; order <= 700; order += 1) fillAt(order, START + order * 100);
  expect(marketIn(durable, BTC).risk.fillParts).toHaveLength(700);
  fillAt(701, START + 2 * HOUR);
  expect(marketIn(durable, BTC).risk.fillParts).toHaveLength(1);
});
