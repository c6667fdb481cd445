// What the account's lists tell: permissions, fees and tax, order and pages of own rows, what is locked, how far lists
// reach back.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../../../src/bot/probe/facts/answer.ts';
import { chargedRatio } from '../../../src/bot/probe/facts/rounded-ratio.ts';
import { accountFindings } from '../../../src/bot/probe/findings/account-findings.ts';
import { feeFindings } from '../../../src/bot/probe/findings/fee-findings.ts';
import { permissionFindings, signatureFinding } from '../../../src/bot/probe/findings/key-findings.ts';
import { windowFindings } from '../../../src/bot/probe/findings/window-findings.ts';
import { Decimal, decimal, plain } from '../../../src/domain/decimal.ts';
import { DAY, HOUR } from '../../../src/domain/time.ts';
import { answer, findingOf, NOON } from './probe-answers.ts';

const symbol = 'BTC/INR';
const HEADER = 'X-EXCHANGE-APIKEY';
const refused = (topic: 'wallet' | 'open-orders' | 'spot-trades', code: number | string, status = 403): Answer =>
  answer(topic, { symbol: topic === 'spot-trades' ? symbol : null, status, body: { code, msg: 'No.' } });
const of = (id: string, ...answers: Answer[]) => findingOf(accountFindings(answers), id);

describe('what the key may do', () => {
  const permission = (name: string, ...answers: Answer[]) =>
    findingOf(permissionFindings(answers, HEADER), `permission.${name}`);

  test('granted, where the read is answered', () => {
    expect(permission('wallet', answer('wallet'))).toMatchObject({
      finding: 'granted',
      value: true,
      confidence: 'proved',
    });
  });

  test.each(['-2003', -2003])('not granted: %s', (code) => {
    const found = permission('orders', answer('wallet'), refused('open-orders', code));
    expect(found).toMatchObject({ finding: 'not granted', value: false });
    expect(found.evidence).toContain('lacks the permission for orders');
  });

  test.each([
    [-1015, 'whitelist'],
    [-1022, 'secret does not belong'],
    [-2004, 'no account'],
    [-2015, 'does not know the key'],
    [-1001, HEADER],
  ])('%i refuses the key as a whole and says what to do', (code, words) => {
    const found = permission('wallet', refused('wallet', code));
    expect(found).toMatchObject({ finding: 'the key is refused', value: false });
    expect(found.evidence).toContain(words);
  });

  test.each([
    [-5010, 500],
    [-1021, 400],
  ])('%i says nothing about the key', (code, status) => {
    expect(permission('orders', refused('open-orders', code, status))).toMatchObject({ confidence: 'unknown' });
  });

  test('of several symbols one answer is enough', () => {
    const answers = [refused('spot-trades', -1121, 400), answer('spot-trades', { symbol: 'ETH/INR' })];
    expect(permission('trades', ...answers)).toMatchObject({ value: true });
  });
});

describe('what is signed of BTC/INR (Q22)', () => {
  const encoded = (status: number) =>
    answer('spot-trades-encoded', { symbol, status, body: status === 200 ? [] : { code: -1022, msg: '' } });

  test('as configured', () => {
    expect(signatureFinding([answer('spot-trades', { symbol })], 'raw')).toMatchObject({
      value: 'raw',
      confidence: 'proved',
    });
  });

  test('the other form, which is then written', () => {
    const found = signatureFinding([refused('spot-trades', -1022), encoded(200)], 'raw');
    expect(found).toMatchObject({
      value: 'encoded',
      setting: { path: ['venue', 'signature', 'percentEncoding'], value: 'encoded' },
    });
  });

  test('neither', () => {
    expect(signatureFinding([refused('spot-trades', -1022), encoded(403)], 'raw')).toMatchObject({
      confidence: 'unknown',
    });
  });
});

interface Row {
  readonly id: number;
  readonly quoteQty?: string;
  readonly commission?: string;
  readonly tds?: string;
  readonly isBuyer?: boolean;
  readonly isMaker?: boolean;
  readonly asset?: string;
  readonly at?: number;
}

const fill = ({
  id,
  quoteQty = '50000',
  commission = '236',
  tds = '0',
  isBuyer = true,
  isMaker = true,
  asset = 'INR',
  at = NOON,
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
  time: at,
  isBuyer,
  isMaker,
});
const fills = (...rows: Row[]): Answer => answer('spot-trades', { symbol, body: rows.map(fill) });

describe('the order of own trades (Q2)', () => {
  test.each([
    ['newest first', [5, 4, 2, 1], 'proved'],
    ['oldest first', [1, 2, 4, 5], 'proved'],
    ['unordered', [1, 5, 2, 4], 'proved'],
    ['newest first', [2, 1], 'likely'],
  ])('%s: %j', (finding, ids, confidence) => {
    expect(of('trade-order', fills(...ids.map((id) => ({ id }))))).toMatchObject({ value: finding, confidence });
  });

  test('ids beyond 2^53 are compared as they are written', () => {
    const body = JSON.stringify([{ id: 1 }, { id: 2 }].map(fill))
      .replace('"id":1,', '"id":90071992547409931,')
      .replace('"id":2,', '"id":90071992547409930,');
    expect(of('trade-order', answer('spot-trades', { symbol, body }))).toMatchObject({ value: 'newest first' });
  });

  test('one row tells nothing', () => {
    expect(of('trade-order', fills({ id: 1 }))).toMatchObject({ confidence: 'unknown' });
  });
});

describe('which rows a page from an id on holds (Q3)', () => {
  const page = (...ids: number[]) => answer('spot-trades-from-id', { symbol, body: ids.map((id) => fill({ id })) });
  const all = fills({ id: 9 }, { id: 7 }, { id: 5 }, { id: 3 });

  test.each([
    ['oldest', [3, 5]],
    ['oldest', [5, 3]],
    ['newest', [9, 7]],
    ['newest', [11, 9]],
  ])('the %s: %j', (value, ids) => {
    expect(of('from-id', all, page(...ids))).toMatchObject({ value, confidence: 'proved' });
  });

  test.each([[[3, 9]], [[]]])('%j tells nothing', (ids) => {
    expect(of('from-id', all, page(...ids))).toMatchObject({ confidence: 'unknown' });
  });
});

describe('the page of open orders (Q4)', () => {
  const orders = (count: number, of: string | null = null) =>
    answer('open-orders', {
      symbol: of,
      body: Array.from({ length: count }, (_, index) => ({
        symbol,
        orderId: `1-${index + 1}-1`,
        price: '5000000',
        origQty: '0.01',
        executedQty: '0',
        remainingQty: '0.01',
        status: 'NEW',
        type: 'LIMIT',
        side: 'SELL',
        time: NOON,
      })),
    });

  test.each<[string, Answer[], unknown, string]>([
    ['more than any cap', [orders(51)], 'all', 'proved'],
    ['more by symbol than altogether', [orders(20), orders(15, 'BTC/INR'), orders(9, 'ETH/INR')], 20, 'proved'],
    ['exactly a cap', [orders(20)], 20, 'suspected'],
    ['exactly the other cap', [orders(50)], 50, 'suspected'],
    ['fewer', [orders(7)], null, 'unknown'],
    ['none', [orders(0)], null, 'unknown'],
    ['not read', [refused('open-orders', -2003)], null, 'unknown'],
  ])('%s', (_what, answers, value, confidence) => {
    expect(of('open-orders-page', ...answers)).toMatchObject({ value, confidence });
  });

  test('only no cap at all is written', () => {
    expect(of('open-orders-page', orders(51)).setting).toMatchObject({
      path: ['venue', 'openOrdersUncapped'],
      value: true,
    });
    expect(of('open-orders-page', orders(20)).setting).toBeUndefined();
  });
});

describe('whether `locked` holds staking and OTC (Q12)', () => {
  const row = (asset: string, locked: string, lockedStaking: string, lockedOtc = '0') => ({
    asset,
    free: '1',
    locked,
    lockedFd: '0',
    lockedStaking,
    lockedOtc,
  });
  const wallet = (...rows: object[]) => answer('wallet', { body: rows });
  const sale = (remainingQty: string, side = 'SELL') =>
    answer('open-orders', {
      body: [
        {
          symbol,
          orderId: '1-1-1',
          price: '5000000',
          origQty: '1',
          executedQty: '0',
          remainingQty,
          status: 'NEW',
          type: 'LIMIT',
          side,
          time: NOON,
        },
      ],
    });
  const none = answer('open-orders');

  test.each<[string, Answer[], unknown, string]>([
    ['less than they are: no', [wallet(row('BTC', '0.1', '0.5')), none], false, 'proved'],
    ['as much, and no order: yes', [wallet(row('BTC', '0.5', '0.3', '0.2')), none], true, 'likely'],
    ['as much more as sell orders hold: yes', [wallet(row('BTC', '0.7', '0.5')), sale('0.2')], true, 'likely'],
    ['no more than sell orders hold: no', [wallet(row('BTC', '0.6', '0.5')), sale('0.6')], false, 'likely'],
    ['something else is locked as well', [wallet(row('BTC', '0.9', '0.5')), sale('0.2')], null, 'unknown'],
    ['a quote asset under buy orders', [wallet(row('INR', '500', '500')), sale('1', 'BUY')], null, 'unknown'],
    ['two assets that contradict', [wallet(row('BTC', '0.1', '0.5'), row('ETH', '2', '2')), none], null, 'unknown'],
    ['nothing staked', [wallet(row('BTC', '0.1', '0')), none], null, 'unknown'],
  ])('%s', (_what, answers, value, confidence) => {
    expect(of('locked', ...answers)).toMatchObject({ value, confidence });
  });

  test('is written', () => {
    expect(of('locked', wallet(row('BTC', '0.1', '0.5')), none).setting).toEqual({
      at: 'configuration',
      path: ['assumptions', 'lockedIncludesStakingAndOtc'],
      value: false,
    });
  });
});

test('order ids beyond 2^53 (Q20)', () => {
  const body = [{ ...fill({ id: 1 }), orderId: '1-90071992547409931-1' }];
  expect(of('order-ids', answer('spot-trades', { symbol, body }))).toMatchObject({
    value: { beyondSafeInteger: true },
  });
  expect(
    of('order-ids', answer('spot-trades', { symbol, body: [{ ...fill({ id: 1 }), orderId: 'A7' }] })),
  ).toMatchObject({
    finding: 'of another shape',
  });
});

describe('fees and tax (N8, N9, Q11)', () => {
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

  test('no own trade', () => {
    expect(fee(`fees.${symbol}`)).toMatchObject({ confidence: 'unknown' });
  });

  test('as configured', () => {
    expect(fee(`fee-maker.${symbol}`, ...many({}))).toMatchObject({
      finding: '0.472 %, as configured',
      confidence: 'proved',
    });
  });

  test('another tier is written without the tax on it', () => {
    const found = fee(`fee-maker.${symbol}`, ...many({ commission: '147.5' }));
    expect(found).toMatchObject({
      finding: '0.295 %, configured is 0.472 %',
      value: { ratio: '0.00295', agrees: false },
    });
    expect(found.setting).toEqual({ at: 'configuration', path: ['costs', 'makerFeeRatio'], value: '0.0025' });
  });

  test.each<[string, Row[], object]>([
    ['few trades', many({ commission: '147.5' }, 3), question],
    ['a run with costs of its own', many({ commission: '147.5' }), { ...question, hasOwnCosts: true }],
    ['a ratio that no schedule writes', many({ commission: '147.123' }), question],
  ])('but not from %s', (_what, rows, about) => {
    const found = findingOf(feeFindings([fills(...rows)], { ...question, ...about }), `fee-maker.${symbol}`);
    expect(found.finding).toContain('configured is 0.472 %');
    expect(found.setting).toBeUndefined();
  });

  test('two tiers on one page share no ratio', () => {
    const rows = [...many({}, 3), { id: 20, commission: '150' }];
    expect(fee(`fee-maker.${symbol}`, ...rows)).toMatchObject({ confidence: 'unknown' });
    expect(fee(`fee-maker.${symbol}`, ...rows).evidence).toContain('0.472 %, 0.3 %');
  });

  test('maker and taker apart', () => {
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
    expect(fee(`fee-asset.${symbol}`, ...many({ commission: '0.0000472', asset: 'BTC' }))).toMatchObject({
      finding: 'BTC when buying',
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

  test('a ratio that explains everything and is configured is not replaced by a rounder one', () => {
    const small = [{ amount: decimal('0.01'), of: decimal('2.1') }];
    expect(plain(chargedRatio(small, decimal('0.00472'))?.ratio ?? decimal(0))).toBe('0.00472');
    expect(plain(chargedRatio(small, decimal('0.5'))?.ratio ?? decimal(0))).toBe('0.005');
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
        expect(plain(chargedRatio(charges, decimal('0.5'))?.ratio ?? decimal(0))).toBe(plain(ratio));
        expect(chargedRatio(charges, ratio)).toMatchObject({ ratio });
      }),
      { numRuns: 200 },
    );
  });
});

describe('how far lists reach back (Q16)', () => {
  const rows = (topic: 'spot-trades' | 'spot-trades-historical' | 'fiat-deposits', ...ages: number[]) =>
    answer(topic, { symbol, body: ages.map((age, id) => ({ ...fill({ id: id + 1 }), time: NOON - age })) });
  const window = (...answers: Answer[]) => windowFindings(answers)[0];

  test('between the oldest row and the newest archived one', () => {
    const found = window(rows('spot-trades', HOUR, 3 * DAY), rows('spot-trades-historical', 9 * DAY, 40 * DAY));
    expect(found).toMatchObject({ finding: '3 days to 9 days', confidence: 'likely' });
  });

  test('an archive that holds young rows as well bounds nothing', () => {
    const found = window(rows('spot-trades', HOUR, 3 * DAY), rows('spot-trades-historical', HOUR, 40 * DAY));
    expect(found).toMatchObject({ finding: 'at least 3 days', confidence: 'suspected' });
  });

  test('a full page may be cut', () => {
    const found = window(rows('spot-trades', ...Array.from({ length: 20 }, (_, index) => index * HOUR)));
    expect(found?.evidence).toContain('may be cut');
  });

  test('an empty list is open, one that was not asked has no finding', () => {
    expect(window(rows('fiat-deposits'))).toMatchObject({ confidence: 'unknown' });
    expect(windowFindings([])).toEqual([]);
  });
});
