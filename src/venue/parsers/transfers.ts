// Deposits and withdrawals (specification 2.10, 2.11): unknown → transfers. Words that are not listed stay as written.
import type { Asset } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type {
  CryptoTransfer,
  CryptoTransferStatus,
  FiatTransfer,
  FiatTransferStatus,
  TransferDirection,
} from '../../domain/transfer.ts';
import {
  answering,
  chargeField,
  isAbsent,
  optionalText,
  type Parsed,
  parseRows,
  positiveField,
  type RawObject,
  shown,
  textField,
  timeField,
} from './fields.ts';

/** What a list was asked for: its direction by the path, the rest by parameters. */
export interface TransfersPage {
  readonly direction: TransferDirection;
  readonly asset?: Asset;
  readonly status?: FiatTransferStatus;
}

/**
 * Rows in the order of the answer. A hash or address that is not known yet is `null`; a network that is not stated is
 * an empty text, as inside the venue there is none.
 */
export function parseCryptoTransfers(body: unknown, page: TransfersPage): Result<Parsed<readonly CryptoTransfer[]>> {
  const parsed = parseRows(body, (row) => cryptoTransferOf(row, page.direction));
  if (!parsed.ok) return parsed;
  const ofAsset = { asked: page.asset, about: ({ asset }: CryptoTransfer) => asset, holds: 'transfers of' };
  return ok(answering(asAsked(parsed.value, page), ofAsset));
}

/** Rows in the order of the answer. A reference that is not stated is an empty text. */
export function parseFiatTransfers(body: unknown, page: TransfersPage): Result<Parsed<readonly FiatTransfer[]>> {
  const parsed = parseRows(body, (row) => fiatTransferOf(row, page.direction));
  return parsed.ok ? ok(asAsked(parsed.value, page)) : parsed;
}

type AnyTransfer = CryptoTransfer | FiatTransfer;

function asAsked<T extends AnyTransfer>(answer: Parsed<readonly T[]>, page: TransfersPage): Parsed<readonly T[]> {
  const direction = answering(answer, { asked: page.direction, about: (row) => row.direction, holds: 'a' });
  return answering(direction, {
    asked: page.status,
    about: (row) => row.status,
    what: 'status ',
    holds: 'one of status',
  });
}

function cryptoTransferOf(row: RawObject, asked: TransferDirection): Result<CryptoTransfer> {
  const shared = sharedOf(row, asked, CRYPTO_STATUSES);
  if (!shared.ok) return shared;
  const asset = textField(row, 'asset');
  if (!asset.ok) return asset;
  const amount = positiveField(row, 'cryptoAmount');
  if (!amount.ok) return amount;
  const transactionHash = optionalText(row, 'transactionHash');
  if (!transactionHash.ok) return transactionHash;
  const network = optionalText(row, 'network');
  if (!network.ok) return network;
  const fromAddress = optionalText(row, 'fromAddress');
  if (!fromAddress.ok) return fromAddress;
  const toAddress = optionalText(row, 'toAddress');
  if (!toAddress.ok) return toAddress;
  return ok({
    ...shared.value,
    asset: asset.value.toUpperCase(),
    amount: amount.value,
    transactionHash: transactionHash.value,
    network: network.value ?? '',
    fromAddress: fromAddress.value,
    toAddress: toAddress.value,
  });
}

function fiatTransferOf(row: RawObject, asked: TransferDirection): Result<FiatTransfer> {
  const shared = sharedOf(row, asked, FIAT_STATUSES);
  if (!shared.ok) return shared;
  const amount = positiveField(row, 'amount');
  if (!amount.ok) return amount;
  const referenceId = optionalText(row, 'referenceId');
  if (!referenceId.ok) return referenceId;
  return ok({ ...shared.value, amount: amount.value, referenceId: referenceId.value ?? '' });
}

type Shared<Status> = Pick<CryptoTransfer, 'direction' | 'statusText' | 'venueTime' | 'fee'> & {
  readonly status: Status | 'other';
};

function sharedOf<Status extends FiatTransferStatus>(
  row: RawObject,
  asked: TransferDirection,
  statuses: readonly Status[],
): Result<Shared<Status>> {
  const direction = directionOf(row, asked);
  if (!direction.ok) return direction;
  const statusText = textField(row, 'status');
  if (!statusText.ok) return statusText;
  const venueTime = timeField(row, 'time');
  if (!venueTime.ok) return venueTime;
  const fee = chargeField(row, 'fee');
  if (!fee.ok) return fee;
  return ok({
    direction: direction.value,
    status: statuses.find((status) => status === statusText.value.toLowerCase()) ?? 'other',
    statusText: statusText.value,
    venueTime: venueTime.value,
    fee: fee.value,
  });
}

const CRYPTO_STATUSES: readonly CryptoTransferStatus[] = ['success', 'pending', 'failed'];
const FIAT_STATUSES: readonly FiatTransferStatus[] = [...CRYPTO_STATUSES, 'rejected'];

/** By the row's own word; where it has none, the list's path has said it. */
function directionOf({ action }: RawObject, asked: TransferDirection): Result<TransferDirection> {
  if (isAbsent(action)) return ok(asked);
  const word = typeof action === 'string' ? action.toLowerCase() : '';
  if (word === 'deposit' || word === 'withdrawal') return ok(word);
  return fail(`field "action" is ${shown(action)}, not Deposit or Withdrawal`);
}
