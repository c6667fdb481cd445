// The list of ops matches the sources: a channel with a nonexistent op in `only` would be silent.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { KNOWN_OPS } from '../../../../src/bot/base/message.ts';

const source = path.resolve(import.meta.dirname, '../../../../src');
const IN_THE_BOT = ['run', 'dead-man', 'web', 'base', 'settings', 'steer', 'memory', 'chat'];
const ROOMS = ['trader', 'loop', 'watchdog', ...IN_THE_BOT.map((room) => `bot/${room}`)];

const texts = ROOMS.flatMap((room) =>
  readdirSync(path.join(source, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(source, room, file), 'utf8')),
);

/** Shown every few seconds, in the latch's trail instead of the log, or reported by the bot (`not-responding`). */
const NEVER_TOLD = ['exchange-silent', 'kept', 'money', 'request', 'status', 'told'];

test('every op in the sources is known', () => {
  const found = texts.flatMap((text) => [...text.matchAll(/\bop: '([a-z-]+)'/g)].map(([, op = '']) => op));
  expect(found.length).toBeGreaterThan(100);
  expect([...new Set(found)].filter((op) => !KNOWN_OPS.has(op) && !NEVER_TOLD.includes(op))).toEqual([]);
});

test('every known op is in the sources', () => {
  const all = [...texts, readFileSync(path.join(source, 'bot/notify/reducer.ts'), 'utf8')].join('\n');
  expect([...KNOWN_OPS].filter((op) => !all.includes(`'${op}'`))).toEqual([]);
});
