// `cancel-all --everything` at the exchange: what it lists of an account, and that its sweep takes everything away
// (order-truth §5).
import { expect, test } from '@jest/globals';
import { listEverything, type Outcome } from '../../src/bot/cancel-all/cancel-everything.ts';
import { addRule, faultOrderSchema, NO_DELIVERY_RULES } from '../../src/paper/delivery/delivery.ts';
import { noOrders } from '../../src/watchdog/own-orders.ts';
import { runSweep, stampedVenue } from '../../src/watchdog/run-sweep.ts';
import { beginSweep, remainsOf, type SweepSettings } from '../../src/watchdog/sweep-state.ts';
import { type Meeting, type MeetingOptions, paperKit } from './client-paper-kit.ts';

const kit = paperKit();

const SETTINGS: SweepSettings = {
  whose: 'account',
  symbols: ['BTC/INR'],
  intervalMs: 20,
  maxInFlight: 2,
  gentleMs: 100,
  readLagBoundMs: 700,
  match: { earlierMs: 1_000, laterMs: 1_000 },
};

interface Account {
  readonly meeting: Meeting;
  list(): Promise<Outcome>;
  /** Whether it is proved empty, and what is not. */
  cancel(withinMs?: number): Promise<readonly [boolean, string]>;
}

async function account(options: MeetingOptions = {}): Promise<Account> {
  const meeting = await kit.meet(options);
  const { clock } = meeting;
  const client = meeting.client();
  const venue = stampedVenue({ perform: (request) => client.perform(request), close: () => {} }, clock, 60_000);
  return {
    meeting,
    list: () => listEverything(venue),
    cancel: async (withinMs = 60_000) => {
      const sweep = beginSweep(SETTINGS, noOrders(null), clock.monotonic() + 600);
      return [await runSweep(sweep, { clock, venue }, withinMs), remainsOf(sweep).join(' ')];
    },
  };
}

/** From the `skip`th on, a list is answered by this. */
function listsAre({ meeting }: Account, body: string, skip = 0): void {
  const order = { match: { endpoint: 'open-orders' }, skip, times: null, fault: { kind: 'body', body } };
  meeting.control({ delivery: addRule(NO_DELIVERY_RULES, faultOrderSchema.parse(order)) });
}

const UNREADABLE = '[{"order_id":"1-9-1","status":"A_WORD_OF_TOMORROW"}]';

test('an empty list is no proof; a sweep proves it', async () => {
  const empty = await account();
  expect(await empty.list()).toMatchObject({
    flat: false,
    message: expect.stringContaining('is no proof'),
    left: { complete: true, orders: [] },
  });
  expect(await empty.cancel()).toEqual([true, '']);
});

test('a list whose only row cannot be read says so, and proves nothing', async () => {
  const strange = await account();
  listsAre(strange, UNREADABLE);
  expect((await strange.list()).message).toMatch(/^The list of open orders is not complete: Row 1/);
  expect(await strange.cancel(3_000)).toEqual([false, expect.stringContaining('is not complete: Row 1')]);
});

test('a list that is cut shows what it has, and that there may be more; all are canceled', async () => {
  const many = await account({ quirks: { openOrdersCap: 20 } });
  for (let order = 0; order < 21; order += 1) await many.meeting.client().place('BUY 0.00100 @ 4000000.00');
  const { flat, message } = await many.list();
  expect({ flat, message }).toMatchObject({ flat: false, message: expect.stringContaining('these 20 orders') });
  expect(message).toContain('BTC/INR buy 0.001 @ 4000000');
  expect(message).toMatch(/is not complete: .* There may be orders that it does not show\.$/);
  expect(await many.cancel()).toEqual([true, '']);
  const { accounts } = await many.meeting.truth();
  expect(accounts.flatMap(({ orders }) => orders)).toEqual([]);
});

test('lists that cannot be read are said', async () => {
  const silent = await account();
  listsAre(silent, '<html>');
  expect(await silent.list()).toEqual({ flat: false, message: 'The open orders of the account cannot be read.' });
});
