// Deposits and withdrawals by the world: pending, then ended in some way; their rows keep their time.
import { plain } from '../../domain/decimal.ts';
import { allOf, fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { FEES_ACCOUNT } from '../../matching/engine.ts';
import type { AccountName, Posting } from '../../matching/types.ts';
import { giveBack, post, setAside } from '../engine/engine-step.ts';
import { type AccountRecord, recordChange, TRANSFERS_MAX } from '../state/account-record.ts';
import { pocketOf } from '../state/amounts.ts';
import { FIAT, knowAsset } from '../state/back-office.ts';
import {
  type ActionOf,
  moneyOf,
  type OwnerActionAnswer,
  type Transfer,
  type TransferDirection,
  type TransferId,
  type TransferMoney,
  type TransferStatus,
  type TransferWord,
} from '../state/owner-actions.ts';
import { type ExchangeState, ownTime } from '../state/state.ts';
import { DONE, knownAccount, momentOf, pay, unpayable, wholeUnits } from './money.ts';

type Begin = ActionOf<'crypto-deposit' | 'crypto-withdrawal' | 'fiat-deposit' | 'fiat-withdrawal'>;

const WORDS: Readonly<Record<TransferStatus, TransferWord>> = {
  pending: 'PENDING',
  success: 'SUCCESS',
  failed: 'FAILED',
  rejected: 'REJECTED',
};

/** A new row: pending, or ended from the beginning; a failed one moves no money. */
export function beginTransfer(state: ExchangeState, action: Begin): Result<OwnerActionAnswer> {
  const begun = readBegin(state, action);
  if (!begun.ok) return begun;
  const { record, money, at } = begun.value;
  const transfer = transferOf(state, action, at);
  const refusal = moveAtBegin(state, action.account, { transfer, money });
  if (refusal !== null) return fail(refusal);
  state.backOffice.nextTransfer += 1;
  knowAsset(state.backOffice, transfer.asset);
  store(state, record, transfer);
  return ok({ kind: 'transfer', transferId: transfer.transferId });
}

function readBegin(state: ExchangeState, action: Begin) {
  const { account, status, amount, fee } = action;
  const given = allOf({
    record: knownAccount(state, account),
    money: allOf({ amount: wholeUnits(state, amount, 'The amount'), fee: wholeUnits(state, fee, 'The fee') }),
    at: momentOf(state, action.at),
  });
  if (!given.ok) return given;
  if (status === 'rejected' && 'asset' in action) return fail('A crypto transfer fails; only one of INR is rejected.');
  if (given.value.record.transfers.size >= TRANSFERS_MAX) {
    return fail(`${account} has ${TRANSFERS_MAX} transfers, which is as many as are kept.`);
  }
  return given;
}

function transferOf(state: ExchangeState, action: Begin, at: EpochMs): Transfer {
  const number = state.backOffice.nextTransfer;
  const row = {
    transferId: `t${number}`,
    direction: directionOf(action),
    amount: plain(action.amount),
    fee: plain(action.fee),
    status: WORDS[action.status ?? 'pending'],
    at,
    time: ownTime(state, at),
  };
  if ('asset' in action) {
    const { asset, network, transactionHash, fromAddress, toAddress } = action;
    return { means: 'crypto', ...row, asset, network, transactionHash, fromAddress, toAddress };
  }
  const referenceId = action.referenceId ?? `REF${String(number).padStart(8, '0')}`;
  return { means: 'fiat', ...row, asset: FIAT, referenceId };
}

function directionOf({ kind }: Begin): TransferDirection {
  return kind === 'crypto-deposit' || kind === 'fiat-deposit' ? 'deposit' : 'withdrawal';
}

/** Makes the first status's transfer of money, or returns why it can't. */
function moveAtBegin(
  state: ExchangeState,
  account: AccountName,
  { transfer, money }: { readonly transfer: Transfer; readonly money: TransferMoney },
): string | null {
  const { direction, status, asset } = transfer;
  if (status === 'SUCCESS') return pay(state, successOf(transfer, money, account));
  if (status !== 'PENDING' || direction !== 'withdrawal') return null;
  const amount = money.amount + money.fee;
  const refusal = unpayable(state, [{ account, asset, amount: -amount }]);
  if (refusal === null) setAside(state, { account, asset, purpose: 'withdrawal', amount });
  return refusal;
}

/** A deposit brings amount and fee from outside, a withdrawal takes both from the payer; the exchange keeps the fee. */
function successOf(
  { direction, asset }: Transfer,
  { amount, fee }: TransferMoney,
  payer: AccountName,
): readonly Posting[] {
  const own = direction === 'deposit' ? amount : -(amount + fee);
  return [
    { account: payer, asset, amount: own },
    { account: FEES_ACCOUNT, asset, amount: fee },
  ];
}

export function endTransfer(state: ExchangeState, action: ActionOf<'end-transfer'>): Result<OwnerActionAnswer> {
  const found = findTransfer(state, action.transferId);
  if (!found.ok) return found;
  const { account, record, transfer } = found.value;
  const { transferId, status, direction, asset } = transfer;
  if (status !== 'PENDING') return fail(`Transfer ${transferId} has ended already: ${status}.`);
  if (action.outcome === 'rejected' && transfer.means === 'crypto') {
    return fail('A crypto transfer fails; only one of INR is rejected.');
  }
  const money = moneyOf(transfer, state.settings.engine.assetDecimals);
  const isWithdrawal = direction === 'withdrawal';
  if (action.outcome === 'success') {
    post(state, successOf(transfer, money, isWithdrawal ? pocketOf(account, 'withdrawal') : account));
  } else if (isWithdrawal) {
    giveBack(state, { account, asset, purpose: 'withdrawal', amount: money.amount + money.fee });
  }
  store(state, record, { ...transfer, status: WORDS[action.outcome] });
  return DONE;
}

export function nameTransaction(
  state: ExchangeState,
  { transferId, transactionHash }: ActionOf<'transaction-hash'>,
): Result<OwnerActionAnswer> {
  const found = findTransfer(state, transferId);
  if (!found.ok) return found;
  const { record, transfer } = found.value;
  if (transfer.means === 'fiat') return fail(`Transfer ${transferId} is of INR: it has no transaction hash.`);
  store(state, record, { ...transfer, transactionHash });
  return DONE;
}

/** Stores the row's new state; its list shows it after the lag. */
function store(state: ExchangeState, record: AccountRecord, transfer: Transfer): void {
  record.transfers.set(transfer.transferId, transfer);
  const change = { at: state.lastAt, key: transfer.transferId, row: transfer };
  recordChange(record.shownTransfers, change, state.controls.quirks.transfersLagMs);
  state.revision += 1;
}

function findTransfer({ accounts }: ExchangeState, transferId: TransferId) {
  for (const [account, record] of accounts) {
    const transfer = record.transfers.get(transferId);
    if (transfer) return ok({ account, record, transfer });
  }
  return fail(`There is no transfer ${transferId}.`);
}
