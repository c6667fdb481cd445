// The file of own orders when it is full and can't be begun anew; and how much of closed orders is kept in memory.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ownOrdersFile, readOwnOrders, writeOwnOrders } from '../../../src/bot/own-orders-file.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { noOrders, type OwnNote } from '../../../src/watchdog/own-orders.ts';
import { create } from '../watchdog/watch-world.ts';

const MINUTE = 60_000;
let now = 1_800_000_000_000;
const clock = { now: () => now, monotonic: () => 0 };
let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'own-orders-'));
  file = ownOrdersFile(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const sent = (intentId: string): OwnNote => ({ kind: 'sent', intentId, create: create() });
const named = (intentId: string, id: string): OwnNote => ({ kind: 'named', intentId, orderId: orderId(id) });
const closed = (intentId: string): OwnNote => ({ kind: 'closed', intentId, at: now });

describe('a file that is full and can not be begun anew', () => {
  /** As a disk that is full or read-only: the file beside can't be made. */
  const block = (): void => mkdirSync(`${file}.${process.pid}.new`);
  const unblock = (): void => rmdirSync(`${file}.${process.pid}.new`);

  /** Notes until the next one does not fit, of which many come at once. */
  function full(): ReturnType<typeof writeOwnOrders> {
    const own = writeOwnOrders(file, noOrders(null), clock);
    const one = [sent('1-1'), named('1-1', '1'), closed('1-1')];
    for (let n = 0; n < 500; n += 1) own.note(one, false);
    block();
    // A cycle's worth at once, as `agree` gives it.
    const many = Array.from({ length: 1_000 }, (_, index) => sent(`2-${index}`));
    expect(() => own.note(many, false)).toThrow();
    return own;
  }

  test('writes nothing into a file that somebody else has opened since', () => {
    const own = full();
    const victim = path.join(folder, 'somebody-elses');
    const descriptor = openSync(victim, 'w+');
    try {
      own.note([sent('3-1')], true);
    } catch {
      // That it says so is right, too.
    }
    expect(readFileSync(victim).length).toBe(0);
    closeSync(descriptor);
  });

  test('can be closed: what ends the bot keeps its exit code', () => {
    const own = full();
    expect(() => own.close()).not.toThrow();
  });

  test('holds everything as soon as there is room again', () => {
    const own = full();
    unblock();
    own.note([sent('3-1')], true);
    const { open } = readOwnOrders(file).orders;
    expect([open.has('2-0'), open.has('2-999'), open.has('3-1')]).toEqual([true, true, true]);
  });
});

test('closed orders that are too old to matter are not kept in memory for ever', () => {
  const own = writeOwnOrders(file, noOrders(null), clock);
  for (let n = 0; n < 5_000; n += 1) {
    now += MINUTE;
    own.note([sent(`1-${n}`), named(`1-${n}`, String(n)), closed(`1-${n}`)], false);
  }
  expect(own.orders.closed.size).toBeLessThan(1_000);
  own.close();
});
