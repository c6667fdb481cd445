// The eight lists of deposits and withdrawals as a test uses them: what the owner does, and what the client reads of
// it.
import { decimal } from '../../src/domain/decimal.ts';
import type { CryptoTransfer, FiatTransfer } from '../../src/domain/transfer.ts';
import type { ListLimit } from '../../src/venue/bounds.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { CryptoTransfersFilter, ReadKind, VenueRequest } from '../../src/venue/requests.ts';
import { type PaperClient, rowsOf } from './client-paper-client.ts';
import type { Act } from './client-paper-owner.ts';

export type CryptoKind = Extract<ReadKind, `crypto-${string}`>;
export type FiatKind = Extract<ReadKind, `fiat-${string}`>;
export type TransferKind = CryptoKind | FiatKind;
export type TransferAction = 'crypto-deposit' | 'crypto-withdrawal' | 'fiat-deposit' | 'fiat-withdrawal';

export interface Moved {
  readonly at: number;
  readonly amount?: string;
  readonly status?: 'pending' | 'success' | 'failed' | 'rejected';
  readonly asset?: string;
  readonly account?: string;
}

/** Crypto has a fee of 0.00000001 and one address, fiat a fee of 1.23 and a reference. */
export function moving(kind: TransferAction, moved: Moved): Act {
  const { at, amount = '0.12345678', status = 'success', asset = 'BTC', account = 'alice' } = moved;
  const money = { account, at, amount, status };
  if (kind === 'fiat-deposit' || kind === 'fiat-withdrawal')
    return { kind, ...money, fee: '1.23', referenceId: 'UTR-7' };
  const network = { asset, network: `${asset}-NET`, transactionHash: '0xf00', fromAddress: null, toAddress: 'bc1q' };
  return { kind, ...money, ...network, fee: '0.00000001' };
}

/** What the client must read of it. */
export function readOf(kind: TransferAction, moved: Moved): CryptoTransfer | FiatTransfer {
  const { at, amount = '0.12345678', status = 'success', asset = 'BTC' } = moved;
  const [means, word] = kind.split('-');
  const direction = word === 'deposit' ? 'deposit' : 'withdrawal';
  const shared = { direction, statusText: status.toUpperCase(), venueTime: at, amount: decimal(amount) } as const;
  if (means === 'fiat') return { ...shared, status, fee: decimal('1.23'), referenceId: 'UTR-7' };
  const known = status === 'rejected' ? 'other' : status;
  const network = { asset, network: `${asset}-NET`, transactionHash: '0xf00', fromAddress: null, toAddress: 'bc1q' };
  return { ...shared, status: known, fee: decimal('0.00000001'), ...network };
}

export interface TransferQuestion {
  readonly filter?: CryptoTransfersFilter;
  readonly limit?: ListLimit;
}

/** The rows of a list, which must be whole. Without a limit none is sent. */
export async function transfersOf(
  client: PaperClient,
  kind: TransferKind,
  { filter = { time: { by: 'all' } }, limit }: TransferQuestion = {},
): Promise<readonly (CryptoTransfer | FiatTransfer)[]> {
  return transferRows(await client.perform(transferRequest(client, kind, { filter, ...(limit && { limit }) })));
}

export function transferRequest(
  client: PaperClient,
  kind: TransferKind,
  { filter = { time: { by: 'all' } }, limit }: TransferQuestion,
): VenueRequest {
  return { kind, filter, ...(limit !== undefined && { limit }), stamp: client.stamp() };
}

function transferRows(completed: Completed): readonly (CryptoTransfer | FiatTransfer)[] {
  switch (completed.kind) {
    case 'crypto-deposits':
    case 'crypto-deposits-historical':
    case 'crypto-withdrawals':
    case 'crypto-withdrawals-historical':
      return rowsOf(completed.outcome);
    case 'fiat-deposits':
    case 'fiat-deposits-historical':
    case 'fiat-withdrawals':
    case 'fiat-withdrawals-historical':
      return rowsOf(completed.outcome);
    default:
      throw new Error(`${completed.kind} is no list of transfers.`);
  }
}
