// What the wallet locks for others is not there to be quoted, whatever it is locked for and wherever a row shows it.
import { expect, test } from '@jest/globals';
import type { Balance } from '../../../../src/domain/balance.ts';
import { type Decimal, decimal } from '../../../../src/domain/decimal.ts';
import { decisionInputsOf } from '../../../../src/trader/decision/view.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { ASSUMPTIONS, BTC, deskSettings } from '../desk-settings.ts';
import { quotingDesk, readNow, walletRow } from '../trader-kit.ts';

const NINE_TENTHS = decimal('0.9');

/** Nine tenths of the base stand in these fields of its row, and the rest in `free`: what share is not free then. */
function shareTaken(place: keyof Balance | readonly (keyof Balance)[], isIncluded: boolean): string {
  const desk = quotingDesk(deskSettings({ assumptions: { ...ASSUMPTIONS, lockedIncludesStakingAndOtc: isIncluded } }));
  const held = decisionInputsOf(desk.state(), marketOf(desk.state(), BTC)).base;
  const taken = held.total.mul(NINE_TENTHS);
  const locked = (row: Balance): Balance => {
    const beside = Object.fromEntries([place].flat().map((field) => [field, (row[field] as Decimal).add(taken)]));
    return { ...row, free: row.free.sub(taken), ...beside };
  };
  desk.reply = ({ kind }) =>
    kind === 'wallet'
      ? readNow(
          desk,
          Object.entries(desk.shows.balances).map(([asset, total]) => {
            const row = walletRow(asset, total, desk.shows.orders);
            return asset === held.asset ? locked(row) : row;
          }),
        )
      : undefined;
  desk.look('wallet');
  const { free, total } = decisionInputsOf(desk.state(), marketOf(desk.state(), BTC)).base;
  expect(total).toEqual(held.total);
  return held.free.sub(free).div(held.total).toFixed();
}

test.each<[string, Parameters<typeof shareTaken>[0], boolean]>([
  ['for orders of others', 'locked', true],
  ['for a fixed deposit', 'lockedFd', true],
  ['for staking, apart', 'lockedStaking', false],
  ['for OTC, apart', 'lockedOtc', false],
  ['for staking, which `locked` includes', ['locked', 'lockedStaking'], true],
  ['for OTC, which `locked` includes', ['locked', 'lockedOtc'], true],
])('nine tenths that are locked %s are not free', (_what, place, isIncluded) => {
  expect(shareTaken(place, isIncluded)).toBe('0.9');
});
