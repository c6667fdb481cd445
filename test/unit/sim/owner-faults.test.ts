// What the owner does by hand, at a real exchange: locks of every kind.
import { expect, test } from '@jest/globals';
import { randomStream } from '../../../src/crowd/random.ts';
import { createExchange } from '../../../src/paper/exchange.ts';
import { walletRow } from '../../../src/paper/wallet-row.ts';
import { ACCOUNT, paperSettings } from '../../../src/sim/configuration.ts';
import type { OwnerFault } from '../../../src/sim/fault-kinds.ts';
import { createOracle } from '../../../src/sim/oracle.ts';
import { createOwner } from '../../../src/sim/owner-faults.ts';
import { drawPlan } from '../../../src/sim/plan.ts';

const AT = Date.UTC(2026, 0, 1);

/** An owner's account, after he has done something a number of times. */
function after(fault: OwnerFault, times: number) {
  const plan = drawPlan('1', { quirks: {} });
  const exchange = createExchange(paperSettings(plan), AT);
  const act = createOwner({
    account: ACCOUNT,
    plan,
    oracle: createOracle(ACCOUNT),
    exchange: () => exchange,
    now: () => AT,
    later: () => {},
  });
  const stream = randomStream('1', 'test');
  const came = Array.from({ length: times }, () => act(fault, stream)).filter(Boolean).length;
  return { exchange, came };
}

test('locks are in every pocket that the wallet may count or not (Q12)', () => {
  const { exchange, came } = after('lock-funds', 40);
  expect(came).toBe(40);
  const row = walletRow(exchange, ACCOUNT, 'INR');
  expect([row.locked, row.lockedStaking, row.lockedOtc].filter((amount) => amount === '0')).toEqual([]);
});
