// What limits remember survives a snapshot to the last digit, and a snapshot from before there were such limits.
import { expect, test } from '@jest/globals';
import { DAY, HOUR } from '../../../src/domain/time.ts';
import { canonicalText, fromCanonicalText } from '../../../src/journal/canonical.ts';
import { haltOf } from '../../../src/trader/decision/gate.ts';
import { type Durable, emptyDurable } from '../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../src/trader/durable/events.ts';
import { emptyRisk } from '../../../src/trader/durable/risk-state.ts';
import { applyEvent } from '../../../src/trader/fold/apply-event.ts';
import { applyRisk, dayOf } from '../../../src/trader/fold/apply-risk.ts';
import { toFillRecord } from '../../../src/trader/fold/fill-record.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { fillNow, foldAll, inSlot, quotingDesk, START } from './trader-kit.ts';

const settings = deskSettings({ limits: { repeatedFills: 2, maxDayLoss: '1000' } });

function haltedDesk() {
  const desk = quotingDesk(settings);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(8_000);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(4_000);
  expect(desk.state().durable.risk.haltCodes.get(BTC)).toBe('repeated-fills');
  return desk;
}

test('it is the same after a snapshot, and goes on as it would have', () => {
  const desk = haltedDesk();
  const { risk } = desk.state().durable;
  const restored = fromCanonicalText(canonicalText(desk.state().durable)) as Durable;
  expect(restored.risk).toEqual(risk);
  expect(restored.risk.profit.get(BTC)?.last).not.toBe(0n);
  const more: TraderEvent = { type: 'profit-marked', payload: { symbol: BTC, total: '-3.25', at: START + DAY } };
  const [one, other] = [foldAll(desk.events), restored];
  for (const durable of [one, other]) applyEvent(durable, JSON.parse(JSON.stringify(more)) as TraderEvent);
  expect(other.risk).toEqual(one.risk);
  expect(other.risk.profit.get(BTC)?.day).toEqual({ number: dayOf(START) + 1, from: risk.profit.get(BTC)?.last });
});

test('a snapshot without it, and a halt without a code, are of before: the halt holds as `halted`', () => {
  const desk = haltedDesk();
  const { risk: _risk, ...older } = desk.state().durable;
  const read = { ...emptyDurable(), ...(fromCanonicalText(canonicalText(older)) as Durable) };
  expect(read.risk).toEqual(emptyRisk());
  const state = { ...desk.state(), durable: read };
  expect(haltOf(state, BTC)).toEqual({ code: 'halted', reason: desk.state().durable.halts.get(BTC) });
  const risk = emptyRisk();
  applyRisk(risk, false, { type: 'symbol-halted', payload: { symbol: BTC, reason: 'Look.', at: START } });
  expect(risk.haltCodes.get(BTC)).toBe('halted');
});

test('fills are remembered for an hour, and no more of them than any limit may ask for', () => {
  const desk = quotingDesk(settings);
  const fill = fillNow(desk, inSlot(desk, 'buy:0'));
  const record = toFillRecord(fill);
  const risk = emptyRisk();
  const fillAt = (order: number, venueTime: number): void =>
    applyRisk(risk, false, {
      type: 'fill',
      payload: { fill: { ...record, venueTime }, intentId: `1-${order}`, mid: null, at: venueTime },
    });
  for (let order = 1; order <= 700; order += 1) fillAt(order, START + order * 100);
  expect(risk.filled.get(BTC)?.buy.size).toBe(500);
  expect(risk.fillParts.get(BTC)).toHaveLength(700);
  fillAt(701, START + 2 * HOUR);
  expect(risk.filled.get(BTC)?.buy.size).toBe(1);
  expect(risk.fillParts.get(BTC)).toHaveLength(1);
});
