// Deposits and withdrawals (specification 2.10, 2.11): unknown → transfers. Unlisted words stay as written.
import type { Asset } from '../../domain/instrument.ts';
import { allOf, fail, mapped, ok, type Result } from '../../domain/result.ts';
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
  tickerField,
  timeField,
} from './fields.ts';

/** Filters of a list: its direction by the path, the rest by parameters. */
export interface TransfersPage {
  readonly direction: TransferDirection;
  readonly asset?: Asset | undefined;
  readonly status?: FiatTransferStatus | undefined;
}

/**
 * Rows in the order of the answer. An unknown hash or address is `null`; an absent network is an empty text, as for
 * transfers inside the venue.
 */
export function parseCryptoTransfers(body: unknown, page: TransfersPage): Result<Parsed<readonly CryptoTransfer[]>> {
  const parsed = parseRows(body, (row) => cryptoTransferOf(row, page.direction));
  return mapped(parsed, (transfers) => answering(asAsked(transfers, page), page.asset, ({ asset }) => asset));
}

/** Rows in the order of the answer. An absent reference is an empty text. */
export function parseFiatTransfers(body: unknown, page: TransfersPage): Result<Parsed<readonly FiatTransfer[]>> {
  const parsed = parseRows(body, (row) => fiatTransferOf(row, page.direction));
  return mapped(parsed, (transfers) => asAsked(transfers, page));
}

function asAsked<T extends CryptoTransfer | FiatTransfer>(
  answer: Parsed<readonly T[]>,
  page: TransfersPage,
): Parsed<readonly T[]> {
  const ofDirection = answering(answer, page.direction, ({ direction }) => direction);
  return answering(ofDirection, page.status, ({ status }) => status);
}

function cryptoTransferOf(row: RawObject, asked: TransferDirection): Result<CryptoTransfer> {
  const read = allOf({
    shared: sharedOf(row, asked, CRYPTO_STATUSES),
    asset: tickerField(row, 'asset'),
    amount: positiveField(row, 'cryptoAmount'),
    transactionHash: optionalText(row, 'transactionHash'),
    network: mapped(optionalText(row, 'network'), orEmpty),
    fromAddress: optionalText(row, 'fromAddress'),
    toAddress: optionalText(row, 'toAddress'),
  });
  return mapped(read, ({ shared, ...rest }) => ({ ...shared, ...rest }));
}

function fiatTransferOf(row: RawObject, asked: TransferDirection): Result<FiatTransfer> {
  const read = allOf({
    shared: sharedOf(row, asked, FIAT_STATUSES),
    amount: positiveField(row, 'amount'),
    referenceId: mapped(optionalText(row, 'referenceId'), orEmpty),
  });
  return mapped(read, ({ shared, ...rest }) => ({ ...shared, ...rest }));
}

const orEmpty = (text: string | null): string => text ?? '';

type Shared<Status> = Pick<CryptoTransfer, 'direction' | 'statusText' | 'venueTime' | 'fee'> & {
  readonly status: Status | 'other';
};

function sharedOf<Status extends FiatTransferStatus>(
  row: RawObject,
  asked: TransferDirection,
  statuses: readonly Status[],
): Result<Shared<Status>> {
  const read = allOf({
    direction: directionOf(row, asked),
    statusText: textField(row, 'status'),
    venueTime: timeField(row, 'time'),
    fee: chargeField(row, 'fee'),
  });
  return mapped(read, (shared) => ({
    ...shared,
    status: statuses.find((status) => status === shared.statusText.toLowerCase()) ?? 'other',
  }));
}

const CRYPTO_STATUSES: readonly CryptoTransferStatus[] = ['success', 'pending', 'failed'];
const FIAT_STATUSES: readonly FiatTransferStatus[] = [...CRYPTO_STATUSES, 'rejected'];

/** From the row's own word, else from the list's path. */
function directionOf({ action }: RawObject, asked: TransferDirection): Result<TransferDirection> {
  if (isAbsent(action)) return ok(asked);
  const word = typeof action === 'string' ? action.toLowerCase() : '';
  if (word === 'deposit' || word === 'withdrawal') return ok(word);
  return fail(`field "action" is ${shown(action)}, not Deposit or Withdrawal`);
}
