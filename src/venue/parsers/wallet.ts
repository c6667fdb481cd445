// Wallet (specification 2.9): unknown → balances.
import type { Balance } from '../../domain/balance.ts';
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { amountField, optionalAmount, type Parsed, type RawObject, textField } from './fields.ts';
import { parseRows } from './rows.ts';

/** `free` and `locked` must be there; the other locks are zero where the venue states none. An asset may come once. */
export function parseWallet(body: unknown): Result<Parsed<readonly Balance[]>> {
  const seen = new Set<string>();
  return parseRows(body, (row) => {
    const balance = balanceOf(row);
    if (!balance.ok) return balance;
    const { asset } = balance.value;
    if (seen.has(asset)) return fail(`asset ${asset} came before`);
    seen.add(asset);
    return balance;
  });
}

function balanceOf(row: RawObject): Result<Balance> {
  const asset = textField(row, 'asset');
  if (!asset.ok) return asset;
  const free = amountField(row, 'free');
  if (!free.ok) return free;
  const locked = amountField(row, 'locked');
  if (!locked.ok) return locked;
  const lockedFd = lockOf(row, 'lockedFd');
  if (!lockedFd.ok) return lockedFd;
  const lockedStaking = lockOf(row, 'lockedStaking');
  if (!lockedStaking.ok) return lockedStaking;
  const lockedOtc = lockOf(row, 'lockedOtc');
  if (!lockedOtc.ok) return lockedOtc;
  return ok({
    asset: asset.value.toUpperCase(),
    free: free.value,
    locked: locked.value,
    lockedFd: lockedFd.value,
    lockedStaking: lockedStaking.value,
    lockedOtc: lockedOtc.value,
  });
}

function lockOf(row: RawObject, field: string): Result<Decimal> {
  const amount = optionalAmount(row, field);
  return amount.ok ? ok(amount.value ?? ZERO) : amount;
}
