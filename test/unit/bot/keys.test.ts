// Keys come from the environment or a private file; every refusal says what to do and never quotes the content.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { StartError } from '../../../src/bot/base/exit-codes.ts';
import { readKeys, readSecret } from '../../../src/bot/keys/keys.ts';
import type { KeySource } from '../../../src/bot/settings/settings.ts';
import { testFolder } from './test-folder.ts';

const KEY = 'canary-key-1b7f';
const SECRET = 'canary-secret-9c2e';
const folder = testFolder();

function fileWith(text: string, mode = 0o600): KeySource {
  const file = path.join(folder, 'keys');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return { kind: 'file', path: file };
}

function refusalOf(source: KeySource, environment: Record<string, string> = {}): string {
  try {
    readKeys(source, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    if (error instanceof StartError) {
      expect(error.code).toBe(78);
      expect(error.message).not.toContain('canary');
      return error.message;
    }
  }
  return 'accepted';
}

const VARIABLES: KeySource = { kind: 'environment', key: 'QK_KEY', secret: 'QK_SECRET' };

describe('keys from the environment', () => {
  test('are read, and print as nothing', () => {
    const keys = readKeys(VARIABLES, { QK_KEY: KEY, QK_SECRET: SECRET });
    expect([keys.key.reveal(), keys.secret.reveal()]).toEqual([KEY, SECRET]);
    expect(`${JSON.stringify(keys)} ${keys.key} ${keys.secret}`).not.toContain('canary');
  });

  test.each([
    ['one that is missing', { QK_KEY: KEY }, 'QK_SECRET is not set'],
    ['an empty one', { QK_KEY: ' ', QK_SECRET: SECRET }, 'QK_KEY is not set'],
    ['one with a space in it', { QK_KEY: 'canary with spaces', QK_SECRET: SECRET }, 'QK_KEY does not look like one'],
  ])('refuses %s', (_what, environment, sentence) => {
    expect(refusalOf(VARIABLES, environment)).toContain(sentence);
  });
});

describe('keys from a file', () => {
  test.each([
    ['key: canary-key-1b7f\nsecret: canary-secret-9c2e\n'],
    ['# made on Monday\n\nsecret = canary-secret-9c2e\r\nkey = canary-key-1b7f\r\n'],
  ])('are read from %j', (text) => {
    const keys = readKeys(fileWith(text), {});
    expect([keys.key.reveal(), keys.secret.reveal()]).toEqual([KEY, SECRET]);
  });

  const good = `key: ${KEY}\nsecret: ${SECRET}\n`;
  test.each([
    ['that others may read', good, 0o644, 'chmod 600'],
    ['that its group may read', good, 0o640, 'has mode 0640'],
    ['that may be executed', good, 0o700, 'has mode 0700'],
    ['without a secret', `key: ${KEY}\n`, 0o600, 'has no line `secret: …`'],
    ['with two keys', `key: ${KEY}\nkey: ${KEY}\nsecret: ${SECRET}\n`, 0o600, 'keys:2:'],
    ['with another line', `${good}canary=1\n`, 0o600, 'keys:3:'],
    ['with a short secret', `key: ${KEY}\nsecret: abc\n`, 0o600, 'does not look like one'],
    ['that is too large', `${good}${'#'.repeat(5_000)}\n`, 0o600, 'too large'],
  ])('refuses one %s', (_what, text, mode, sentence) => {
    expect(refusalOf(fileWith(text, mode))).toContain(sentence);
  });

  test('refuses a missing file, and a folder', () => {
    expect(refusalOf({ kind: 'file', path: path.join(folder, 'none') })).toContain('There is no key file');
    mkdirSync(path.join(folder, 'sub'));
    expect(refusalOf({ kind: 'file', path: path.join(folder, 'sub') })).toContain('is not a file');
  });

  // Only root can give a file away.
  (process.getuid?.() === 0 ? test : test.skip)('refuses the file of another user', async () => {
    const source = fileWith(good);
    const { chownSync } = await import('node:fs');
    if (source.kind === 'file') chownSync(source.path, 12_345, 12_345);
    expect(refusalOf(source)).toContain('belongs to user 12345');
  });
});

describe('a single secret', () => {
  test('is the one line of a file or variable', () => {
    const { path: file } = fileWith('canary-secret-9c2e\n') as { path: string };
    expect(readSecret({ kind: 'file', path: file }, {}).reveal()).toBe(SECRET);
    expect(readSecret({ kind: 'environment', name: 'QK' }, { QK: ` ${SECRET} ` }).reveal()).toBe(SECRET);
  });

  test.each([
    ['two lines', `${SECRET}\n${SECRET}\n`, 0o600, 'has more than one line'],
    ['others who may read it', SECRET, 0o644, 'The secret file'],
    ['too little in it', 'abc', 0o600, 'does not look like one'],
  ])('is refused from a file with %s', (_what, text, mode, sentence) => {
    const { path: file } = fileWith(text, mode) as { path: string };
    expect(() => readSecret({ kind: 'file', path: file }, {})).toThrow(sentence);
    expect(() => readSecret({ kind: 'file', path: file }, {})).not.toThrow('canary');
  });
});
