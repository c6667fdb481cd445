import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { BTC } from '../desk-settings.ts';
import { modelVenue } from '../model-venue.ts';
import { readyDesk } from '../trader-kit.ts';

test("notices name the owner's actions in his own words", () => {
  const desk = readyDesk();
  const venue = modelVenue(desk, BTC);
  desk.run(5_000);
  venue.deposit('0.0457');
  desk.run(40_000);
  expect(desk.notices.filter(({ op }) => op === 'external-flow')).toEqual([
    { level: 'info', op: 'external-flow', message: "Booked as the owner's: a deposit, 0.0457 BTC." },
  ]);
  expect(venue.balance('BTC').eq(decimal('1.0457'))).toBe(true);
});
