// What confirms no difference: a wallet that left before the lag was over, and a scan for late trades that came cut.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { Fill } from '../../../../src/domain/fill.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import { BTC, deskSettings, ETH, LAG_MS } from '../desk-settings.ts';
import { runUntil } from '../run-until.ts';
import {
  type Desk,
  fillOf,
  moveWallet,
  ops,
  quotingDesk,
  readNow,
  takeBack,
  tradesPage,
  walletRow,
} from '../trader-kit.ts';

test('a wallet that left before the lag was over confirms no difference, however late it is judged', () => {
  const desk = quotingDesk();
  const { reconciliation } = desk.state();
  const slow = { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } as const;
  // A server that is behind shows what was held before a deposit of a moment before the start.
  const held = Object.entries({ ...desk.shows.balances, INR: decimal(995_000) });
  desk.reply = ({ kind }) => {
    if (kind === 'spot-trades') return slow;
    if (kind !== 'wallet') return undefined;
    if (reconciliation.suspect !== null) return slow;
    return readNow(
      desk,
      held.map(([asset, total]) => walletRow(asset, total, desk.shows.orders)),
    );
  };
  desk.run(deskSettings().assumptions.resolutionDeadlineMs + 2 * LAG_MS);
  expect(reconciliation.suspect).not.toBeNull();
  // Own trades are answered again before the next wallet is.
  desk.reply = ({ kind }) => (kind === 'wallet' ? slow : undefined);
  runUntil(desk, () => reconciliation.suspect === null);
  desk.reply = () => undefined;
  runUntil(desk, () => reconciliation.differsSince === null);
  expect(ops(desk)).not.toContain('difference');
});

test('a cut late-trade scan confirms no difference before the rest of it is read', () => {
  const desk = quotingDesk(deskSettings({ symbols: [BTC, ETH] }));
  const order = { symbol: BTC, side: 'buy', price: decimal(99_500), quantity: decimal('0.001') } as const;
  const fills = Array.from({ length: 121 }, (_, n) => fillOf(order, orderId('1-5-1'), { at: desk.now() - 120 + n }));
  desk.shows.fills.push(...fills);
  for (const fill of fills) moveWallet(desk.shows, fill);
  const newestFirst: Desk['reply'] = (request) =>
    request.kind === 'spot-trades' ? readNow(desk, tradesPage([...desk.shows.fills].reverse(), request)) : undefined;
  desk.reply = newestFirst;
  desk.run(20_000);
  takeBack(desk.shows, fills[60] as Fill);
  runUntil(desk, () => ops(desk).includes('trade-missing'));
  // A lag later it is looked for once more, between own trades of one market and those of the other.
  desk.run(LAG_MS - 1_000);
  desk.look('wallet');
  desk.reply = (request) => {
    const isSlow = request.kind === 'wallet' || (request.kind === 'spot-trades' && request.symbol === ETH);
    return isSlow ? null : newestFirst(request);
  };
  const scan = () => desk.state().markets.get(BTC)?.backfill ?? null;
  runUntil(desk, () => scan() === null);
  runUntil(desk, () => (scan()?.firstSentAt ?? null) !== null);
  desk.reply = newestFirst;
  for (const chosen of [...desk.held]) desk.answer(chosen);
  runUntil(desk, () => ops(desk).includes('trade-changed'));
  expect(ops(desk)).not.toContain('difference');
});
