// The file of own orders on a real disk: notes are read back with any part of the end torn off, damage is reported, and
// a failed rewrite is repeated later.
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  forgetOwnOrders,
  ownOrdersAt,
  ownOrdersFile,
  ownOrdersWrittenAt,
  readOwnOrders,
  writeOwnOrders,
} from '../../../src/bot/state-folder/own-orders-file.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { noOrders, type OwnNote } from '../../../src/watchdog/own-orders.ts';
import { create } from '../watchdog/watch-world.ts';
import { testFolder } from './test-folder.ts';

const NOW = 1_800_000_000_000;
let now = NOW;
const clock = { now: () => now, monotonic: () => 0 };
const folder = testFolder();
let file = '';
beforeEach(() => {
  file = ownOrdersFile(folder);
  now = NOW;
});

const sent = (intentId: string): OwnNote => ({ kind: 'sent', intentId, create: create() });
const named = (intentId: string, id: string): OwnNote => ({ kind: 'named', intentId, orderId: orderId(id) });
const closed = (intentId: string): OwnNote => ({ kind: 'closed', intentId, at: now });

/** A file with one order, one create without an id, and one that is closed. */
function written(): ReturnType<typeof writeOwnOrders> {
  const own = writeOwnOrders(file, noOrders('paper-1'), clock);
  own.note([sent('1-1')], true);
  own.note([named('1-1', '9007199254740993')], false);
  own.note([sent('1-2')], true);
  own.note([sent('1-3')], true);
  own.note([named('1-3', '1-3-1'), closed('1-3')], false);
  return own;
}

const EXPECTED = [
  ['1-1', { create: create(), orderId: '9007199254740993' }],
  ['1-2', { create: create(), orderId: null }],
];

describe('the file of own orders', () => {
  test('reads back the notes while its writer has it open', () => {
    const own = written();
    const { orders, damaged, exists } = readOwnOrders(file);
    expect({ damaged, exists, paperInstance: orders.paperInstance }).toEqual({
      damaged: null,
      exists: true,
      paperInstance: 'paper-1',
    });
    expect([...orders.open]).toEqual(EXPECTED);
    expect([...orders.closed]).toEqual([['1-3-1', NOW]]);
    expect(orders.horizon).toBe(create().horizon);
    own.close();
  });

  test('keeps amounts to the last digit', () => {
    const own = writeOwnOrders(file, noOrders(null), clock);
    const exact = create({ price: decimal('0.00000001'), quantity: decimal('123456789012345678.000000001') });
    own.note([{ kind: 'sent', intentId: 'x', create: exact }], true);
    own.close();
    const read = readOwnOrders(file).orders.open.get('x')?.create;
    expect([read?.price.toFixed(), read?.quantity.toFixed()]).toEqual(['0.00000001', '123456789012345678.000000001']);
  });

  test('missing: no orders, no damage', () => {
    expect(readOwnOrders(file)).toMatchObject({ damaged: null, exists: false });
  });

  test('torn at any byte of its last line: the earlier lines count, and nothing is reported as damaged', () => {
    written().close();
    const bytes = readFileSync(file);
    const end = bytes.indexOf(0);
    const lastLine = bytes.lastIndexOf('\n', end - 2) + 1;
    for (let cut = lastLine; cut < end - 1; cut += 1) {
      const torn = Buffer.from(bytes);
      torn.fill(0, cut);
      writeFileSync(file, torn);
      const { orders, damaged } = readOwnOrders(file);
      expect({ cut, damaged, open: orders.open.size }).toEqual({ cut, damaged: null, open: 3 });
    }
  });

  test('cut short, without the zeros at its end', () => {
    written().close();
    truncateSync(file, readFileSync(file).indexOf(0));
    expect([...readOwnOrders(file).orders.open]).toEqual(EXPECTED);
  });

  test('with one bit flipped in any line but the last is damaged, and says where', () => {
    written().close();
    const bytes = readFileSync(file);
    const lines = bytes.toString('utf8', 0, bytes.indexOf(0)).split('\n').slice(0, -1);
    let start = 0;
    for (const [index, line] of lines.entries()) {
      const turned = Buffer.from(bytes);
      const at = start + Math.floor(line.length / 2);
      turned[at] = (turned[at] ?? 0) ^ 1;
      writeFileSync(file, turned);
      expect(readOwnOrders(file).damaged).toBe(`Line ${index + 1} of the file of own orders ${file} is damaged.`);
      start += line.length + 1;
    }
  });

  test('of zeros only, or of other content, has no beginning', () => {
    for (const content of [Buffer.alloc(4_096), 'hello']) {
      writeFileSync(file, content);
      expect(readOwnOrders(file).damaged).toContain('has no beginning');
    }
  });

  test('stays small and correct over thousands of orders', () => {
    const own = writeOwnOrders(file, noOrders(null), clock);
    for (let number = 0; number < 3_000; number += 1) {
      own.note([sent(`1-${number}`)], false);
      own.note([named(`1-${number}`, `1-${number}-1`)], false);
      if (number >= 4) own.note([closed(`1-${number - 4}`)], false);
    }
    own.close();
    const { orders, damaged } = readOwnOrders(file);
    expect({ damaged, open: [...orders.open.keys()] }).toEqual({
      damaged: null,
      open: ['1-2996', '1-2997', '1-2998', '1-2999'],
    });
    expect(statSync(file).size).toBeLessThan(512 * 1_024);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('of a paper exchange that is gone yields no orders', () => {
    written().close();
    expect(ownOrdersAt(folder, 'paper-2').orders.open.size).toBe(0);
    expect(ownOrdersAt(folder, 'paper-1').orders.open.size).toBe(2);
    expect(ownOrdersAt(folder, null).orders.open.size).toBe(2);
  });

  test('starts over when all is proved gone, and keeps the horizon', () => {
    written().close();
    forgetOwnOrders(file, clock);
    const { orders, damaged } = readOwnOrders(file);
    expect({ damaged, open: orders.open.size, horizon: orders.horizon }).toEqual({
      damaged: null,
      open: 0,
      horizon: create().horizon,
    });
  });

  test('keeps the questions to a person when it starts over', () => {
    const begun = written();
    begun.note([{ kind: 'questioned', orderId: orderId('7-7-7') }], true);
    begun.close();
    expect([...forgetOwnOrders(file, clock).questioned]).toEqual(['7-7-7']);
    expect([...readOwnOrders(file).orders.questioned]).toEqual(['7-7-7']);
  });
});

describe('a full file that cannot be rewritten', () => {
  /** Like a full or read-only disk: the temporary file can't be made. */
  const block = (): void => mkdirSync(`${file}.${process.pid}.new`);
  const unblock = (): void => rmdirSync(`${file}.${process.pid}.new`);

  /** Adds notes until the next one does not fit, many at a time. */
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

  test('writes nothing into a file that another process has opened since', () => {
    const own = full();
    const victim = path.join(folder, 'somebody-elses');
    const descriptor = openSync(victim, 'w+');
    try {
      own.note([sent('3-1')], true);
    } catch {
      // Reporting it is correct as well.
    }
    expect(readFileSync(victim).length).toBe(0);
    closeSync(descriptor);
  });

  test('can be closed: what ends the bot keeps its exit code', () => {
    const own = full();
    expect(() => own.close()).not.toThrow();
  });

  test('stores everything as soon as there is room again', () => {
    const own = full();
    unblock();
    own.note([sent('3-1')], true);
    const { open } = readOwnOrders(file).orders;
    expect([open.has('2-0'), open.has('2-999'), open.has('3-1')]).toEqual([true, true, true]);
  });
});

test('closed orders that are too old to matter do not stay in memory', () => {
  const own = writeOwnOrders(file, noOrders(null), clock);
  for (let n = 0; n < 5_000; n += 1) {
    now += 60_000;
    own.note([sent(`1-${n}`), named(`1-${n}`, String(n)), closed(`1-${n}`)], false);
  }
  expect(own.orders.closed.size).toBeLessThan(1_000);
  own.close();
});

test('a file whose status can’t be read prevents no action: damaged, and perhaps written just now', () => {
  expect([ownOrdersAt(folder, null).damaged, ownOrdersWrittenAt(folder)]).toEqual([null, Number.NEGATIVE_INFINITY]);
  // Stands for EIO, which a test can't cause: ELOOP arrives in the same way.
  symlinkSync('own-orders.log', file);
  expect(ownOrdersAt(folder, null)).toMatchObject({
    exists: true,
    damaged: expect.stringContaining('is a symbolic link'),
  });
  expect(ownOrdersWrittenAt(folder)).toBe(Number.POSITIVE_INFINITY);
});
