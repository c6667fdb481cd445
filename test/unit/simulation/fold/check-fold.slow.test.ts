// A bot whose state is made to say something else some minutes after its start: B1 notices it.
import { describe, expect, test } from '@jest/globals';
import { INVARIANTS } from '../../../../simulation/checks/invariants.ts';
import { START_AT } from '../../../../simulation/machine/run.ts';
import { simulate } from '../../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { ZERO } from '../../../../src/domain/decimal.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import type { Amount } from '../../../../src/ledger/amount.ts';
import type { Account } from '../../../../src/ledger/entry.ts';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import type { TraderState } from '../../../../src/trader/state/state.ts';

const PLAN = drawPlan('7', { hours: 0.25, faults: [] });

/** Changes one open order in place of the record that would have said so. */
const order =
  (change: (intent: Intent) => Partial<Intent>) =>
  ({ durable }: TraderState): void => {
    const { intents } = durable.orders;
    const open = [...intents.values()].find(({ state }) => state === 'open');
    if (open !== undefined) intents.set(open.intentId, { ...open, ...change(open) });
  };

/** A unit of what one order reserves is free again: every account still fits every other. */
function reserve({ durable }: TraderState): void {
  const { ledger } = durable.books;
  const [first] = ledger.reservations;
  if (first === undefined) return;
  const [intentId, reservation] = first;
  const { asset, amount } = reservation;
  const accounts = ledger.balances.get(asset) ?? new Map<Account, Amount>();
  const moved = (account: Account, by: bigint): [Account, Amount] => [
    account,
    ((accounts.get(account) ?? 0n) + by) as Amount,
  ];
  const reservations = new Map(ledger.reservations).set(intentId, { ...reservation, amount: (amount - 1n) as Amount });
  const kept = new Map([...accounts, moved('reserved', -1n), moved('wallet', 1n)]);
  durable.books.ledger = { ...ledger, reservations, balances: new Map(ledger.balances).set(asset, kept) };
}

const CORRUPTIONS: readonly (readonly [string, (state: TraderState) => void])[] = [
  ['the filled part', order(({ filled, quantity }) => ({ filled: filled.add(quantity.div(2)) }))],
  ['the open notional', order(() => ({ quantity: ZERO }))],
  ['the state', order(() => ({ state: 'unknown' }))],
  ['the reservation', reserve],
];

describe('a bot that is wrong about', () => {
  test.each(CORRUPTIONS)('%s', async (what, corrupt) => {
    const { violations } = await simulate(PLAN, {
      stopAtFirst: true,
      // Others may see the same sooner.
      unasked: INVARIANTS.filter((invariant) => invariant !== 'B1'),
      watch(context) {
        const trader = context.trader();
        if (trader !== null && context.now() > START_AT + 3 * MINUTE) corrupt(trader);
      },
    });
    const [first] = violations;
    expect(first?.sentence).toContain(`for ${what}`);
  });
});

test('a bot that is left alone is right', async () => {
  const { violations, counters } = await simulate(PLAN);
  expect(violations).toEqual([]);
  expect(counters.get('compared with the fold')).toBeGreaterThan(100);
});
