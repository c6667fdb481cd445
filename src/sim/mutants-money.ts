// Mutants of what is booked: own trades, ids, amounts, fees, and the owner's money.
import { bySeed, type Mutant } from './mutant-row.ts';

export const MONEY_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm10',
      sentence: 'Two trades are taken for one (the last digit of their ids alone counts).',
      patches: [
        {
          file: 'src/ledger/booked-trades.ts',
          from: 'id.replace(/^0+(?=',
          to: 'id.slice(-1).replace(/^0+(?=',
        },
      ],
    },
    { under: ['F40'], seed: 0, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm11',
      sentence: 'Own trades are read from after the last one known, with nothing to prove that the pages join.',
      patches: [
        {
          file: 'src/trader/observe-trades.ts',
          from: "return { by: 'from-id', fromId: lastKnown(state, symbol)?.tradeId ?? FIRST_ID };",
          to: "const last = lastKnown(state, symbol); return { by: 'from-id', fromId: last ? (String(BigInt(last.tradeId) + 2n) as never) : FIRST_ID };",
        },
      ],
    },
    { under: ['F40'], seed: 0, invariant: 'L3' },
  ),
  bySeed(
    {
      id: 'm12',
      sentence: 'Money is rounded to a float.',
      patches: [
        {
          file: 'src/ledger/amount.ts',
          from: 'BigInt(decimal.toFixed(AMOUNT_DECIMALS)',
          to: 'BigInt(new Decimal(Math.fround(decimal.toNumber())).toFixed(AMOUNT_DECIMALS)',
        },
      ],
    },
    { under: [], seed: 0, invariant: 'M5' },
  ),
  bySeed(
    {
      id: 'm13',
      sentence: 'Ids are numbers.',
      patches: [
        {
          file: 'src/domain/ids.ts',
          from: 'export const tradeId = (text: string): TradeId => text as TradeId;',
          to: 'export const tradeId = (text: string): TradeId => String(Number(text)) as TradeId;',
        },
      ],
    },
    { under: ['F15'], seed: 0, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm20',
      sentence: 'The fee is assumed to be in the quote asset.',
      patches: [
        {
          file: 'src/ledger/fill-entries.ts',
          from: "...moved(fill.commissionAsset, 'fees', 'wallet', fill.commission),",
          to: "...moved(fill.quote, 'fees', 'wallet', fill.commission),",
        },
      ],
    },
    { under: ['F49'], seed: 0, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm25',
      sentence: "The owner's money counts as profit.",
      patches: [
        {
          file: 'src/ledger/fill-entries.ts',
          from: "manual: 'external:manual',",
          to: "manual: 'trading',",
        },
      ],
    },
    { under: ['F55'], seed: 0, invariant: 'M6' },
  ),
];
