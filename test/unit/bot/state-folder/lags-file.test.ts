// What was measured of the lists' lags, over a restart.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lagsFile, readLags, writeLags } from '../../../../src/bot/state-folder/lags-file.ts';
import { addSample, type MeasuredLags, SAMPLES_KEPT, startLags } from '../../../../src/trader/state/lags.ts';

const OURS = { baseUrl: 'https://api.exchange.example', paperInstance: null };

function measured(count: number): MeasuredLags {
  const lags = startLags();
  for (let at = 1; at <= count; at += 1) addSample(lags, 'gone', { at, atLeastMs: at / 2, atMostMs: at + 0.5 });
  lags.broken = { kind: 'wallet', at: 7, atLeastMs: 130_000 };
  return lags;
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lags-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('what is written is read again, and goes on in the next session', () => {
  writeLags(folder, measured(3), OURS);
  const read = readLags(folder, OURS);
  expect(read).toEqual({
    samples: {
      listed: [],
      gone: [
        { at: 1, atLeastMs: 0, atMostMs: 2 },
        { at: 2, atLeastMs: 1, atMostMs: 3 },
        { at: 3, atLeastMs: 1, atMostMs: 4 },
      ],
      trades: [],
      wallet: [],
    },
    broken: { kind: 'wallet', at: 7, atLeastMs: 130_000 },
  });
  const next = startLags(read ?? undefined);
  addSample(next, 'gone', { at: 4, atLeastMs: 0, atMostMs: 9 });
  expect(next.samples.gone.map(({ at }) => at)).toEqual([1, 2, 3, 4]);
  expect(read?.samples.gone).toHaveLength(3);
});

test('it is of bounded size, and nobody else reads it', () => {
  writeLags(folder, measured(3 * SAMPLES_KEPT), OURS);
  expect(readLags(folder, OURS)?.samples.gone).toHaveLength(SAMPLES_KEPT);
  expect(statSync(lagsFile(folder)).size).toBeLessThan(100_000);
  expect(statSync(lagsFile(folder)).mode & 0o777).toBe(0o600);
});

describe('it counts for nothing', () => {
  test.each<[string, (text: string) => string]>([
    ['where another exchange was measured', (text) => text.replace('api.exchange', 'api.other')],
    [
      'where it was another paper exchange',
      (text) => text.replace('"paperInstance":null', '"paperInstance":"paper-1"'),
    ],
    ['where it is half written', (text) => text.slice(0, 100)],
    ['where a figure is no number', (text) => text.replace('[[1,', '[["1",')],
    ['where a figure is negative', (text) => text.replace('[[1,0,2]', '[[1,-1,2]')],
  ])('%s', (_why, change) => {
    writeLags(folder, measured(3), OURS);
    const text = readFileSync(lagsFile(folder), 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(lagsFile(folder), change(text));
    expect(readLags(folder, OURS)).toBeNull();
  });

  test('where there is none', () => {
    rmSync(lagsFile(folder));
    expect(readLags(folder, OURS)).toBeNull();
  });
});

test('`check`, which knows no paper exchange by name, takes what its address measured', () => {
  writeLags(folder, measured(3), { ...OURS, paperInstance: 'paper-1' });
  expect(readLags(folder, { baseUrl: OURS.baseUrl })?.samples.gone).toHaveLength(3);
});
