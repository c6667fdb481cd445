// A resume lifts the halt that the person was shown, and no later one.
import { describe, expect, test } from '@jest/globals';
import type { SteerAnswer, SteerCommand } from '../../../../src/bot/steer/command.ts';
import { answerCommand } from '../../../../src/bot/steer/control-socket.ts';
import { type ImmediateCommand, perform } from '../../../../src/bot/steer/perform.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { timeText } from '../../../../src/domain/time-text.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { BTC, deskSettings, ETH } from '../../trader/desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from '../../trader/trader-kit.ts';

const RESUME = { command: 'resume', symbol: BTC, side: null, price: null, by: 'asha' } as const;
const PAUSE = { command: 'pause', symbol: BTC, side: 'sell', forMs: null, reason: 'Noon.', by: 'asha' } as const;

const steer = (desk: Desk, command: ImmediateCommand): SteerAnswer =>
  perform(
    {
      loop: { state: desk.state, tell: desk.tell, isBroken: () => false },
      now: desk.now,
      stop: () => desk.tell({ kind: 'stop' }),
      setKillLatch: () => undefined,
    },
    command,
  );

/** The page's current state, in the form that it sends. */
const shown = (desk: Desk) =>
  Object.fromEntries(
    takeSnapshot(desk.state(), desk.now()).symbols.flatMap(({ symbol, risk }) =>
      risk.halt === null ? [] : [[symbol, { code: risk.halt.code, since: risk.halt.since ?? null }] as const],
    ),
  );

const held = (desk: Desk, symbol = BTC) => {
  const { halt, locks } = marketIn(desk.state().durable, symbol);
  return [halt?.code ?? null, locks.length];
};

const losingDesk = (symbols = [BTC]): Desk => quotingDesk(deskSettings({ symbols, limits: { maxDayLoss: '5' } }));

/** The coins it bought lose value. */
function lose(desk: Desk, symbol = BTC): void {
  const [bid = 0, ask = 0] = desk.shows.books[symbol] ?? [];
  fillNow(desk, inSlot(desk, 'buy:0', symbol));
  desk.shows.books[symbol] = [bid * 0.95, ask * 0.95];
  desk.run(2 * MINUTE);
  expect(held(desk, symbol)[0]).toBe('loss');
}

/** Its selling was paused when somebody looked; it has lost too much since. */
function haltedSince(): Desk {
  const desk = losingDesk();
  steer(desk, PAUSE);
  lose(desk);
  expect(held(desk)).toEqual(['loss', 1]);
  return desk;
}

describe('a resume that was shown a lock', () => {
  test('lifts no later halt, names it with its time, and keeps the lock', () => {
    const desk = haltedSince();
    const { reason, since = 0 } = marketIn(desk.state().durable, BTC).halt ?? {};
    expect(steer(desk, { ...RESUME, halt: null })).toEqual({
      refused:
        `Nothing is changed: this was not shown before. BTC/INR is halted as loss since ${timeText(since)}: ` +
        `${reason} Look at it, and resume again.`,
    });
    expect(since).toBeGreaterThan(0);
    expect(held(desk)).toEqual(['loss', 1]);
    desk.run(MINUTE);
    expect(desk.slots()).toEqual([]);
  });

  test('lifts the halt once it was shown', () => {
    const desk = haltedSince();
    const answer = steer(desk, { ...RESUME, halt: shown(desk) });
    expect(answer).toEqual({ done: ['Resumed: BTC/INR; halt as loss, lock by operator.'] });
    expect(held(desk)).toEqual([null, 0]);
  });

  test('of one side removes only its lock, whatever halts the symbol', () => {
    const desk = haltedSince();
    expect(steer(desk, { ...RESUME, side: 'sell', halt: null })).toHaveProperty('done');
    expect(held(desk)).toEqual(['loss', 0]);
  });

  test('on a command line, which shows nothing before, lifts any halt', () => {
    const desk = haltedSince();
    expect(steer(desk, RESUME)).toHaveProperty('done');
    expect(held(desk)).toEqual([null, 0]);
  });
});

describe('a resume that was shown a halt', () => {
  test('lifts no later halt, not even one with the same code, and none with another code', () => {
    const desk = losingDesk();
    lose(desk);
    const before = shown(desk);
    steer(desk, RESUME);
    desk.run(MINUTE);
    lose(desk);
    expect(steer(desk, { ...RESUME, halt: before })).toHaveProperty('refused');
    const since = shown(desk)[BTC]?.since ?? null;
    const other = { [BTC]: { code: 'repeated-fills' as const, since } };
    expect(steer(desk, { ...RESUME, halt: other })).toHaveProperty('refused');
    expect(held(desk)).toEqual(['loss', 0]);
  });

  test('after somebody else’s has nothing to lift', () => {
    const desk = losingDesk();
    lose(desk);
    const before = shown(desk);
    steer(desk, RESUME);
    expect(steer(desk, { ...RESUME, halt: before })).toEqual({ done: ['BTC/INR was neither paused nor halted.'] });
  });

  test('of all symbols changes none if one halt was not shown, and names each of those', () => {
    const desk = losingDesk([BTC, ETH]);
    lose(desk);
    const before = shown(desk);
    lose(desk, ETH);
    const all = { ...RESUME, symbol: null };
    const both = () => [held(desk, BTC)[0], held(desk, ETH)[0]];
    expect(steer(desk, { ...all, halt: before })).toEqual({
      refused: expect.stringMatching(/^Nothing is changed: this was not shown before\. ETH\/INR is halted as loss/),
    });
    expect(steer(desk, { ...all, halt: null })).toEqual({ refused: expect.stringMatching(/BTC\/INR .* ETH\/INR /) });
    expect(both()).toEqual(['loss', 'loss']);
    expect(steer(desk, { ...all, halt: shown(desk) })).toHaveProperty('done');
    expect(both()).toEqual([null, null]);
  });
});

describe('over the wire', () => {
  const answered = async (sent: unknown) => {
    const performed: SteerCommand[] = [];
    const answer = await answerCommand(sent, {
      perform: async (command) => {
        performed.push(command);
        return { done: [] };
      },
    });
    return { answer, performed };
  };

  test.each([
    ['none', null],
    ['one', { [BTC]: { code: 'loss', since: 1_700_000_000_000 } }],
    ['one of which it is not known since when', { [BTC]: { code: 'loss', since: null } }],
  ])('it says what was shown: %s', async (_what, given) => {
    expect((await answered({ ...RESUME, halt: given })).performed).toEqual([{ ...RESUME, halt: given }]);
  });

  test.each([
    ['a code alone', 'loss'],
    ['another code', { [BTC]: { code: 'bored', since: 1 } }],
    ['no moment', { [BTC]: { code: 'loss' } }],
    ['more than tells a halt from another', { [BTC]: { code: 'loss', since: 1, reason: 'It lost.' } }],
  ])('%s is not read', async (_what, given) => {
    const { answer, performed } = await answered({ ...RESUME, halt: given });
    expect([answer, performed]).toEqual([{ refused: expect.stringMatching(/^The command can't be read: halt/) }, []]);
  });
});
