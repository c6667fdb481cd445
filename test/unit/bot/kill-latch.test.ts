// The kill latch on disk: it keeps its first reason, and leaves a trail of who set and removed it, and when (F111).
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readKillLatch, removeKillLatch, setKillLatch } from '../../../src/bot/state-folder/kill-latch.ts';
import { testFolder } from './test-folder.ts';

const NOON = Date.UTC(2026, 0, 2, 12);
const folder = testFolder();

const trail = (): unknown[] =>
  readFileSync(path.join(folder, 'kill-latch.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('each change is one line of the trail; calls without a change add none', () => {
  setKillLatch(folder, 'Too quiet.', NOON);
  setKillLatch(folder, 'Again.', NOON + 1_000);
  expect(readKillLatch(folder)).toEqual({
    reason: 'Too quiet.',
    at: '2026-01-02T12:00:00.000Z',
    rearm: 'by-person',
    isReadable: true,
  });
  removeKillLatch(folder, NOON + 2_000);
  expect(readKillLatch(folder)).toBeNull();
  setKillLatch(folder, 'Later.', NOON + 3_000);
  const { pid } = process;
  expect(trail()).toEqual([
    { at: '2026-01-02T12:00:00.000Z', op: 'set', reason: 'Too quiet.', pid },
    { at: '2026-01-02T12:00:02.000Z', op: 'removed', reason: 'Too quiet.', pid },
    { at: '2026-01-02T12:00:03.000Z', op: 'set', reason: 'Later.', pid },
  ]);
});

test('an unwritable trail does not prevent setting the latch', () => {
  setKillLatch(folder, 'First.', NOON);
  removeKillLatch(folder, NOON);
  rmSync(path.join(folder, 'kill-latch.log'));
  // A folder of that name makes the trail unwritable.
  setKillLatch(path.join(folder, 'kill-latch.log'), 'A folder.', NOON);
  setKillLatch(folder, 'Second.', NOON);
  expect(readKillLatch(folder)?.reason).toBe('Second.');
});
