// The memory of a bot: what reaches the file, what is taken from the journal, and that no trouble with the file is the
// bot's.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from '@jest/globals';
import FakeTimers from '@sinonjs/fake-timers';
import type { LogEvent } from '../../../../src/bot/base/log.ts';
import { memoryPath } from '../../../../src/bot/memory/memory-schema.ts';
import { startMemoryThread } from '../../../../src/bot/memory/memory-thread.ts';
import { readMemory } from '../../../../src/bot/memory/read-memory.ts';
import { type Memory, startMemory } from '../../../../src/bot/memory/start-memory.ts';
import { openSqliteJournal, type SqliteJournal } from '../../../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../../../../src/bot/state-folder/state-folder.ts';
import { DAY, SECOND } from '../../../../src/domain/time.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import type { Completed } from '../../../../src/venue/outcomes.ts';
import { corrected, fill, moment, opening, recordsOf, reversed } from '../../books/books-kit.ts';
import { paused, session } from '../../books/live-journal.ts';
import { deskSettings } from '../../trader/desk-settings.ts';
import { quotingDesk } from '../../trader/trader-kit.ts';
import { stateFolder } from './memory-kit.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Begun {
  readonly memory: Memory;
  readonly journal: SqliteJournal;
  readonly lines: LogEvent[];
  readonly file: string;
}

/** `before`: what happens before the first batch is taken. */
function begin(folder = stateFolder(), before: (memory: Memory) => void = () => undefined): Begun {
  const lines: LogEvent[] = [];
  const statement = { yearBegins: '04-01', timeZone: 'Asia/Kolkata', costs: {} };
  const settings = { stateFolder: folder, statement, trader: deskSettings() };
  const memory = startMemory({
    settings,
    clock: realClock,
    log: { logEvent: (line) => lines.push(line) },
    afresh: false,
  });
  const journal = openSqliteJournal(journalPath(folder));
  closing.push(() => journal.close(), memory.end);
  const desk = quotingDesk();
  before(memory);
  memory.begin(desk.state, journal);
  return { memory, journal, lines, file: memoryPath(folder) };
}

/** Waits until it is so; the test's own limit ends it else. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Ends it without the patience of a bot that ends: a thread takes longer than that to start on a busy machine. */
async function endWithPatience(memory: Memory): Promise<void> {
  const still = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await memory.end();
  } finally {
    still.uninstall();
  }
}

function rows(file: string, sql: string): readonly Record<string, unknown>[] {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  } catch {
    return [];
  }
}

const REFUSED = {
  kind: 'create',
  outcome: { kind: 'soft-rejected' },
  facts: { sentAt: 0, receivedAt: 1, status: 429 },
} as unknown as Completed;

test('prices, decisions, requests, notices and fills are in the file when the bot has ended', async () => {
  const { memory, file } = begin();
  const asked = { purpose: 'quote buy:0' };
  for (let times = 0; times < 3; times += 1) memory.completed(asked, REFUSED);
  memory.notice({ level: 'warn', op: 'read-failed', message: 'The book could not be read.' }, true);
  memory.notice({ level: 'info', op: 'accepted', message: 'An order was accepted.' }, true);
  memory.markout('BTC/INR', { side: 'buy', horizon: 5, gained: -2, filled: 100 });
  const written: unknown[] = [];
  const storage = memory.storage({ append: (records: unknown) => written.push(records) } as unknown as SqliteJournal);
  const records = recordsOf([fill({ on: '2026-05-01', id: '7', price: '99' }), ...paused(1)]);
  storage.append(records);
  expect(written).toEqual([records]);
  await endWithPatience(memory);
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
  expect(reader?.notices({ from: 0, to: now + 1 }).map(({ op }) => op)).toEqual(['paused', 'read-failed']);
  // The desk's book is of another day than the clock here: its price is not one of now.
  expect(rows(file, 'SELECT DISTINCT typeof(inventory) AS held, reference FROM point')).toEqual([
    { held: 'real', reference: null },
  ]);
  const span = { from: moment('2026-05-01') - 1, to: moment('2026-05-01') + 1 };
  expect(reader?.history({ symbol: 'BTC/INR', ...span, points: 2, now }).fills).toMatchObject([{ price: 99 }]);
  expect(rows(file, 'SELECT DISTINCT side FROM decision ORDER BY side')).toEqual([{ side: 'buy' }, { side: 'sell' }]);
  reader?.close();
});

test('a file that begins takes fills from the journal, and from the books where they have left it', async () => {
  const folder = stateFolder();
  session(folder, [
    ...opening('2026-04-01', { INR: '1000', BTC: '0' }),
    fill({ on: '2026-04-02', id: '1' }),
    fill({ on: '2026-04-03', id: '2' }),
    corrected({ on: '2026-04-03', id: '2', price: '90' }),
    reversed('1', 'buy', '2026-04-04'),
    ...paused(200),
    fill({ on: '2026-04-05', id: '3' }),
  ]);
  const { file } = begin(folder);
  await until(() => rows(file, "SELECT * FROM fact WHERE name = 'rebuilt'").length > 0);
  expect(rows(file, 'SELECT trade_id AS id, price, gone FROM fill ORDER BY trade_id')).toEqual([
    { id: '1', price: 0, gone: 1 },
    { id: '2', price: 90, gone: 0 },
    { id: '3', price: 100, gone: 0 },
  ]);
});

test('a fill of the bot stays its own when its tax is settled after its order was forgotten', async () => {
  const folder = stateFolder();
  session(folder, [
    ...opening('2026-04-01', { INR: '1000', BTC: '1' }),
    fill({ on: '2026-04-02', id: '1', side: 'sell' }),
    corrected({ on: '2026-04-02', id: '1', side: 'sell', tds: '1', byHand: true, booked: '2026-04-09' }),
    fill({ on: '2026-04-03', id: '2', byHand: true }),
    corrected({ on: '2026-04-03', id: '2', fee: '1', byHand: true, booked: '2026-04-09' }),
  ]);
  const { file } = begin(folder);
  await until(() => rows(file, "SELECT * FROM fact WHERE name = 'rebuilt'").length > 0);
  expect(rows(file, 'SELECT trade_id AS id, ours FROM fill ORDER BY trade_id')).toEqual([
    { id: '1', ours: 1 },
    { id: '2', ours: 0 },
  ]);
});

test('a folder that takes no file costs a line in the log, and the bot its history', async () => {
  const folder = stateFolder();
  mkdirSync(`${memoryPath(folder)}.aside`);
  mkdirSync(memoryPath(folder));
  writeFileSync(`${memoryPath(folder)}.aside/held`, '');
  const { memory, lines } = begin(folder);
  await until(() => lines.length > 0);
  memory.completed({ purpose: 'book' }, REFUSED);
  expect(lines.map(({ op, level }) => [op, level])).toEqual([['state-folder', 'warn']]);
  expect(lines[0]?.message).toContain(memoryPath(folder));
  const query = { symbol: 'BTC/INR', from: 0, to: 1, points: 2, now: 1 };
  expect(await memory.history(query)).toBeNull();
});

test.each([
  ['until it can', true],
  ['until the end, where it can be then', false],
])('what can not be written is kept %s', async (_words, isWaitedFor) => {
  const folder = stateFolder();
  mkdirSync(memoryPath(folder));
  const intervals = FakeTimers.install({ toFake: ['setInterval', 'clearInterval'] });
  closing.push(() => intervals.uninstall());
  const { memory, lines, file } = begin(folder, (begun) => {
    for (let times = 0; times < 3; times += 1) begun.completed({ purpose: 'book' }, REFUSED);
  });
  await until(() => lines.some(({ op }) => op === 'state-folder'));
  rmSync(file, { recursive: true });
  const isGood = (): boolean => lines.some(({ op, level }) => op === 'state-folder' && level === undefined);
  if (isWaitedFor)
    await until(() => {
      intervals.tick(SECOND);
      return isGood();
    });
  intervals.uninstall();
  await endWithPatience(memory);
  expect(rows(file, "SELECT n FROM count WHERE kind = 'request' AND level = 3 AND a = 'private'")).toEqual([{ n: 3 }]);
});

test('a file of something else is put aside with a sentence, and what follows is remembered', async () => {
  const folder = stateFolder();
  writeFileSync(memoryPath(folder), 'x'.repeat(5_000));
  const { lines, file } = begin(folder);
  // The file is written by the thread, the line by whoever takes the thread's answer: either may be there first.
  await until(() => lines.length > 0 && rows(file, 'SELECT * FROM point').length > 0);
  expect(lines.map(({ message }) => message)).toEqual([
    `${file} could not be gone on with (it is no database). It is kept as ${file}.aside, and one is begun anew: ` +
      'prices, decisions and requests are known from now on, fills and locks from the journal.',
  ]);
});

test('a bug in what is remembered is said once, and never thrown at the bot', () => {
  const { memory, lines } = begin();
  const broken = { kind: 'nonsense' } as unknown as Completed;
  for (let times = 0; times < 3; times += 1) memory.completed({ purpose: 'book' }, broken);
  expect(lines.map(({ message }) => message)).toEqual([
    'Something of what happens is not remembered: an unexpected TypeError.',
  ]);
});

test('a thread that could not be started is started with the next step', async () => {
  const folder = stateFolder();
  let failures = 0;
  const thread = startMemoryThread({
    // It is read to be handed to the thread.
    get file() {
      failures += 1;
      if (failures === 1) throw new Error('There is no thread to be had.');
      return memoryPath(folder);
    },
    maxBytes: 2 ** 24,
  });
  closing.push(() => thread.close(null, 60_000));
  expect(await thread.do({ kind: 'thin', now: 0 })).toMatchObject({ kind: 'failed', again: true });
  expect(thread.isIdle()).toBe(true);
  expect((await thread.do({ kind: 'thin', now: 0 })).kind).toBe('written');
});
