// A memory that begins with a process is told the own fills of before, by our clock as all times are.
import { expect, test } from '@jest/globals';
import type { Strategy } from '../../../../src/quoting/strategy.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from '../trader-kit.ts';

const AHEAD_MS = 3_600_000;

/** Remembers what kinds of events came, and when own fills were. */
function remembering(): ReturnType<typeof deskSettings> {
  const settings = deskSettings();
  const memory: Strategy['memory'] = {
    start: () => [],
    reduce: (told, event) => [...(told as unknown[]), event.kind === 'own-fill' ? event.fill.at : event.kind],
  };
  return { ...settings, runs: settings.runs.map((run) => ({ ...run, strategy: { ...run.strategy, memory } })) };
}

const remembered = (desk: Desk): readonly unknown[] => {
  const { memory } = marketOf(desk.state(), BTC).knowledge;
  return memory.kind === 'kept' ? (memory.memory as unknown[]) : [];
};

test('also where our clock was set, which is known only after the start; what is learned from then on stays', () => {
  const desk = quotingDesk(remembering());
  const at = desk.now();
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.look('orders', 'trades', 'wallet');
  desk.run(1_000);
  expect(remembered(desk).filter((each) => typeof each === 'number')).toEqual([at]);
  desk.restart(undefined, [], AHEAD_MS);
  expect(remembered(desk)).toEqual([at + AHEAD_MS]);
  desk.run(2_000);
  const { length } = remembered(desk);
  expect(length).toBeGreaterThan(1);
  desk.state().clock = null;
  desk.tell({ kind: 'tick' });
  desk.tell({ kind: 'clock', offsetMs: -AHEAD_MS, uncertaintyMs: 50, confirmed: true });
  expect(remembered(desk)).toHaveLength(length);
});
