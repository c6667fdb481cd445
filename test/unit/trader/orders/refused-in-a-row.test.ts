// What the exchange refuses again and again (K9), beside creates that do not leave this machine.
import { expect, test } from '@jest/globals';
import { HOUR } from '../../../../src/domain/time.ts';
import type { CreateOutcome } from '../../../../src/venue/outcomes.ts';
import { type Desk, nextCreate, notSent, ops, readyDesk, reasons, rejected } from '../trader-kit.ts';

const refusals = (desk: Desk): number =>
  desk.events.filter(({ type, payload }) => type === 'create-outcome' && payload.outcome === 'rejected').length;
const refused = rejected(-1114);

/** The desk answers creates with these, again and again. */
function answering(desk: Desk, outcomes: readonly CreateOutcome[]): void {
  let count = 0;
  desk.reply = ({ kind }) => {
    if (kind !== 'create') return undefined;
    count += 1;
    return outcomes[(count - 1) % outcomes.length];
  };
}

test('an unsent create is no answer of the exchange: the refusals around it are in a row', () => {
  const desk = readyDesk();
  answering(desk, [refused, refused, notSent]);
  desk.run(30_000);
  expect(refusals(desk)).toBe(3);
  expect(ops(desk)).toContain('resting');
  expect(reasons(desk)[0]).toMatch(/^Resting for \d+\.\d s after 3 creates in a row that failed \(-1114\)/);
});

test('a symbol resting after refusals goes on resting if an earlier create does not leave', () => {
  const desk = readyDesk();
  const held = nextCreate(desk);
  answering(desk, [refused]);
  desk.run(10_000);
  expect(refusals(desk)).toBe(3);
  desk.answer(held, notSent);
  desk.run(10_000);
  expect(refusals(desk)).toBe(3);
  expect(reasons(desk)[0]).toMatch(/^Resting for [34]\d\.\d s after 3 creates in a row that failed \(-1114\)/);
});

test.each(['exchange', 'gateway'] as const)('a 429 of the %s is about the lane: no symbol rests', (throttledBy) => {
  const desk = readyDesk();
  answering(desk, [{ kind: 'soft-rejected', msg: 'Too many requests.', throttledBy }]);
  desk.run(60_000);
  expect(desk.sent.filter(({ chosen }) => chosen.request.kind === 'create').length).toBeGreaterThan(2);
  expect(ops(desk)).not.toContain('resting');
});

test('people are called once for a row of refusals, however often the symbol rests', () => {
  const desk = readyDesk();
  answering(desk, [refused]);
  desk.run(HOUR, 500);
  const rests = desk.notices.filter(({ op }) => op === 'resting').map(({ level }) => level);
  expect(rests.length).toBeGreaterThan(20);
  expect(rests.filter((level) => level === 'page')).toHaveLength(1);
});
