import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { intentId } from '../../../src/domain/ids.ts';
import { type Amount, add, amountText, negate } from '../../../src/ledger/amount.ts';
import { type Entry, imbalanceOf } from '../../../src/ledger/entry.ts';
import {
  correctionEntry,
  externalFlowEntry,
  type FillOrigin,
  fillEntry,
  openingEntry,
  releaseEntry,
  reserveEntry,
} from '../../../src/ledger/fill-entries.ts';
import {
  answersFor,
  balanceOf,
  compare,
  differenceText,
  EMPTY_LEDGER,
  expectedTotal,
  type Ledger,
  post,
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
const buying = intentId('i-1');
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

  test('keeps the total while an intent reserves, fills in part and is released', () => {
    let ledger = post(opened, reserveEntry(opened, { intentId: buying, asset: 'INR', amount: amt('100472') }));
    expect(amountText(balanceOf(ledger, 'INR', 'reserved'))).toBe('100472');
    expect(amountText(expectedTotal(ledger, 'INR'))).toBe('1000000');

    const after = { intentId: buying, asset: 'INR', amount: amt('50236') };
    ledger = post(ledger, fillEntry(ledger, { fill: bookableOf({}), origin: 'strategy', keeps }, after));
    expect(shown(ledger)).toEqual([
      'BTC opening -0.5',
      'BTC trading -0.01',
      'BTC wallet 0.51',
      'INR fees 236',
      'INR opening -1000000',
      'INR reserved 50236',
      'INR trading 50000',
      'INR wallet 899528',
    ]);
    expect(amountText(expectedTotal(ledger, 'INR'))).toBe('949764');

    const release = releaseEntry(ledger, buying);
    ledger = release ? post(ledger, release) : ledger;
    expect(ledger.reservations.size).toBe(0);
    expect(amountText(balanceOf(ledger, 'INR', 'wallet'))).toBe('949764');
    expect(releaseEntry(ledger, buying)).toBeNull();
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
    expect(shown(post(EMPTY_LEDGER, fillEntry(EMPTY_LEDGER, { ...booking, keeps }, null)))).toEqual(rows);
  });

  describe('books what moves of an asset that it does not answer for against its opening', () => {
    const keepsBoth = (asset: string): boolean => asset === 'BTC' || asset === 'INR';

    test('a fee in a third asset', () => {
      const fill = bookableOf({ commission: '0.25', commissionAsset: 'XYZ' });
      const booked = post(opened, fillEntry(opened, { fill, origin: 'strategy', keeps: keepsBoth }, null));
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
      const booked = post(
        EMPTY_LEDGER,
        fillEntry(EMPTY_LEDGER, { fill, origin: 'conversion', keeps: keepsQuote }, null),
      );
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
    const booked = post(opened, fillEntry(opened, { ...before, keeps }, null));
    const direct = post(opened, fillEntry(opened, { ...after, keeps }, null));
    const entry = correctionEntry(before, after, keeps);
    expect(entry.lines).toEqual([
      { asset: 'INR', account: 'wallet', side: 'credit', amount: amt('500') },
      { asset: 'INR', account: 'tax-withheld', side: 'debit', amount: amt('500') },
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
    const flow = { account, asset: 'INR', walletChange: amt(change), fee: amt(fee), reference: 'r1' };
    expect(shown(post(EMPTY_LEDGER, externalFlowEntry(flow)))).toEqual(rows);
  });

  test('refuses what does not balance, and reserved money of no intent', () => {
    const source = { kind: 'opening' } as const;
    const line = { asset: 'INR', side: 'debit', amount: amt('1') } as const;
    const credit = { ...line, side: 'credit', account: 'opening' } as const;
    const refused: [Entry, string][] = [
      [{ lines: [{ ...line, account: 'wallet' }], memo: 'half', source }, "Entry 'half' is off by 1 INR."],
      [
        {
          lines: [
            { ...line, account: 'wallet' },
            { ...credit, asset: 'BTC' },
          ],
          memo: 'mixed',
          source,
        },
        "Entry 'mixed' is off by 1 INR.",
      ],
      [
        { lines: [{ ...line, account: 'reserved' }, credit], memo: 'loose', source },
        "Entry 'loose' moves reserved INR of no intent.",
      ],
      [
        { lines: [{ ...line, account: 'wallet', amount: negate(line.amount) }], memo: 'minus', source },
        "A line of 'minus' has -1 INR.",
      ],
      [
        { lines: [], memo: 'said', source, reservation: { intentId: buying, asset: 'INR', amount: amt('5') } },
        "Entry 'said' moves 0 of reserved, its reservation asks for 5.",
      ],
    ];
    for (const [entry, message] of refused) expect(() => post(opened, entry)).toThrow(message);
    const reserved = post(opened, reserveEntry(opened, { intentId: buying, asset: 'INR', amount: amt('5') }));
    const other = { intentId: buying, asset: 'BTC', amount: amt('5') };
    expect(() => post(reserved, reserveEntry(reserved, other))).toThrow('Intent i-1 reserves INR, not BTC.');
  });

  test('reports what went below zero', () => {
    const ledger = post(opened, reserveEntry(opened, { intentId: buying, asset: 'INR', amount: amt('1000000.5') }));
    expect(negativeBalances(opened)).toEqual([]);
    expect(negativeBalances(ledger)).toEqual([{ asset: 'INR', account: 'wallet', balance: amt('-0.5') }]);
  });

  test('knows when memory is broken', () => {
    const wallet = new Map([['wallet' as const, amt('1')]]);
    expect(isConsistent(opened)).toBe(true);
    expect(isConsistent({ ...opened, balances: new Map([['INR', wallet]]) })).toBe(false);
    const loose = { intentId: buying, asset: 'INR', amount: amt('1') };
    expect(isConsistent({ ...opened, reservations: new Map([[buying, loose]]) })).toBe(false);
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
const intent = fc.integer({ min: 1, max: 4 }).map((n) => intentId(`i-${n}`));
const step = fc.oneof(
  fc.record({ kind: fc.constant('opening' as const), asset, amount: amounts }),
  fc.record({ kind: fc.constant('reserve' as const), intent, amount: amounts }),
  fc.record({ kind: fc.constant('release' as const), intent }),
  fc.record({
    kind: fc.constant('fill' as const),
    fill: anyFill,
    origin: fc.constantFrom<FillOrigin>('strategy', 'manual', 'conversion'),
    after: fc.option(fc.record({ intent, amount: amounts })),
    corrected: fc.option(anyFill),
  }),
  fc.record({ kind: fc.constant('flow' as const), asset, amount: amounts, fee: amounts, out: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The entries of one step, and what each asset of the wallet must change by: counted without the ledger. */
function entriesOf(ledger: Ledger, one: Step): { entries: Entry[]; wallet: [string, bigint][] } {
  switch (one.kind) {
    case 'opening':
      return { entries: [openingEntry(new Map([[one.asset, one.amount]]))], wallet: [[one.asset, one.amount]] };
    case 'reserve':
      return {
        entries: [reserveEntry(ledger, { intentId: one.intent, asset: 'INR', amount: one.amount })],
        wallet: [],
      };
    case 'release': {
      const entry = releaseEntry(ledger, one.intent);
      return { entries: entry ? [entry] : [], wallet: [] };
    }
    case 'fill': {
      const after = one.after && { intentId: one.after.intent, asset: 'INR', amount: one.after.amount };
      const booking = { fill: one.fill, origin: one.origin };
      const correction = one.corrected && { fill: one.corrected, origin: one.origin };
      const entries = [fillEntry(ledger, { ...booking, keeps }, after)];
      if (correction) entries.push(correctionEntry(booking, correction, keeps));
      return { entries, wallet: naive(correction ? correction.fill : one.fill) };
    }
    case 'flow': {
      const walletChange = one.out ? negate(one.amount) : one.amount;
      const flow = {
        account: 'external:deposit',
        asset: one.asset,
        walletChange,
        fee: one.fee,
        reference: 'r',
      } as const;
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
  test('every entry balances, the total is the naive sum, and reserved is what intents reserve', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let ledger = EMPTY_LEDGER;
        const wallet = new Map<string, bigint>();
        const reserved = new Map<string, Amount>();
        const paid = { fees: 0n, tax: 0n };
        for (const one of steps) {
          const { entries, wallet: changes } = entriesOf(ledger, one);
          for (const entry of entries) {
            expect([...imbalanceOf(entry.lines).values()].every((sum) => sum === 0n)).toBe(true);
            ledger = post(ledger, entry);
          }
          for (const [name, by] of changes) wallet.set(name, (wallet.get(name) ?? 0n) + by);
          if (one.kind === 'reserve') reserved.set(one.intent, one.amount);
          if (one.kind === 'release') reserved.delete(one.intent);
          if (one.kind === 'fill' && one.after) reserved.set(one.after.intent, one.after.amount);
          const fill = one.kind === 'fill' ? (one.corrected ?? one.fill) : null;
          if (fill?.commissionAsset === 'INR') paid.fees += fill.commission;
          paid.fees += one.kind === 'flow' && one.asset === 'INR' ? one.fee : 0n;
          paid.tax += fill?.tds ?? 0n;
        }
        for (const name of ASSETS) expect(expectedTotal(ledger, name)).toBe(wallet.get(name) ?? 0n);
        expect(balanceOf(ledger, 'INR', 'reserved')).toBe([...reserved.values()].reduce(add, amt('0')));
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
        steps.reduce((ledger, one) => entriesOf(ledger, one).entries.reduce(post, ledger), opened);
        expect(opened).toEqual(before);
      }),
    );
  });
});
