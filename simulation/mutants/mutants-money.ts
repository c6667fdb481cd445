// Mutants of what is booked: own trades, ids, amounts, fees, and the owner's money.
import { bySeed, type Mutant } from './mutant-row.ts';

export const MONEY_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm10',
      sentence: 'Own trades are told apart by price, quantity and time, not by their ids.',
      patches: [
        {
          in: 'applyFill',
          find: 'const left = $FILLED',
          put: `const isBooked = marketToChange(durable, fill.symbol).tally.recent.some(
    ({ fill: { price, quantity, venueTime } }) =>
      price.eq(fill.price) && quantity.eq(fill.quantity) && venueTime === fill.venueTime,
  );
  if (isBooked) {
    durable.books.booked = bookTrade(durable.books.booked, booking);
    return advanceCursor(marketToChange(durable, fill.symbol), fill);
  }
  const left = $FILLED;`,
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
          in: 'tradesFilter',
          find: "return { by: 'from-id', fromId: lastKnown(state, symbol)?.tradeId ?? FIRST_ID }",
          put: `const last = lastKnown(state, symbol);
  return { by: 'from-id', fromId: last === null ? FIRST_ID : tradeId(String(BigInt(last.tradeId) + 1n)) };`,
        },
        {
          in: 'judgeAndNotePage',
          find: 'if (lastId === undefined) return $VERDICT',
          put: "if (lastId === undefined || filter.by === 'from-id') return $VERDICT",
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
          in: 'add',
          beside: 'subtract',
          find: 'amount($A + $B)',
          put: `{
  const sum = Number(amountText($A)) + Number(amountText($B));
  return amount(BigInt(new Decimal(sum).toFixed(AMOUNT_DECIMALS).replace('.', '')));
}`,
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
          in: 'orderId',
          beside: 'tradeId',
          find: '$TEXT as OrderId',
          put: '$TEXT.replace(/\\d+/g, (digits) => String(Number(digits))) as OrderId',
        },
      ],
    },
    { under: ['F15'], seed: 0, invariant: 'S5' },
  ),
  bySeed(
    {
      id: 'm13b',
      sentence: 'Trade ids are numbers.',
      patches: [{ in: 'tradeId', find: '$TEXT as TradeId', put: 'String(Number($TEXT)) as TradeId' }],
    },
    { under: ['F15'], seed: 0, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm20',
      sentence: 'The fee is assumed to be in the quote asset.',
      patches: [
        {
          in: 'fillChanges',
          find: "moved(fill.commissionAsset, 'fees', $ACCOUNT, fill.commission)",
          put: "moved(fill.quote, 'fees', 'wallet', fill.commission)",
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
          in: 'externalFlowEntry',
          find: 'linesOf([$WALLET, $FEES, { asset, account, by: $BY }])',
          put: `linesOf([
            $WALLET,
            $FEES,
            { asset, account: account === 'external:deposit' ? 'trading' : account, by: $BY },
          ])`,
        },
      ],
    },
    { under: ['F52'], seed: 0, invariant: 'M6' },
  ),
  bySeed(
    {
      id: 'm25b',
      sentence: "The owner's own trades count as profit.",
      patches: [{ in: 'COUNTERPART', find: "manual: 'external:manual'", put: "manual: 'trading'" }],
    },
    { under: ['F55'], seed: 2, invariant: 'M6' },
  ),
];
