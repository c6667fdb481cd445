import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { amountText, negate } from '../../../src/ledger/amount.ts';
import {
  correctionEntry,
  externalFlowEntry,
  type FillOrigin,
  fillEntry,
  openingEntry,
} from '../../../src/ledger/fill-entries.ts';
import {
  answersFor,
  balanceOf,
  compare,
  differenceText,
  EMPTY_LEDGER,
  type Entry,
  expectedTotal,
  type Ledger,
  post,
  summed,
} from '../../../src/ledger/ledger.ts';
import { amt, anyFill, bookableOf, decimalText } from './fills.ts';
import { isConsistent, negativeBalances } from './ledger-checks.ts';

const opened = post(
  EMPTY_LEDGER,
  openingEntry(
    new Map([
      ['INR', amt('1000000')],
      ['BTC', amt('0.5')],
    ]),
  ),
);
const keeps = (): boolean => true;

/** Balances as text, `INR wallet 950000`, in order. */
const shown = (ledger: Ledger): string[] =>
  [...ledger.balances]
    .flatMap(([asset, accounts]) => [...accounts].map(([account, sum]) => `${asset} ${account} ${amountText(sum)}`))
    .filter((row) => !row.endsWith(' 0'))
    .sort();

describe('the ledger', () => {
  test('opens with the wallet as it was found', () => {
    expect(shown(opened)).toEqual(['BTC opening -0.5', 'BTC wallet 0.5', 'INR opening -1000000', 'INR wallet 1000000']);
  });

  test.each([
    [
      'a sale with tax: the tax leaves the wallet and stays the owner’s',
      { side: 'sell', tds: '500' } as const,
      'strategy',
      [
        'BTC trading 0.01',
        'BTC wallet -0.01',
        'INR fees 236',
        'INR tax-withheld 500',
        'INR trading -50000',
        'INR wallet 49264',
      ],
    ],
    [
      'a purchase with the fee in base',
      { commission: '0.00002', commissionAsset: 'BTC' },
      'strategy',
      ['BTC fees 0.00002', 'BTC trading -0.01', 'BTC wallet 0.00998', 'INR trading 50000', 'INR wallet -50000'],
    ],
    [
      'a fee in a third asset',
      { commission: '1.5', commissionAsset: 'USDT' },
      'strategy',
      [
        'BTC trading -0.01',
        'BTC wallet 0.01',
        'INR trading 50000',
        'INR wallet -50000',
        'USDT fees 1.5',
        'USDT wallet -1.5',
      ],
    ],
    [
      'the owner’s own purchase',
      {},
      'manual',
      [
        'BTC external:manual -0.01',
        'BTC wallet 0.01',
        'INR external:manual 50000',
        'INR fees 236',
        'INR wallet -50236',
      ],
    ],
    [
      'a simple sale',
      { side: 'sell', commission: '0' } as const,
      'conversion',
      ['BTC external:conversion 0.01', 'BTC wallet -0.01', 'INR external:conversion -50000', 'INR wallet 50000'],
    ],
  ])('books %s', (_, text, origin, rows) => {
    const booking = { fill: bookableOf(text), origin: origin as FillOrigin };
    expect(shown(post(EMPTY_LEDGER, fillEntry(booking, keeps)))).toEqual(rows);
  });

  describe('books what moves of an asset that it does not answer for against its opening', () => {
    const keepsBoth = (asset: string): boolean => asset === 'BTC' || asset === 'INR';

    test('a fee in a third asset', () => {
      const fill = bookableOf({ commission: '0.25', commissionAsset: 'XYZ' });
      const booked = post(opened, fillEntry({ fill, origin: 'strategy' }, keepsBoth));
      expect(shown(booked)).toContain('XYZ fees 0.25');
      expect(shown(booked)).toContain('XYZ opening -0.25');
      expect(expectedTotal(booked, 'XYZ')).toBe(0n);
      expect(negativeBalances(booked)).toEqual([]);
      // Whatever the wallet holds of it is no difference.
      expect(compare(booked, new Map(['BTC', 'INR'].map((asset) => [asset, expectedTotal(booked, asset)])))).toEqual(
        [],
      );
      expect(['BTC', 'INR', 'XYZ'].filter((asset) => answersFor(booked, asset))).toEqual(['BTC', 'INR']);
    });

    test('a coin bought for one that it answers for', () => {
      const fill = bookableOf({ commission: '0' });
      const keepsQuote = (asset: string): boolean => asset === 'INR';
      const booked = post(EMPTY_LEDGER, fillEntry({ fill, origin: 'conversion' }, keepsQuote));
      expect(shown(booked)).toEqual([
        'BTC external:conversion -0.01',
        'BTC opening 0.01',
        'INR external:conversion 50000',
        'INR wallet -50000',
      ]);
      expect(['BTC', 'INR'].filter((asset) => answersFor(booked, asset))).toEqual(['INR']);
    });
  });

  test('corrects a fill by reversing and rebooking it, and takes a busted one back', () => {
    const before = { fill: bookableOf({ side: 'sell', tds: '0' }), origin: 'strategy' as const };
    const after = { fill: bookableOf({ side: 'sell', tds: '500' }), origin: 'strategy' as const };
    const booked = post(opened, fillEntry(before, keeps));
    const direct = post(opened, fillEntry(after, keeps));
    const entry = correctionEntry(before, after, keeps);
    expect(summed(entry)).toEqual([
      { asset: 'INR', account: 'wallet', by: amt('-500') },
      { asset: 'INR', account: 'tax-withheld', by: amt('500') },
    ]);
    expect(shown(post(booked, entry))).toEqual(shown(direct));
    expect(shown(post(booked, correctionEntry(before, null, keeps)))).toEqual(shown(opened));
  });

  test.each([
    ['a deposit with a fee', 'external:deposit', '9', '1', ['INR external:deposit -10', 'INR fees 1', 'INR wallet 9']],
    [
      'a withdrawal with a fee',
      'external:withdrawal',
      '-11',
      '1',
      ['INR external:withdrawal 10', 'INR fees 1', 'INR wallet -11'],
    ],
  ] as const)('books %s', (_, account, change, fee, rows) => {
    const flow = { account, asset: 'INR', walletChange: amt(change), fee: amt(fee) };
    expect(shown(post(EMPTY_LEDGER, externalFlowEntry(flow)))).toEqual(rows);
  });

  test('refuses an entry that does not balance', () => {
    const change = { asset: 'INR', account: 'wallet', by: amt('1') } as const;
    const refused: Entry[] = [[change], [change, { asset: 'BTC', account: 'opening', by: amt('-1') }]];
    for (const entry of refused) expect(() => post(opened, entry)).toThrow('An entry is off by 1 INR.');
  });

  test('an account that nothing moves stays absent', () => {
    expect(answersFor(post(EMPTY_LEDGER, openingEntry(new Map([['XYZ', amt('0')]]))), 'XYZ')).toBe(false);
  });

  test('reports what went below zero', () => {
    const flow = {
      account: 'external:withdrawal',
      asset: 'INR',
      walletChange: amt('-1000000.5'),
      fee: amt('0'),
    } as const;
    expect(negativeBalances(opened)).toEqual([]);
    const overdrawn = post(opened, externalFlowEntry(flow));
    expect(negativeBalances(overdrawn)).toEqual([{ asset: 'INR', account: 'wallet', balance: amt('-0.5') }]);
  });

  test('knows when memory is broken', () => {
    const wallet = new Map([['wallet' as const, amt('1')]]);
    expect(isConsistent(opened)).toBe(true);
    expect(isConsistent({ balances: new Map([['INR', wallet]]) })).toBe(false);
  });

  test('names each asset in which the wallet differs, one that is missing reads as zero', () => {
    const differences = compare(
      opened,
      new Map([
        ['INR', amt('999999.99')],
        ['DOGE', amt('0.000000000000000001')],
      ]),
    );
    expect(differences.map(differenceText)).toEqual([
      'Expected 0.5 BTC in the wallet and found 0: -0.5.',
      'Expected 0 DOGE in the wallet and found 0.000000000000000001: 0.000000000000000001.',
      'Expected 1000000 INR in the wallet and found 999999.99: -0.01.',
    ]);
  });
});

const ASSETS = ['BTC', 'INR', 'USDT'] as const;
const amounts = decimalText(8, 10n ** 14n).map(amt);
const asset = fc.constantFrom(...ASSETS);
const step = fc.oneof(
  fc.record({ kind: fc.constant('opening' as const), asset, amount: amounts }),
  fc.record({
    kind: fc.constant('fill' as const),
    fill: anyFill,
    origin: fc.constantFrom<FillOrigin>('strategy', 'manual', 'conversion'),
    corrected: fc.option(anyFill),
  }),
  fc.record({ kind: fc.constant('flow' as const), asset, amount: amounts, fee: amounts, out: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The entries of one step, and what each asset of the wallet must change by: counted without the ledger. */
function entriesOf(one: Step): { entries: Entry[]; wallet: [string, bigint][] } {
  switch (one.kind) {
    case 'opening':
      return { entries: [openingEntry(new Map([[one.asset, one.amount]]))], wallet: [[one.asset, one.amount]] };
    case 'fill': {
      const booking = { fill: one.fill, origin: one.origin };
      const correction = one.corrected && { fill: one.corrected, origin: one.origin };
      const entries = [fillEntry(booking, keeps)];
      if (correction) entries.push(correctionEntry(booking, correction, keeps));
      return { entries, wallet: naive(correction ? correction.fill : one.fill) };
    }
    case 'flow': {
      const walletChange = one.out ? negate(one.amount) : one.amount;
      const flow = { account: 'external:deposit', asset: one.asset, walletChange, fee: one.fee } as const;
      return { entries: [externalFlowEntry(flow)], wallet: [[one.asset, walletChange]] };
    }
  }
}

function naive(fill: ReturnType<typeof bookableOf>): [string, bigint][] {
  const sign = fill.side === 'buy' ? 1n : -1n;
  return [
    ['BTC', sign * fill.quantity],
    ['INR', -sign * fill.quoteQuantity],
    [fill.commissionAsset, -fill.commission],
    ['INR', -fill.tds],
  ];
}

describe('after any steps', () => {
  test('the total is the naive sum, and fees and tax are what was paid', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let ledger = EMPTY_LEDGER;
        const wallet = new Map<string, bigint>();
        const paid = { fees: 0n, tax: 0n };
        for (const one of steps) {
          const { entries, wallet: changes } = entriesOf(one);
          ledger = entries.reduce(post, ledger);
          for (const [name, by] of changes) wallet.set(name, (wallet.get(name) ?? 0n) + by);
          const fill = one.kind === 'fill' ? (one.corrected ?? one.fill) : null;
          if (fill?.commissionAsset === 'INR') paid.fees += fill.commission;
          paid.fees += one.kind === 'flow' && one.asset === 'INR' ? one.fee : 0n;
          paid.tax += fill?.tds ?? 0n;
        }
        for (const name of ASSETS) expect(expectedTotal(ledger, name)).toBe(wallet.get(name) ?? 0n);
        expect(balanceOf(ledger, 'INR', 'fees')).toBe(paid.fees);
        expect(balanceOf(ledger, 'INR', 'tax-withheld')).toBe(paid.tax);
        expect(isConsistent(ledger)).toBe(true);
        const totals = new Map(ASSETS.map((name) => [name, expectedTotal(ledger, name)]));
        expect(compare(ledger, totals)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('the ledger before is as it was', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), (steps) => {
        const before = structuredClone(opened);
        steps.reduce((ledger, one) => entriesOf(one).entries.reduce(post, ledger), opened);
        expect(opened).toEqual(before);
      }),
    );
  });
});
