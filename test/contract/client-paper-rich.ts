// A meeting in which every list has something to show: trades, an open order, transfers of every kind, simple trades,
// old ones.
import { DAY, HOUR } from '../../src/domain/time.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { ReadKind } from '../../src/venue/requests.ts';
import type { PaperClient } from './client-paper-client.ts';
import type { Meeting } from './client-paper-kit.ts';
import { BOB } from './client-paper-market.ts';
import { ENDPOINT_NAMES, goodRequest } from './client-paper-requests.ts';
import { moving, type TransferAction } from './client-paper-transfers.ts';

const ACTIONS: readonly TransferAction[] = ['crypto-deposit', 'crypto-withdrawal', 'fiat-deposit', 'fiat-withdrawal'];

/** For a meeting `withOwner`. What is old is 100 days old, beyond every window. */
export async function enrich(meeting: Meeting): Promise<void> {
  const [alice, bob, owner] = [meeting.client(), meeting.client({ key: BOB }), meeting.owner()];
  const now = meeting.clock.now();
  for (const at of [now - 100 * DAY, now - HOUR]) {
    for (const action of ACTIONS) await owner.act(moving(action, { at, amount: '1.00000007' }));
    await owner.act({
      kind: 'sbs-trade',
      account: 'alice',
      at,
      coin: 'BTC',
      side: 'buy',
      price: '5000000',
      commission: '12.34',
      tds: '0.5',
      quantity: '0.01',
    });
    const order = { kind: 'place-order', symbol: 'BTC/INR', quantity: '0.00321', at } as const;
    await owner.act({ ...order, account: 'bob', side: 'buy', terms: { type: 'LIMIT', price: '5000000.01' } });
    await owner.act({ ...order, account: 'alice', side: 'sell', terms: { type: 'LIMIT', price: '5000000.01' } });
  }
  meeting.crowd.rests('BUY 0.50000 @ 4999990.00', 'SELL 0.70001 @ 5000010.00');
  await alice.place('BUY 0.12345 @ 5000000.01');
  await bob.place('SELL 0.04321 @ 4999995.00');
}

const WRITES: readonly string[] = ['create', 'cancel', 'cancel-symbol', 'cancel-all'];
const READS = ENDPOINT_NAMES.filter((name): name is ReadKind => !WRITES.includes(name));

/**
 * What every read gives, as plain JSON. The legacy prices are of the moment of the question: their times are left out.
 */
export async function everything(client: PaperClient): Promise<Readonly<Record<string, unknown>>> {
  const all: Record<string, unknown> = {};
  for (const name of READS) all[name] = rowsOf(await client.perform(goodRequest(name, client.stamp())));
  const { 'legacy-depth': depth, 'legacy-tickers': tickers, ...rest } = all;
  return { ...rest, 'legacy-depth': withoutTimes(depth), 'legacy-tickers': withoutTimes(tickers) };
}

const rowsOf = ({ outcome }: Completed): unknown =>
  outcome.kind === 'read' && outcome.read.complete ? JSON.parse(JSON.stringify(outcome.read.rows)) : outcome;

const withoutTimes = (rows: unknown): unknown =>
  JSON.parse(JSON.stringify(rows, (name, value) => (name === 'venueTime' ? undefined : value)));
