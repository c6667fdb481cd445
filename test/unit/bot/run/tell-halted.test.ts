// A start reports a halt found in the journal: people may have heard that it is over, or nothing at all.
import { expect, test } from '@jest/globals';
import type { LogEvent } from '../../../../src/bot/base/log.ts';
import { botTraits } from '../../../../src/bot/run/bot-notifier.ts';
import { tellHalted } from '../../../../src/bot/run/start-bot.ts';
import { emptyDurable } from '../../../../src/trader/durable/durable.ts';
import { BTC } from '../../trader/desk-settings.ts';
import { type Desk, foldAll, quotingDesk, rejected } from '../../trader/trader-kit.ts';
import { channel, rulesOf, World } from '../notify/notify-world.ts';

function haltedDesk(): Desk {
  const desk = quotingDesk();
  desk.reply = ({ kind }) => (kind === 'create' ? (rejected(-1121) as never) : undefined);
  desk.shows.books[BTC] = [98_000, 100_000];
  desk.run(60_000);
  desk.reply = () => undefined;
  return desk;
}

function said(desk: Desk, before = desk.state().durable): LogEvent[] {
  const lines: LogEvent[] = [];
  tellHalted(before, desk.state(), { logEvent: (event) => lines.push(event) });
  return lines;
}

test('a market that was removed from the configuration, and is there again, notifies again', () => {
  const desk = haltedDesk();
  const world = new World(rulesOf([channel('night')]));
  world.happens('page', 'symbol-halted', { symbol: BTC, lasts: true });
  // Without its market, the halt is no problem of that bot.
  world.pass(1, [`symbol-halted ${BTC}`]);
  desk.restart();
  for (const { op, level, symbol, message } of said(desk)) {
    expect([op, level, message]).toEqual(['symbol-halted', 'error', expect.stringContaining('is halted: ')]);
    const lasts = botTraits(() => null)({ op, text: message ?? '' }).isOver !== undefined;
    world.happens('page', op, { symbol: String(symbol), lasts });
  }
  expect(world.said.map((line) => line.split('night ')[1])).toEqual([
    `PAGE live: symbol-halted ${BTC}`,
    `OVER live: symbol-halted ${BTC}`,
    `PAGE live: symbol-halted ${BTC}`,
  ]);
});

test('no notice about what a person has resumed, nor about what the start itself halts', () => {
  const desk = haltedDesk();
  expect(said(desk, emptyDurable())).toEqual([]);
  const before = foldAll(desk.events);
  expect(said(desk, before)).toHaveLength(1);
  desk.restart(undefined, [{ symbol: BTC, price: null }]);
  expect(said(desk, before)).toEqual([]);
});
