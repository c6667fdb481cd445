// Mutants of what is booked: own trades, ids, amounts, fees, and the owner's money.
import { bySeed, type Mutant } from './mutant-row.ts';

export const MONEY_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm10',
      sentence: 'Own trades are told apart by price, quantity and time, not by their ids.',
      patches: [
        {
          file: 'src/trader/apply-fill.ts',
          from: 'const left = id === null',
          to: `const recent = durable.tallies.get(fill.symbol)?.recent ?? [];
  const isBooked = recent.some(
    ({ fill: { price, quantity, venueTime } }) =>
      price.eq(fill.price) && quantity.eq(fill.quantity) && venueTime === fill.venueTime,
  );
  if (isBooked) {
    durable.booked = bookTrade(durable.booked, booking);
    return advanceCursor(durable, fill);
  }
  const left = id === null`,
        },
      ],
    },
    { under: ['F51'], seed: 1, invariant: 'L4' },
  ),

  bySeed(
    {
      id: 'm11',
      sentence: 'Own trades are read from after the last one known, with nothing to prove that the pages join.',
      patches: [
        {
          file: 'src/trader/trades-page.ts',
          from: "return { by: 'from-id', fromId: lastKnown(state, symbol)?.tradeId ?? FIRST_ID };",
          to: "const last = lastKnown(state, symbol);\n  return { by: 'from-id', fromId: last === null ? FIRST_ID : tradeId(String(BigInt(last.tradeId) + 1n)) };",
        },
        {
          file: 'src/trader/trades-page.ts',
          from: "if (lastId === undefined) return { kind: full ? 'more' : 'complete' };",
          to: "if (lastId === undefined || filter.by === 'from-id') return { kind: full ? 'more' : 'complete' };",
        },
      ],
    },
    { under: ['F40'], seed: 0, invariant: 'R6' },
  ),

  bySeed(
    {
      id: 'm12',
      sentence: 'Money is added as floats.',
      patches: [
        {
          file: 'src/ledger/amount.ts',
          from: 'export const add = (a: Amount, b: Amount): Amount => amount(a + b);',
          to: `export const add = (a: Amount, b: Amount): Amount => {
  const sum = Number(amountText(a)) + Number(amountText(b));
  return amount(BigInt(new Decimal(sum).toFixed(AMOUNT_DECIMALS).replace('.', '')));
};`,
        },
      ],
    },
    { under: [], seed: 0, invariant: 'M1' },
  ),

  bySeed(
    {
      id: 'm13',
      sentence: 'Order ids are numbers.',
      patches: [
        {
          file: 'src/domain/ids.ts',
          from: 'export const orderId = (text: string): OrderId => text as OrderId;',
          to: 'export const orderId = (text: string): OrderId =>\n  text.replace(/\\d+/g, (digits) => String(Number(digits))) as OrderId;',
        },
      ],
    },
    { under: ['F15'], seed: 0, invariant: 'S5' },
  ),
  bySeed(
    {
      id: 'm13b',
      sentence: 'Trade ids are numbers.',
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
          from: "...moved(fill.commissionAsset, 'fees', held(fill.commissionAsset), fill.commission),",
          to: "...moved(fill.quote, 'fees', 'wallet', fill.commission),",
        },
      ],
    },
    { under: ['F49'], seed: 0, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm25',
      sentence: 'A deposit is booked as profit.',
      patches: [
        {
          file: 'src/ledger/wallet-entries.ts',
          from: '{ asset, account, by: negate(add(walletChange, fee)) },',
          to: "{ asset, account: account === 'external:deposit' ? 'trading' : account, by: negate(add(walletChange, fee)) },",
        },
      ],
    },
    { under: ['F52'], seed: 0, invariant: 'M6' },
  ),
  bySeed(
    {
      id: 'm25b',
      sentence: "The owner's own trades count as profit.",
      patches: [
        {
          file: 'src/ledger/fill-entries.ts',
          from: "manual: 'external:manual',",
          to: "manual: 'trading',",
        },
      ],
    },
    { under: ['F55'], seed: 2, invariant: 'M6' },
  ),
];
