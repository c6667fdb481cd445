// Mutants of the worst case: orders that leave, and creates that are on their way, forgotten in one sum each.
import { bySeed, type Mutant, type Patch } from './mutant-row.ts';

type Forgotten = 'leaving' | 'pending';
const WORDS: Readonly<Record<Forgotten, string>> = {
  leaving: 'What leaves does not count',
  pending: 'What is on its way, or unknown, does not count',
};
const without = (orders: string, status: Forgotten): string =>
  `${orders}.filter(({ status }) => status !== '${status}')`;

interface Sum {
  readonly number: number;
  readonly where: string;
  readonly patches: (status: Forgotten) => readonly Patch[];
}

const SUMS: readonly Sum[] = [
  {
    number: 33,
    where: 'in funds',
    patches: (status) => [
      {
        in: 'checkFunds',
        find: 'const available = minOf($$$FREE).sub(reserve)',
        put: `const forgotten = context.orders.filter((order) => order.status === '${status}');
  const available = minOf($$$FREE)
    .add(sumOf(forgotten, request.side, fundsLocked))
    .sub(reserve);`,
      },
    ],
  },
  {
    number: 34,
    where: 'in inventory',
    patches: (status) => [
      {
        in: 'checkBase',
        find: 'exposedOf(orders, side)',
        put: `exposedOf(${without('orders', status)}, side)`,
      },
    ],
  },
  {
    number: 35,
    where: 'in open notional',
    patches: (status) => [
      {
        in: 'checkOpenOrders',
        find: 'openNotionalOf(orders)',
        put: `openNotionalOf(${without('orders', status)})`,
      },
      {
        in: 'checkOpenOrders',
        find: 'const everywhere = maxOf(totals.openNotional, open).add(notional)',
        put: `const forgotten = orders.filter((order) => order.status === '${status}');
  const everywhere = maxOf(totals.openNotional.sub(openNotionalOf(forgotten)), open).add(notional);`,
      },
    ],
  },
  {
    number: 36,
    where: 'in the number of open orders',
    patches: (status) => [
      {
        in: 'checkOpenOrders',
        find: 'const count = orders.length + 1',
        put: `const count = ${without('orders', status)}.length + 1`,
      },
      {
        in: 'checkOpenOrders',
        find: 'totals.openOrders + 1 > maxOpenOrdersOverAll',
        put: 'totals.openOrders - orders.length + count > maxOpenOrdersOverAll',
      },
    ],
  },
  {
    number: 37,
    where: 'where our own orders would meet',
    patches: (status) => [
      { in: 'checkSelfCross', find: 'orders.find($MEETS)', put: `${without('orders', status)}.find($MEETS)` },
      {
        in: 'guardSelfCross',
        find: "innermostOf('sell', $DRAFT.live)",
        put: `innermostOf('sell', ${without('$DRAFT.live', status)})`,
      },
      {
        in: 'guardSelfCross',
        find: '[...$BIDS.live, ...$BIDS.quotes]',
        put: `[...${without('$BIDS.live', status)}, ...$BIDS.quotes]`,
      },
    ],
  },
];

const TRIES = 8;

interface Found {
  readonly seed: number;
  readonly invariant: 'K2' | 'K3' | 'K4' | 'K8' | 'M9';
}

/** A seed of the tight profile that notices each, where nothing else is as it was one of those after it. */
const FOUND: Readonly<Record<string, Found>> = {
  m33: { seed: 0, invariant: 'K8' },
  m33b: { seed: 0, invariant: 'M9' },
  m34: { seed: 1, invariant: 'K2' },
  m34b: { seed: 1, invariant: 'K2' },
  m35: { seed: 3, invariant: 'K3' },
  m35b: { seed: 3, invariant: 'K3' },
  m36: { seed: 0, invariant: 'K3' },
  m36b: { seed: 1, invariant: 'K3' },
  m37: { seed: 0, invariant: 'K4' },
  m37b: { seed: 4, invariant: 'K4' },
};

/** Creates whose answer is lost or late: what is unknown for a moment only is rarely beside another create. */
const UNANSWERED = ['F01', 'F02', 'F09'] as const;

const mutantOf = ({ number, where, patches }: Sum, status: Forgotten): Mutant => {
  const id = status === 'leaving' ? (`m${number}` as const) : (`m${number}b` as const);
  const found = FOUND[id];
  if (found === undefined) throw new Error(`No seed is recorded for ${id}.`);
  return bySeed(
    { id, sentence: `${WORDS[status]} ${where}.`, patches: patches(status) },
    { profile: 'tight', under: status === 'leaving' ? null : UNANSWERED, tries: TRIES, ...found },
  );
};

export const EXPOSURE_MUTANTS: readonly Mutant[] = SUMS.flatMap((sum) => [
  mutantOf(sum, 'leaving'),
  mutantOf(sum, 'pending'),
]);
