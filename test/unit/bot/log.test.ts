// The log writes its events as lines, but never a secret: canaries go in everywhere and must not come out.
import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createLog, type Log, type LogSettings } from '../../../src/bot/base/log.ts';
import { testFolder } from './test-folder.ts';

const CANARY = 'canary/"key"+äx==\\9f';
const folder = testFolder();

function memoryLog(settings: Partial<LogSettings> = {}, isTerminal = false): { log: Log; text: () => string } {
  let text = '';
  const stream = {
    write(chunk: string): boolean {
      text += chunk;
      return true;
    },
  };
  return { log: createLog({ level: 'info', ...settings }, { stream, isTerminal }), text: () => text };
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('the log', () => {
  test('continues in a new file once it is reopened, and at the end of a truncated one', async () => {
    const file = path.join(folder, 'bot.log');
    const { log } = memoryLog({ file });
    log.logEvent({ op: 'first' });
    renameSync(file, `${file}.1`);
    log.logEvent({ op: 'second' });
    log.reopen();
    log.logEvent({ op: 'third' });
    truncateSync(file);
    log.logEvent({ op: 'fourth' });
    await log.close();
    expect(linesOf(readFileSync(`${file}.1`, 'utf8')).map(({ op }) => op)).toEqual(['first', 'second']);
    expect(linesOf(readFileSync(file, 'utf8')).map(({ op }) => op)).toEqual(['fourth']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keeps writing to the open file if it cannot be reopened', async () => {
    const file = path.join(folder, 'logs/bot.log');
    const { log } = memoryLog({ file });
    renameSync(path.dirname(file), path.join(folder, 'moved'));
    writeFileSync(path.dirname(file), 'a file where the folder was');
    expect(() => log.reopen()).toThrow();
    log.logEvent({ op: 'still-there' });
    await log.close();
    expect(linesOf(readFileSync(path.join(folder, 'moved/bot.log'), 'utf8')).map(({ op }) => op)).toEqual([
      'still-there',
    ]);
  });

  test('writes one JSON line per event, with time, level, op and fields', () => {
    const { log, text } = memoryLog();
    log.logEvent({ op: 'order-created', symbol: 'BTC/INR', price: '5500000', message: 'An order was created.' });
    const [line] = linesOf(text());
    expect(line).toMatchObject({ level: 'info', op: 'order-created', symbol: 'BTC/INR', price: '5500000' });
    expect(line).toMatchObject({ msg: 'An order was created.', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
  });

  test('goes to a file as well, which only its owner can read', async () => {
    const file = path.join(folder, 'deep', 'bot.log');
    const { log, text } = memoryLog({ file }, true);
    log.registerSecret(CANARY);
    log.logEvent({ op: 'started', held: CANARY });
    await log.close();
    expect(linesOf(readFileSync(file, 'utf8'))).toEqual([expect.objectContaining({ op: 'started', held: '[secret]' })]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(text()).toContain('[secret]');
  });
});

describe('a log file on a full volume', () => {
  const source = path.resolve(import.meta.dirname, '../../../src/bot/base/log.ts');

  /** Standard output and standard error of a program with a log in `file`. */
  function played(file: string, steps: string): { said: string; complained: string } {
    const program = path.join(folder, 'child.mjs');
    const target = '{ stream: { write: () => true }, isTerminal: false }';
    const opened = `createLog({ level: 'info', file: ${JSON.stringify(file)} }, ${target})`;
    const imports = `import fs from 'node:fs'; const { createLog } = await import(${JSON.stringify(source)});`;
    writeFileSync(program, `${imports} const log = ${opened};\n${steps}`);
    const options = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', program], options);
    return { said: stdout.trim(), complained: stderr.trim() };
  }

  test('is reported once on standard error, and its lines are not kept without bound', () => {
    const { said, complained } = played(
      '/dev/full',
      `const used = () => {
        globalThis.gc();
        const { heapUsed, external } = process.memoryUsage();
        return heapUsed + external;
      };
      const log1000 = (times) => {
        for (let n = 0; n < times; n += 1) log.logEvent({ op: 'status', message: 'x'.repeat(1000) + n });
      };
      log1000(2000);
      const before = used();
      log1000(20000);
      console.log((used() - before) / 2 ** 20 < 5 ? 'little' : 'much');`,
    );
    expect(complained).toBe('The log file cannot be written; the log goes on without it.');
    expect(said).toBe('little');
  });

  test('is written again once there is room: the waiting lines, and how much is missing', () => {
    const file = path.join(folder, 'bot.log');
    const { complained } = played(
      file,
      `const write = fs.writeSync;
      let room = 9;
      fs.writeSync = (fd, text) => {
        if (room === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        const bytes = Buffer.from(text);
        const length = Math.min(room, bytes.length);
        room -= length;
        return write(fd, bytes, 0, length);
      };
      log.logEvent({ op: 'torn' });
      for (let n = 0; n < 3; n += 1) log.logEvent({ op: 'large', message: 'x'.repeat(500_000) });
      room = Infinity;
      for (const op of ['third', 'fourth']) log.logEvent({ op });`,
    );
    const ops = linesOf(readFileSync(file, 'utf8').trim()).map(({ op }) => op);
    expect(ops).toEqual(['torn', 'large', 'large', 'third', 'fourth']);
    expect(complained.split('\n')).toEqual([
      'The log file cannot be written; the log goes on without it.',
      'The log file can be written again; it lacks 1 line.',
    ]);
  });
});

describe('a secret', () => {
  test.each([
    ['in a field', { op: 'x', field: CANARY }],
    ['inside a sentence', { op: 'x', message: `Sent ${CANARY} to them.` }],
    ['as a name', { op: 'x', [CANARY]: 1 }],
    ['deep inside', { op: 'x', deep: [{ a: { b: [`${CANARY}${CANARY}`] } }] }],
    ['percent-encoded in an address', { op: 'x', url: `https://a/b?key=${encodeURIComponent(CANARY)}&c=1` }],
    ['in base64', { op: 'x', header: `Basic ${Buffer.from(CANARY).toString('base64')}` }],
    ['in base64 behind a name', { op: 'x', header: `Basic ${Buffer.from(`me:${CANARY}`).toString('base64')}` }],
    ['in base64 of an address', { op: 'x', token: Buffer.from(CANARY).toString('base64url') }],
    ['in hexadecimal', { op: 'x', bytes: Buffer.from(CANARY).toString('hex') }],
    ['as HTML', { op: 'x', page: CANARY.replaceAll('"', '&quot;').replaceAll('/', '&#x2F;').replace('ä', '&#228;') }],
    ['as JSON inside text', { op: 'x', body: JSON.stringify({ key: CANARY }) }],
    ['again and again', { op: 'x', message: `${CANARY}, ${CANARY}${CANARY}`, field: CANARY }],
    ['again, percent-encoded', { op: 'x', url: `https://a/b?${`k=${encodeURIComponent(CANARY)}&`.repeat(3)}` }],
    ['again, in base64', { op: 'x', header: `${Buffer.from(CANARY).toString('base64')} `.repeat(3) }],
    ['again, as JSON inside text', { op: 'x', body: JSON.stringify([CANARY, { key: CANARY }, CANARY]) }],
  ])('does not come out %s', (_where, event) => {
    for (const isTerminal of [false, true]) {
      const { log, text } = memoryLog({}, isTerminal);
      log.registerSecret(CANARY);
      log.logEvent(event);
      expect(text()).toContain('[secret]');
      const shown = ['base64', 'base64url', 'hex'] as const;
      for (const form of [CANARY, '9f', 'canary', ...shown.map((each) => Buffer.from(CANARY).toString(each))])
        expect(text()).not.toContain(form);
    }
  });

  test.each([
    'https://a/b?timestamp=1&signature=0123456789abcdef0123456789ABCDEF',
    '{"signature":"0123456789abcdef0123456789abcdef"}',
    'signature%3D0123456789abcdef0123456789abcdef',
    'https://a/b?signature=0123456789abcdef01 and https://a/b?signature=0123456789abcdef01',
  ])('of a signature does not come out of %s, registered or not', (message) => {
    const { log, text } = memoryLog();
    log.logEvent({ op: 'x', message });
    expect(text()).toMatch(/\[secret\]/);
    expect(text().toLowerCase()).not.toContain('0123456789abcdef');
  });

  test('inside an object with its own class does not get out', () => {
    const { log, text } = memoryLog();
    const fault = Object.assign(new Error(`GET /x?signature=zz&key=${CANARY}`), { options: { headers: CANARY } });
    // As a value that was `unknown` to the compiler: what a careless parser would pass on.
    const event = JSON.parse('{"op":"fault"}');
    event.fault = fault;
    event.list = [fault];
    log.logEvent(event);
    expect(linesOf(text())).toEqual([expect.objectContaining({ op: 'fault', fault: '[Error]', list: ['[Error]'] })]);
  });

  test('is removed from other text on request; innocent short words stay', () => {
    const { log } = memoryLog();
    log.registerSecret(CANARY);
    log.registerSecret('buy');
    expect(log.scrub(`buy with ${CANARY}`)).toBe('buy with [secret]');
    expect(log.scrub(`${CANARY} and ${CANARY}${CANARY}`)).toBe('[secret] and [secret][secret]');
  });
});
