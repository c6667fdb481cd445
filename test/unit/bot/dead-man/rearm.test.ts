// What removes the watchdog's own latch, and what keeps it; on a real disk.
import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { leaveToPerson, rearmAfterProof, takeRearmNews } from '../../../../src/bot/dead-man/rearm.ts';
import {
  killLatchFile,
  killLatchTrail,
  readKillLatch,
  setKillLatch,
} from '../../../../src/bot/state-folder/kill-latch.ts';
import { testFolder } from '../test-folder.ts';

const NOON = Date.UTC(2026, 0, 31, 12);
const DAY = 86_400_000;
const folder = testFolder();

const byWatchdog = (at = NOON): void => setKillLatch(folder, 'The watchdog: silence.', at, 'after-proof');
const rearm = (at = NOON, mostPerDay = 2) => rearmAfterProof({ stateFolder: folder, mostPerDay }, at);
const trail = (): string => readFileSync(killLatchTrail(folder), 'utf8');

describe('the latch of a watchdog', () => {
  test('is removed after its proof, counted per UTC day', () => {
    byWatchdog();
    expect(rearm()).toEqual({ kind: 'rearmed', today: 1, mostPerDay: 2 });
    expect(readKillLatch(folder)).toBeNull();
    expect(trail()).toContain('"op":"rearmed","reason":"The watchdog: silence."');
    byWatchdog();
    expect(rearm()).toMatchObject({ kind: 'rearmed', today: 2 });
    byWatchdog();
    expect(rearm()).toEqual({ kind: 'kept', why: 'It was re-armed 2 times today, and the limit is 2.' });
    expect(readKillLatch(folder)).toMatchObject({ reason: 'The watchdog: silence.', rearm: 'after-proof' });
  });

  test('gets a new count at midnight UTC, but not by setting a clock back', () => {
    for (const today of [1, 2]) {
      byWatchdog();
      expect(rearm()).toMatchObject({ today });
    }
    byWatchdog();
    expect(rearm(NOON - DAY)).toMatchObject({ kind: 'kept' });
    rmSync(killLatchFile(folder));
    byWatchdog();
    expect(rearm(NOON + DAY / 2)).toMatchObject({ kind: 'rearmed', today: 1 });
  });

  test('stays if a person has set one, before it or after it', () => {
    setKillLatch(folder, 'cancel-all was called.', NOON);
    byWatchdog();
    expect(rearm()).toMatchObject({ kind: 'kept' });
    rmSync(killLatchFile(folder));
    byWatchdog();
    setKillLatch(folder, 'cancel-all was called.', NOON + 1);
    expect(rearm()).toEqual({ kind: 'kept', why: 'A person has set the kill latch, too.' });
    expect(readKillLatch(folder)).toMatchObject({ reason: 'The watchdog: silence.', rearm: 'by-person' });
    expect(trail()).toContain('cancel-all was called.');
  });

  test.each([
    ['a trail that others could write', () => chmodSync(killLatchTrail(folder), 0o666)],
    ['a trail of lines that may be re-armings', () => appendFileSync(killLatchTrail(folder), '{\n{\n')],
    ['a latch that can’t be read', () => writeFileSync(killLatchFile(folder), '{"rearm":"after-proof"')],
    ['a latch of an older version', () => writeFileSync(killLatchFile(folder), '{"reason":"x","at":null}')],
  ])('stays with %s', (_what, damage) => {
    byWatchdog();
    damage();
    expect(rearm()).toMatchObject({ kind: 'kept' });
    expect(readKillLatch(folder)).not.toBeNull();
  });

  test('is a person’s once it is left to them: nobody waits for it any more', () => {
    byWatchdog();
    leaveToPerson(folder, 'It was re-armed 2 times today.', NOON);
    expect(readKillLatch(folder)).toMatchObject({ reason: 'The watchdog: silence.', rearm: 'by-person' });
    expect(trail()).toContain('Not re-armed: It was re-armed 2 times today.');
    expect(rearm()).toMatchObject({ kind: 'kept' });
  });

  test('that was removed is not set by leaving it to a person', () => {
    leaveToPerson(folder, 'An order was placed.', NOON);
    expect(readKillLatch(folder)).toBeNull();
  });

  test('that a person has removed meanwhile is not counted', () => {
    expect(rearm()).toEqual({ kind: 'kept', why: 'The kill latch was removed meanwhile.' });
    expect(takeRearmNews(folder)).toBeNull();
  });
});

test('the next bot reports it once', () => {
  byWatchdog();
  rearm();
  expect(takeRearmNews(folder)).toBe(
    'The watchdog ended the bot, proved that no order of it is open, and re-armed it at 2026-01-31T12:00:00.000Z. ' +
      'The watchdog: silence.',
  );
  expect(takeRearmNews(folder)).toBeNull();
});
