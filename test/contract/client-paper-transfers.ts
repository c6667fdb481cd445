// Deposits and withdrawals of the owner.
import type { Act } from './client-paper-owner.ts';

export type TransferAction = 'crypto-deposit' | 'crypto-withdrawal' | 'fiat-deposit' | 'fiat-withdrawal';

interface Moved {
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
