// The kill latch's trail about a proof: only under the current latch, not under an earlier one.
import { appendFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  killLatchTrail,
  proofUnderLatch,
  recordProof,
  removeKillLatch,
  setKillLatch,
} from '../../../../src/bot/state-folder/kill-latch.ts';
import { testFolder } from '../test-folder.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const folder = testFolder();

test('one under the latch is mentioned, with time and author; the last one counts', () => {
  expect(proofUnderLatch(folder)).toBeNull();
  setKillLatch(folder, 'Silence.', AT);
  expect(proofUnderLatch(folder)).toBeNull();
  recordProof(folder, 'watchdog', AT + 1_000);
  recordProof(folder, 'cancel-all', AT + 2_000);
  expect(proofUnderLatch(folder)).toBe(
    'Proved since, 2026-01-02 03:04:07 UTC, by cancel-all: no order of the bot is open.',
  );
});

test('one of an earlier latch says nothing about this one, and an unreadable line proves nothing', () => {
  setKillLatch(folder, 'Silence.', AT);
  recordProof(folder, 'watchdog', AT);
  removeKillLatch(folder, AT);
  setKillLatch(folder, 'Again.', AT);
  expect(proofUnderLatch(folder)).toBeNull();
  recordProof(folder, 'watchdog', AT);
  appendFileSync(killLatchTrail(folder), '{"at":"2026');
  expect(proofUnderLatch(folder)).toBeNull();
});
