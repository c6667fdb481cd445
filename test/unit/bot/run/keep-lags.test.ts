// What is measured of the lists' lags outlasts the bot: by a minute of it at the most, and what proves an assumption
// wrong at once.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Clock as FakeClock, install } from '@sinonjs/fake-timers';
import { keepLags } from '../../../../src/bot/run/keep-lags.ts';
import { readLags } from '../../../../src/bot/state-folder/lags-file.ts';
import { type Lags, startLags } from '../../../../src/trader/state/lags.ts';

const OF = { baseUrl: 'http://127.0.0.1:8788', paperInstance: null };
const START = 1_700_000_000_000;
let fake: FakeClock;

beforeEach(() => {
  fake = install({ now: START, toFake: ['setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  fake.uninstall();
});

function kept(lags: Lags, stateFolder = mkdtempSync(path.join(tmpdir(), 'lags-'))) {
  const said: string[] = [];
  const log = { logEvent: ({ op }: { op: string }) => void said.push(op) };
  keepLags({ stateFolder, of: OF, lags: () => lags, log: log as never });
  return Object.assign(() => readLags(stateFolder, OF), { said });
}

test('that a list trailed by more than is assumed is kept by a bot that is killed two seconds later', () => {
  const wrong = { broken: { kind: 'gone', at: START, atLeastMs: 30_000 } } as const;
  const lags = startLags();
  const found = kept(lags);
  fake.tick(90_000);
  Object.assign(lags, wrong);
  fake.tick(2_000);
  expect(found()).toMatchObject(wrong);
});

test('a measurement alone is kept within a minute', () => {
  const lags = startLags();
  const found = kept(lags);
  fake.tick(60_000);
  lags.version += 1;
  lags.samples.gone.push({ at: START, atLeastMs: 1, atMostMs: 2 });
  fake.tick(5_000);
  expect(found()?.samples.gone).toEqual([]);
  fake.tick(60_000);
  expect(found()?.samples.gone).toHaveLength(1);
});

test('a disk that fails is told once, and what is measured is kept once it takes it again', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lags-'));
  const stateFolder = path.join(folder, 'state');
  const lags = startLags();
  const found = kept(lags, stateFolder);
  lags.broken = { kind: 'trades', at: 1, atLeastMs: 30_000 };
  fake.tick(130_000);
  expect(found.said).toEqual(['state-folder']);
  mkdirSync(stateFolder);
  fake.tick(5_000);
  expect(found()?.broken).toEqual(lags.broken);
  rmSync(folder, { recursive: true });
});
