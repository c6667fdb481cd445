// Ten drills: the page shows the sentence of docs/operations.md, and the command given there fixes it.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { withAttentions } from '../../../src/bot/status/attentions.ts';
import { headlineOf } from '../../../src/bot/status/headline.ts';
import type { SteerAnswer } from '../../../src/bot/steer/command.ts';
import { perform } from '../../../src/bot/steer/perform.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { BTC, deskSettings } from '../trader/desk-settings.ts';
import { list, lostBid } from '../trader/lost-bid.ts';
import { type Desk, fillNow, inSlot, quotingDesk, readyDesk, rejected, unknown } from '../trader/trader-kit.ts';

const BOTH = ['buy:0 open', 'sell:0 open'];

function seen(desk: Desk) {
  const trader = takeSnapshot(desk.state(), desk.now());
  const deadMan = { leaseRenewedAt: desk.now(), watchdog: 'not-asked', watchdogSeenAt: null } as const;
  const facts = { trader, deadMan, channels: [], stopping: null };
  return withAttentions(facts, headlineOf(facts));
}

const steer = (desk: Desk, command: Parameters<typeof perform>[1]): SteerAnswer =>
  perform(
    {
      loop: { state: desk.state, tell: desk.tell, isBroken: () => false },
      now: desk.now,
      stop: () => desk.tell({ kind: 'stop' }),
      setKillLatch: () => {},
    },
    command,
  );

/** Nothing is answered. */
const cut = ({ kind }: VenueRequest) => ({
  kind: kind === 'create' || kind === 'cancel' ? ('unknown' as const) : ('failed' as const),
  fault: { sent: true, reason: 'timeout' as const, detail: 'No answer within 5 s.' },
});

/** The rows of the table, by drill. */
const ROWS = new Map(
  (/## When the page is red\n([\s\S]*?)\n## /.exec(readFileSync('docs/operations.md', 'utf8'))?.[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| |'))
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([drill = '', says = '', act = '']) => [drill, { says, act }]),
);

function row(drill: string): { readonly says: string; readonly act: string } {
  const found = ROWS.get(drill);
  if (found === undefined) throw new Error(`docs/operations.md has no drill "${drill}".`);
  return found;
}

/** The headline matches the table (an ellipsis stands for anything), and leads to the table's command. */
function expectSeen(desk: Desk, drill: string): void {
  const { says, act } = row(drill);
  const { headline } = seen(desk);
  const pattern = says.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  expect(`**${headline.word}** ${headline.sentence}`).toMatch(new RegExp(`^${pattern.join('.*')}$`));
  const [, command] = /`([^`]+)`/.exec(act) ?? [];
  if (command !== undefined) expect(headline.next).toContain(command.replace('./', ''));
}

// Two are tested with processes: test/process/watchdog.slow.test.ts, test/process/journal-create.slow.test.ts.
test('the table has ten rows', () => {
  expect(ROWS.size).toBe(10);
});

describe('drill', () => {
  test('the exchange is gone: the bot continues by itself, cancels first, and quotes again', () => {
    const desk = quotingDesk();
    desk.reply = cut;
    desk.run(2 * MINUTE);
    expectSeen(desk, 'the exchange is gone');
    desk.reply = () => undefined;
    desk.run(2 * MINUTE);
    expect(desk.slots()).toEqual(BOTH);
    expect(seen(desk).headline.tone).toBe('good');
  });

  test('maintenance: the bot continues by itself', () => {
    const desk = quotingDesk();
    desk.reply = () =>
      ({ kind: 'throttled', status: 503, retryAt: desk.now() + 1_000, code: -1125, refusal: 'maintenance' }) as const;
    desk.run(MINUTE);
    expectSeen(desk, 'maintenance');
    desk.reply = () => undefined;
    desk.run(3 * MINUTE);
    expect(desk.slots()).toEqual(BOTH);
  });

  test('the key is refused: `check` says why, and a key that is taken again quotes', () => {
    const desk = quotingDesk();
    desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (rejected(-2015, 403) as never));
    desk.run(MINUTE);
    expectSeen(desk, 'the key is refused');
    expect(seen(desk).headline.tone).toBe('stop');
    desk.reply = () => undefined;
    desk.run(5 * MINUTE);
    expect(desk.slots()).toEqual(BOTH);
  });

  test('a halt by loss: resume', () => {
    const desk = quotingDesk(deskSettings({ limits: { maxSessionLoss: '5' } }));
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.shows.books[BTC] = [94_000, 94_400];
    desk.run(2 * MINUTE);
    expectSeen(desk, 'a loss limit');
    steer(desk, { command: 'resume', symbol: BTC, side: null, price: null, by: 'asha' });
    desk.run(MINUTE);
    expect(desk.slots()).toEqual(BOTH);
  });

  test('wallet and ledger differ: start again with the difference accepted', () => {
    const desk = quotingDesk();
    desk.shows.balances.INR = (desk.shows.balances.INR ?? decimal(0)).sub(100);
    desk.run(20_000);
    // A person sees it coming long before.
    expect(seen(desk).headline).toMatchObject({ tone: 'stop', word: 'Not quoting' });
    expect(seen(desk).headline.next).toContain('start again with --accept-differences.');
    desk.run(3 * MINUTE);
    expectSeen(desk, 'wallet and ledger differ');
    steer(desk, { command: 'stop', by: 'asha' });
    desk.run(MINUTE);
    expect(desk.state().phase).toBe('stopped');
    desk.restart(undefined, [], 0, { acceptDifferences: true });
    desk.run(2 * MINUTE);
    expect(desk.slots()).toEqual(BOTH);
  });

  test('the clock is uncertain: it finds the clock by itself', () => {
    const desk = quotingDesk();
    desk.state().clock = null;
    desk.tell({ kind: 'tick' });
    desk.run(3_000);
    expectSeen(desk, 'the clock is in doubt');
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
    desk.run(30_000);
    expect(desk.slots()).toEqual(BOTH);
  });

  test('the price jumped: resume at the price that a person believes is correct', () => {
    const desk = quotingDesk();
    desk.shows.books[BTC] = [119_000, 121_000];
    desk.run(2 * MINUTE);
    expectSeen(desk, 'the price jumped');
    steer(desk, { command: 'resume', symbol: BTC, side: null, price: decimal(120_000), by: 'asha' });
    desk.run(MINUTE);
    expect(desk.slots()).toEqual(BOTH);
    expect(inSlot(desk, 'buy:0').price.toNumber()).toBe(117_600);
  });

  test('an order is in question: cancel unwanted ones, start again with the symbol resumed', () => {
    const settings: TraderSettings = deskSettings({ assumptions: { resolutionDeadlineMs: 10 * MINUTE } });
    const { desk, order } = lostBid(unknown, readyDesk(settings));
    for (const id of ['1-9-1', '1-5-1']) list(desk, order, id);
    desk.run(1_500);
    expectSeen(desk, 'an order is in question');
    desk.shows.orders = desk.shows.orders.filter(({ side }) => side !== 'buy');
    steer(desk, { command: 'stop', by: 'asha' });
    desk.run(2 * MINUTE);
    desk.reply = () => undefined;
    desk.restart(settings, [{ symbol: BTC, price: null }]);
    desk.run(3 * MINUTE);
    expect(desk.slots()).toEqual(BOTH);
  });
});
