// The bot's notices, from a trader at a desk: each page has its end if there is one, by the trader's own state, and a
// start without data ends none.
import { describe, expect, test } from '@jest/globals';
import { emptyOutbox } from '../../../../src/bot/notify/outbox.ts';
import { botTraits } from '../../../../src/bot/run/bot-notifier.ts';
import type { Notice } from '../../../../src/trader/state/turn.ts';
import { BTC, deskSettings, ETH } from '../../trader/desk-settings.ts';
import { type Desk, quotingDesk, rejected } from '../../trader/trader-kit.ts';
import { channel, rulesOf, World } from '../notify/notify-world.ts';

const LEVELS = { page: 'page', warn: 'warn', info: 'info', debug: null } as const;

/** A person who gets pages about a desk. */
class Called {
  readonly world: World;
  readonly desk: Desk;
  watchdog: 'alive' | 'missing' = 'alive';
  #heard = 0;

  constructor(desk: Desk) {
    this.desk = desk;
    this.world = new World(rulesOf([channel('night')]), emptyOutbox('a1'), desk.now());
    this.#heard = desk.notices.length;
  }

  /** Second by second, like the notifier. */
  run(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.desk.run(1_000);
      for (const notice of this.desk.notices.slice(this.#heard)) this.hear(notice);
      this.#heard = this.desk.notices.length;
      const over = [...this.world.state.problems].filter(([, each]) => each.lasts && this.traits(each).isOver?.(each));
      this.world.pass(
        1,
        over.map(([key]) => key),
      );
    }
  }

  hear({ level, op, message, symbol }: Pick<Notice, 'level' | 'op' | 'message' | 'symbol'>): void {
    const { severity = LEVELS[level], isOver, pageAfterMs } = this.traits({ op, text: message });
    if (severity === null) return;
    const patience = pageAfterMs === undefined ? {} : { pageAfterMs };
    this.world.happens(severity, op, {
      symbol: symbol ?? null,
      text: message,
      lasts: isOver !== undefined,
      ...patience,
    });
  }

  readonly traits = botTraits(() => ({
    state: this.desk.state(),
    now: this.desk.now(),
    deadMan: { leaseRenewedAt: null, watchdog: this.watchdog, watchdogSeenAt: null },
  }));

  /** Without their times. */
  get said(): string[] {
    return this.world.said.map((line) => line.split('night ')[1] ?? '');
  }
}

const failed = (desk: Desk): void => {
  desk.reply = ({ kind }) => {
    const fault = { sent: true, reason: 'timeout', detail: 'Nothing came back.' } as const;
    return { kind: kind === 'create' || kind === 'cancel' ? 'unknown' : 'failed', fault } as never;
  };
};

const inMaintenance = (desk: Desk): void => {
  const throttled = { kind: 'throttled', status: 503, code: -1125, refusal: 'maintenance' } as const;
  desk.reply = () => ({ ...throttled, retryAt: desk.now() + 1_000 }) as never;
};

describe('a page and its end', () => {
  test('a refused key: the third time, not before', () => {
    const called = new Called(quotingDesk());
    called.desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (rejected(-2015, 403) as never));
    called.run(1);
    expect(called.said).toEqual([]);
    called.run(30);
    expect(called.said).toEqual(['PAGE live: refused']);
    called.desk.reply = () => undefined;
    called.run(90);
    expect(called.said).toEqual(['PAGE live: refused', 'OVER live: refused']);
  });

  test('a refused key is not accepted because a maintenance begins', () => {
    const called = new Called(quotingDesk());
    const refusing = ({ kind }: { readonly kind: string }) =>
      kind === 'order-book' ? undefined : (rejected(-2015, 403) as never);
    called.desk.reply = refusing;
    called.run(31);
    inMaintenance(called.desk);
    called.run(90);
    expect(called.said).toEqual(['PAGE live: refused', 'PAGE live: maintenance']);
    called.desk.reply = refusing;
    called.run(120);
    expect(called.said.slice(2)).toEqual(['OVER live: maintenance']);
    called.desk.reply = () => undefined;
    called.run(90);
    expect(called.said.slice(3)).toEqual(['OVER live: refused']);
  });

  test('an exchange that does not answer: after twenty seconds', () => {
    const called = new Called(quotingDesk());
    failed(called.desk);
    called.run(15);
    expect(called.said).toEqual([]);
    called.run(15);
    expect(called.said).toEqual(['PAGE live: not-responding']);
    called.desk.reply = () => undefined;
    called.run(20);
    expect(called.said).toEqual(['PAGE live: not-responding', 'OVER live: not-responding']);
  });

  test('a difference that disappears', () => {
    const called = new Called(quotingDesk());
    const { balances } = called.desk.shows;
    const before = balances.INR;
    balances.INR = before?.add(1_000) as never;
    called.run(60);
    expect(called.said).toContain('PAGE live: difference');
    balances.INR = before as never;
    called.run(60);
    expect(called.said.filter((line) => line.includes('difference'))).toEqual([
      'PAGE live: difference',
      'OVER live: difference',
    ]);
  });

  test('a market that is not listed', () => {
    const called = new Called(quotingDesk(deskSettings({ symbols: [BTC, ETH] })));
    called.desk.tell({ kind: 'listing', awaited: null, missing: [ETH] });
    called.run(30);
    called.desk.tell({ kind: 'listing', awaited: null, missing: [] });
    called.run(10);
    expect(called.said).toEqual([`PAGE live: market-unlisted ${ETH}`, `OVER live: market-unlisted ${ETH}`]);
  });

  test('a halt: over once it is resumed, not by a start', () => {
    const called = new Called(quotingDesk());
    const { desk } = called;
    desk.reply = ({ kind }) => (kind === 'create' ? (rejected(-1121) as never) : undefined);
    desk.shows.books[BTC] = [98_000, 100_000];
    called.run(60);
    expect(called.said).toEqual([`PAGE live: symbol-halted ${BTC}`]);
    desk.reply = () => undefined;
    desk.restart();
    called.run(10);
    expect(called.said).toHaveLength(1);
    desk.restart(undefined, [{ symbol: BTC, price: null }]);
    called.run(2);
    expect(called.said.slice(1)).toEqual([`OVER live: symbol-halted ${BTC}`]);
  });

  test('of a market that is no longer configured', () => {
    const called = new Called(quotingDesk());
    called.hear({ level: 'page', op: 'symbol-halted', symbol: ETH as never, message: `${ETH} is halted.` });
    called.run(1);
    expect(called.said).toEqual([`PAGE live: symbol-halted ${ETH}`, `OVER live: symbol-halted ${ETH}`]);
  });

  test('an error that ends a bot is not over while that bot still runs', () => {
    const called = new Called(quotingDesk());
    called.hear({ level: 'page', op: 'fatal', message: 'The program contradicted itself.' });
    called.run(10);
    expect([called.desk.state().phase, called.said]).toEqual(['running', ['PAGE live: fatal']]);
  });

  test('a start without an answer yet ends neither a refusal nor a silence', () => {
    const called = new Called(quotingDesk());
    for (const op of ['refused', 'maintenance', 'not-responding', 'fatal', 'latched', 'difference-unjudged'])
      called.hear({ level: 'page', op, message: `${op}.` });
    called.desk.pass(1_000);
    called.desk.restart();
    called.desk.reply = () => null;
    called.run(5);
    expect(called.said.filter((line) => line.startsWith('OVER'))).toEqual([]);
    called.desk.reply = () => undefined;
    for (const chosen of called.desk.held.splice(0)) called.desk.answer(chosen);
    called.run(60);
    expect(called.said.filter((line) => line.startsWith('OVER'))).toHaveLength(6);
  });
});

describe('events that somebody else reports, or that are no news', () => {
  const traits = botTraits(() => null);

  test.each([
    ['latched', 'The kill latch is set: The watchdog: The bot has shown no progress.'],
    ['rearmed', 'The watchdog ended the bot.'],
    [
      'paused',
      'Paused, nothing is quoted: No watchdog shows that it lives, and the configuration requires one (watchdog.mode).',
    ],
    ['status', 'Latched: the kill latch is set.'],
  ])('%s', (op, text) => {
    expect(traits({ op, text }).severity).toBeNull();
  });

  test('a person’s latch is notified; nothing is over before trading has begun', () => {
    const { severity, isOver } = traits({ op: 'latched', text: 'The kill latch is set: Somebody.' });
    expect(severity).toBeUndefined();
    expect(isOver?.({ lastAt: 0 } as never)).toBe(false);
  });

  test('a watchdog that nobody starts notifies after a minute', () => {
    const waits =
      'Paused, nothing is quoted: Waiting for a sign of life of the watchdog; until then nothing is quoted.';
    expect(traits({ op: 'paused', text: waits }).pageAfterMs).toBe(60_000);
  });
});
