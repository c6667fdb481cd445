// The bot's memory file: what reaches it, and that no trouble with the file affects the bot.
import { mkdirSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import FakeTimers from '@sinonjs/fake-timers';
import type { LogEvent } from '../../../../src/bot/base/log.ts';
import { memoryPath } from '../../../../src/bot/memory/memory-file.ts';
import { readMemory } from '../../../../src/bot/memory/read-memory.ts';
import { type Memory, startMemory } from '../../../../src/bot/memory/start-memory.ts';
import type { BotJournal } from '../../../../src/bot/state-folder/bot-journal.ts';
import { DAY, SECOND } from '../../../../src/domain/time.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import type { Completed } from '../../../../src/venue/outcomes.ts';
import { quotingDesk } from '../../trader/trader-kit.ts';
import { corrected, fill, moment, recordsOf, reversed } from '../books/books-kit.ts';
import { stateFolder } from './memory-kit.ts';

let timers: ReturnType<typeof FakeTimers.install>;
const closing: (() => void)[] = [];
beforeEach(() => {
  timers = FakeTimers.install({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
  timers.uninstall();
});

interface Begun {
  readonly memory: Memory;
  readonly lines: LogEvent[];
  readonly file: string;
}

/** `before`: runs before the first batch is taken. */
function begin(folder = stateFolder(), before: (memory: Memory) => void = () => undefined): Begun {
  const lines: LogEvent[] = [];
  const statement = {
    yearBegins: '04-01',
    timeZone: 'Asia/Kolkata',
    costs: {},
    method: 'fifo',
    taxRules: null,
  } as const;
  const log = { logEvent: (line: LogEvent) => void lines.push(line) };
  const memory = startMemory({ settings: { stateFolder: folder, statement }, clock: realClock, log, afresh: false });
  closing.push(memory.end);
  before(memory);
  const desk = quotingDesk();
  memory.begin(() => takeSnapshot(desk.state(), realClock.now()));
  return { memory, lines, file: memoryPath(folder) };
}

function rows(file: string, sql: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

const REFUSED = {
  kind: 'create',
  outcome: { kind: 'soft-rejected' },
  facts: { sentAt: 0, receivedAt: 1, status: 429 },
} as unknown as Completed;
const REQUESTS = "SELECT n FROM count WHERE kind = 'request'";

test('prices, requests, notices and fills are in the file when the bot has ended', () => {
  const { memory, file } = begin();
  const asked = { purpose: 'quote buy:0' };
  for (let times = 0; times < 3; times += 1) memory.completed(asked, REFUSED);
  memory.notice({ level: 'warn', op: 'read-failed', message: 'The book could not be read.' }, true);
  memory.notice({ level: 'info', op: 'accepted', message: 'An order was accepted.' }, true);
  memory.notice({ level: 'info', op: 'unlocked', symbol: 'BTC/INR', message: 'Its time is over.' }, true);
  memory.markout('BTC/INR', { side: 'buy', horizon: 5, gained: -2, filled: 100 });
  const written: unknown[] = [];
  const storage = memory.storage({ append: (records: unknown) => written.push(records) } as unknown as BotJournal);
  const records = recordsOf([
    fill({ on: '2026-05-01', id: '7', price: '99' }),
    fill({ on: '2026-05-01', id: '8', price: '98' }),
    corrected({ on: '2026-05-01', id: '7', price: '90', byHand: true }),
    reversed('8', 'buy', '2026-05-01'),
    fill({ on: '2026-05-01', id: '9', byHand: true }),
    corrected({ on: '2026-05-01', id: '9', fee: '1', byHand: true }),
  ]);
  storage.append(records);
  expect(written).toEqual([records]);
  memory.end();
  const reader = readMemory(file);
  const now = realClock.now();
  const counts = (reader?.counts({ from: now - DAY, to: now }) ?? []).map(({ symbol, kind, a, b, c, n }) =>
    [symbol, kind, a, b, c, n].join(' '),
  );
  expect(counts).toEqual(
    expect.arrayContaining([
      ' request private create soft-rejected 3',
      ' purpose private quote buy:#  3',
      ' throttled private 429  3',
      ' notice warn read-failed  1',
      ' notice info accepted  1',
      'BTC/INR markout buy 5 gained -2',
    ]),
  );
  expect(reader?.notices({ from: 0, to: now + 1 }).map(({ op }) => op)).toEqual(['read-failed', 'unlocked']);
  // The desk's book is from another day than the clock here, so its price is outdated.
  expect(rows(file, 'SELECT DISTINCT typeof(inventory) AS held, reference FROM point')).toEqual([
    { held: 'real', reference: null },
  ]);
  const span = { from: moment('2026-05-01') - DAY, to: moment('2026-05-01') + DAY };
  const { fills } = reader?.history({ symbol: 'BTC/INR', ...span, points: 2, now }) ?? {};
  expect(fills).toMatchObject([{ tradeId: '7', price: 90 }]);
  reader?.close();
});

test('an unwritable folder costs a line in the log; unwritten rows are kept until they can be written', () => {
  const folder = stateFolder();
  mkdirSync(memoryPath(folder));
  const { memory, lines, file } = begin(folder, (begun) => begun.completed({ purpose: 'book' }, REFUSED));
  expect(memory.history({ symbol: 'BTC/INR', from: 0, to: 1, points: 2, now: 1 })).toBeNull();
  memory.completed({ purpose: 'book' }, REFUSED);
  timers.tick(10 * SECOND);
  expect(lines.map(({ op, level }) => [op, level])).toEqual([['state-folder', 'warn']]);
  expect(lines[0]?.message).toContain(file);
  rmSync(file, { recursive: true });
  timers.tick(10 * SECOND);
  expect(lines.at(-1)?.message).toBe(`${file} is written again.`);
  memory.completed({ purpose: 'book' }, REFUSED);
  memory.end();
  expect(rows(file, REQUESTS)).toEqual([{ n: 3 }]);
});

test('a file held by another process is written once it is free', () => {
  const { memory, lines, file } = begin();
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  memory.completed({ purpose: 'book' }, REFUSED);
  timers.tick(10 * SECOND);
  expect(lines.map(({ message }) => message)).toEqual([
    `The history is not recorded: ${file} can't be written (another process holds it). It is tried again.`,
  ]);
  other.close();
  memory.end();
  expect(rows(file, REQUESTS)).toEqual([{ n: 1 }]);
});

test('a bug in the recorder is logged once, and never reaches the bot', () => {
  const { memory, lines } = begin();
  const broken = { kind: 'nonsense' } as unknown as Completed;
  for (let times = 0; times < 3; times += 1) memory.completed({ purpose: 'book' }, broken);
  expect(lines.map(({ message }) => message)).toEqual([
    'Something of what happens is not remembered: an unexpected TypeError.',
  ]);
});
