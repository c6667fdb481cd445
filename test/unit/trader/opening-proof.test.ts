// An opening is proved once the lists of transfers were read and a wallet of after that equals the ledger: until then a
// transfer of before may explain what differs, and afterward one that was on its way still.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { CryptoTransfer } from '../../../src/domain/transfer.ts';
import { account, add, BOTH, expectCalm, move, openings } from './added-market-kit.ts';
import { fiat } from './money-kit.ts';
import { type Desk, deskWith, makeReady, quotingDesk, readNow, rejected, walletRow } from './trader-kit.ts';

/** A row of the lists of crypto transfers: a deposit that has come. It moves nothing. */
function crypto(desk: Desk, given: Partial<CryptoTransfer> = {}): void {
  desk.shows.crypto.push({
    direction: 'deposit',
    status: 'success',
    statusText: 'SUCCESS',
    venueTime: desk.now(),
    asset: 'ETH',
    fee: decimal(0),
    amount: decimal(3),
    transactionHash: `hash-${desk.shows.crypto.length}`,
    network: 'ETH',
    fromAddress: null,
    toAddress: null,
    ...given,
  });
}

/** Wallets trail by so much from now on. */
function trail(desk: Desk, byMs: number): { run: (ms: number) => void } {
  const snaps: { at: number; balances: Desk['shows']['balances'] }[] = [];
  desk.reply = ({ kind }) => {
    if (kind !== 'wallet') return undefined;
    const then = snaps.findLast(({ at }) => at <= desk.now() - byMs)?.balances ?? desk.shows.balances;
    return readNow(
      desk,
      Object.entries(then).map(([asset, total]) => walletRow(asset, total, desk.shows.orders)),
    );
  };
  const run = (ms: number): void => {
    for (const end = desk.now() + ms; desk.now() < end; ) {
      snaps.push({ at: desk.now(), balances: { ...desk.shows.balances } });
      desk.run(100);
    }
  };
  return { run };
}

describe('a deposit that is on its way at an opening', () => {
  const pending = (desk: Desk): void =>
    fiat(desk, { status: 'pending', statusText: 'PENDING', venueTime: desk.now() - 60_000 });
  const arrives = (desk: Desk): void => {
    desk.shows.fiat = desk.shows.fiat.map((row) => ({ ...row, status: 'success', statusText: 'SUCCESS' }));
    move(desk, 'INR', '5000');
  };

  test('explains after a restart, when it has come', () => {
    const desk = deskWith();
    pending(desk);
    makeReady(desk);
    desk.run(60_000);
    desk.restart();
    desk.look('book', 'orders');
    desk.run(60_000);
    arrives(desk);
    desk.run(90_000);
    expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
    expectCalm(desk);
  });

  test('explains though its list could not be read for two minutes just then', () => {
    const desk = deskWith();
    pending(desk);
    desk.reply = ({ kind }) => (kind === 'fiat-deposits' ? rejected(-1500, 500) : undefined);
    makeReady(desk);
    desk.run(2 * 60_000);
    desk.reply = () => undefined;
    desk.run(10 * 60_000);
    arrives(desk);
    desk.run(90_000);
    expect(account(desk, 'INR', 'external:deposit')).toBe('-5000');
    expectCalm(desk);
  });

  test('explains after a restart in an asset that was opened with an added market', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    crypto(desk, { status: 'pending', statusText: 'PENDING' });
    desk.pass(60_000);
    add(desk);
    desk.run(60_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    desk.restart(BOTH);
    desk.look('book', 'orders');
    desk.run(60_000);
    desk.shows.crypto = desk.shows.crypto.map((row) => ({ ...row, status: 'success', statusText: 'SUCCESS' }));
    move(desk, 'ETH', '3');
    desk.run(90_000);
    expect(account(desk, 'ETH', 'external:deposit')).toBe('-3');
    expectCalm(desk);
  });
});

describe('a deposit in the moments of an opening', () => {
  test('that the second wallet does not have yet, as it trails, is no difference', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    add(desk);
    const trailing = trail(desk, 3_000);
    trailing.run(3_500);
    expect(openings(desk)).toEqual([]);
    crypto(desk);
    move(desk, 'ETH', '3');
    trailing.run(120_000);
    expect(openings(desk)).toEqual([{ ETH: '10' }]);
    expectCalm(desk);
  });

  test('that comes between the last wallet and the lists, though it was begun before, is no difference', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    crypto(desk, { status: 'pending', statusText: 'PENDING' });
    desk.pass(60_000);
    add(desk);
    let done = false;
    desk.reply = ({ kind }) => {
      if (kind.startsWith('crypto-deposits') && !done) {
        done = true;
        desk.shows.crypto = desk.shows.crypto.map((row) => ({ ...row, status: 'success', statusText: 'SUCCESS' }));
        move(desk, 'ETH', '3');
      }
      return undefined;
    };
    desk.run(3 * 60_000);
    expectCalm(desk);
  });
});
