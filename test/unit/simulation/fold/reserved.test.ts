// What orders reserve and come to by the journal's terms.
import { expect, test } from '@jest/globals';
import { notionalOf, remainingOf, reservedBy } from '../../../../simulation/fold/reserved.ts';
import { decimal, ZERO } from '../../../../src/domain/decimal.ts';
import { BTC, deskSettings } from '../../trader/desk-settings.ts';

test('what remains of a bid reserves its price and the higher fee, of an ask itself; a closed one nothing', () => {
  const desk = deskSettings();
  const [run] = desk.runs;
  if (run === undefined) throw new Error('The desk has a run.');
  const costs = { ...run.costs, makerFeeRatio: decimal('0.001'), takerFeeRatio: decimal('0.002') };
  const settings = { ...desk, runs: [{ ...run, costs }] };
  const terms = { symbol: BTC, side: 'buy', price: '100', quantity: '10', filled: decimal(4), state: 'open' } as const;
  expect(reservedBy(settings, terms)?.amount.toFixed()).toBe('601.2');
  expect(reservedBy(settings, { ...terms, side: 'sell' })?.amount.toFixed()).toBe('6');
  expect(reservedBy(settings, { ...terms, state: 'closed' })?.amount.toFixed()).toBe('0');
  expect(notionalOf(settings, [terms, terms], run.instrument.quote).toFixed()).toBe('1200');
  expect(notionalOf(settings, [terms], 'XYZ')).toEqual(ZERO);
  expect(remainingOf({ ...terms, filled: decimal(11) })).toEqual(ZERO);
});
