// What moves the money of a desk's account, and what the ledger makes of it.
import { decimal } from '../../../src/domain/decimal.ts';
import type { SbsTrade } from '../../../src/domain/fill.ts';
import { tradeId } from '../../../src/domain/ids.ts';
import type { CryptoTransfer, FiatTransfer } from '../../../src/domain/transfer.ts';
import { amountText } from '../../../src/ledger/amount.ts';
import type { Account } from '../../../src/ledger/ledger.ts';
import { balanceOf } from '../../../src/ledger/ledger.ts';
import { confirmedAmount } from '../../../src/trader/durable/books.ts';
import { BTC } from './desk-settings.ts';
import type { Desk } from './trader-kit.ts';

/** The balance of an account in the ledger, as text. */
export const account = (desk: Desk, asset: string, name: Account): string =>
  amountText(balanceOf(desk.state().durable.books.ledger, asset, name));

/** By what the wallet is confirmed to differ from the ledger, as text: positive where it holds more. */
export const differs = (desk: Desk, asset: string): string => {
  const confirmed = desk.state().durable.differences.byAsset.get(asset);
  return confirmed === undefined ? '0' : amountText(confirmedAmount(confirmed));
};

/** The wallet gains so much, or loses it, and nothing says why. */
export const move = (desk: Desk, asset: string, by: string): void => {
  desk.shows.balances[asset] = (desk.shows.balances[asset] ?? decimal(0)).add(by);
};

/**
 * A row of the lists of fiat transfers: a deposit of 5,000 INR that has come, if nothing else is given. It moves
 * nothing.
 */
export const fiat = (desk: Desk, given: Partial<FiatTransfer> = {}): void => {
  desk.shows.fiat.push({
    direction: 'deposit',
    status: 'success',
    statusText: 'SUCCESS',
    venueTime: desk.now(),
    fee: decimal(0),
    amount: decimal(5_000),
    referenceId: 'REF1',
    ...given,
  });
};

/**
 * A row of the lists of crypto transfers: a deposit of three ETH that has come, if nothing else is given. It moves
 * nothing.
 */
export const crypto = (desk: Desk, given: Partial<CryptoTransfer> = {}): CryptoTransfer => {
  const row: CryptoTransfer = {
    ...{ direction: 'deposit', status: 'success', statusText: 'SUCCESS', venueTime: desk.now(), fee: decimal(0) },
    ...{ asset: 'ETH', amount: decimal(3), network: given.asset ?? 'ETH', fromAddress: null, toAddress: null },
    transactionHash: `hash-${desk.shows.crypto.length}`,
    ...given,
  };
  desk.shows.crypto.push(row);
  return row;
};

/** A simple buy of 0.01 BTC for 1,005 INR and a commission of 2.5, if nothing else is given. It moves nothing. */
export const sbs = (desk: Desk, given: Partial<SbsTrade> = {}): void => {
  desk.shows.sbs.push({
    symbol: BTC,
    tradeId: tradeId('77'),
    side: 'buy',
    price: decimal(100_500),
    quantity: decimal('0.01'),
    quoteQuantity: decimal(1_005),
    commission: decimal('2.5'),
    commissionAsset: 'INR',
    tds: decimal(0),
    venueTime: desk.now(),
    ...given,
  });
};
