// Conclusions from own trades about fees and withheld tax (N8, N9).
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../../../src/bot/probe/answer.ts';
import { feeFindings, sharedRatio } from '../../../src/bot/probe/fee-findings.ts';
import { Decimal, decimal, plain } from '../../../src/domain/decimal.ts';
import { answer, findingOf, NOON } from './probe-answers.ts';

const symbol = 'BTC/INR';

interface Row {
  readonly id: number;
  readonly quoteQty?: string;
  readonly commission?: string;
  readonly tds?: string;
  readonly isBuyer?: boolean;
  readonly isMaker?: boolean;
  readonly asset?: string;
}

const fill = ({
  id,
  quoteQty = '50000',
  commission = '236',
  tds = '0',
  isBuyer = true,
  isMaker = true,
  asset = 'INR',
}: Row) => ({
  symbol,
  id,
  orderId: `1-${900 + id}-1`,
  price: '5000000',
  qty: plain(decimal(quoteQty).div(5_000_000)),
  quoteQty,
  commission,
  commissionAsset: asset,
  tds,
  time: NOON,
  isBuyer,
  isMaker,
});
const fills = (...rows: Row[]): Answer => answer('spot-trades', { symbol, body: rows.map(fill) });

const question = {
  symbol,
  makerFeeRatio: decimal('0.00472'),
  takerFeeRatio: decimal('0.00472'),
  feeTaxRatio: decimal('0.18'),
  tdsRatio: decimal('0.01'),
  hasOwnCosts: false,
};
const fee = (id: string, ...rows: Row[]) => findingOf(feeFindings([fills(...rows)], question), id);
const many = (row: Omit<Row, 'id'>, count = 6): Row[] =>
  Array.from({ length: count }, (_, id) => ({ id: id + 1, ...row }));

test('another tier becomes a setting without its tax', () => {
  const found = fee(`fee-maker.${symbol}`, ...many({ commission: '147.5' }));
  expect(found).toMatchObject({
    finding: '0.295 %, configured is 0.472 %',
    value: { ratio: '0.00295', agrees: false },
  });
  expect(found.setting).toEqual({ symbol: null, path: ['costs', 'makerFeeRatio'], value: '0.0025' });
});

test.each<[string, Row[], object]>([
  ['few trades', many({ commission: '147.5' }, 3), question],
  ['a ratio that no schedule writes', many({ commission: '147.123' }), question],
])('but not from %s', (_what, rows, about) => {
  const found = findingOf(feeFindings([fills(...rows)], { ...question, ...about }), `fee-maker.${symbol}`);
  expect(found.finding).toContain('configured is 0.472 %');
  expect(found.setting).toBeUndefined();
});

test('a run’s own costs are changed there', () => {
  const own = { ...question, hasOwnCosts: true };
  const found = findingOf(feeFindings([fills(...many({ commission: '147.5' }))], own), `fee-maker.${symbol}`);
  expect(found.setting).toEqual({ symbol, path: ['costs', 'makerFeeRatio'], value: '0.0025' });
});

test('two tiers on one page share no ratio', () => {
  const rows = [...many({}, 3), { id: 20, commission: '150' }];
  expect(fee(`fee-maker.${symbol}`, ...rows)).toMatchObject({ confidence: 'unknown' });
  expect(fee(`fee-maker.${symbol}`, ...rows).evidence).toContain('0.472 %, 0.3 %');
});

test('maker and taker separately', () => {
  const rows = [
    ...many({}),
    ...many({ isMaker: false, commission: '295' }).map((row) => ({ ...row, id: row.id + 50 })),
  ];
  expect(fee(`fee-taker.${symbol}`, ...rows)).toMatchObject({ value: { ratio: '0.0059' } });
  expect(fee(`fee-maker.${symbol}`, ...rows)).toMatchObject({ value: { agrees: true } });
});

test('a fee in the base asset is a ratio of the quantity', () => {
  expect(fee(`fee-maker.${symbol}`, ...many({ commission: '0.0000472', asset: 'BTC' }))).toMatchObject({
    value: { agrees: true },
  });
});

test('tax of sales', () => {
  expect(fee(`tds.${symbol}`, ...many({ isBuyer: false, tds: '500' }))).toMatchObject({
    finding: '1 %, as configured',
  });
  const other = fee(`tds.${symbol}`, ...many({ isBuyer: false, tds: '50' }));
  expect(other.setting).toMatchObject({ path: ['costs', 'tdsRatio'], value: '0.001' });
  expect(fee(`tds.${symbol}`, ...many({}))).toMatchObject({ confidence: 'unknown' });
  expect(fee(`tds.${symbol}`, ...many({ tds: '3' }))).toMatchObject({ finding: 'withheld from purchases too' });
});

test('a configured ratio that explains everything is not replaced by a rounder one', () => {
  const small = [{ amount: decimal('0.01'), of: decimal('2.1') }];
  expect(plain(sharedRatio(small, decimal('0.00472')) ?? decimal(0))).toBe('0.00472');
  expect(plain(sharedRatio(small, decimal('0.5')) ?? decimal(0))).toBe('0.005');
});

test('the ratio behind rounded charges is found, however they are rounded', () => {
  const ratios = fc.integer({ min: 1, max: 9_999 }).map((bps) => new Decimal(`${bps}e-6`));
  const amounts = fc.array(fc.integer({ min: 1_000_000, max: 2_000_000_000 }), { minLength: 12, maxLength: 20 });
  const modes = fc.constantFrom(Decimal.ROUND_HALF_UP, Decimal.ROUND_DOWN, Decimal.ROUND_UP);
  fc.assert(
    fc.property(ratios, amounts, modes, (ratio, cents, mode) => {
      const charges = cents.map((each) => {
        const traded = new Decimal(`${each}e-2`);
        return { amount: traded.mul(ratio).toDecimalPlaces(8, mode), of: traded };
      });
      expect(plain(sharedRatio(charges, decimal('0.5')) ?? decimal(0))).toBe(plain(ratio));
      expect(plain(sharedRatio(charges, ratio) ?? decimal(0))).toBe(plain(ratio));
    }),
    { numRuns: 200 },
  );
});
