// A backup is trusted as far as its manifest goes: anything else in its file is neither unpacked nor stored.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import { beforeEach, expect, test } from '@jest/globals';
import { makeBackup } from '../../../../src/bot/state-folder/backup.ts';
import { restoreBackup } from '../../../../src/bot/state-folder/restore.ts';
import { testFolder } from '../test-folder.ts';
import { runOnce, settingsOf } from './state-folder-kit.ts';

const root = testFolder();
let backup = '';
beforeEach(() => {
  backup = path.join(root, 'a.backup');
  runOnce(root);
  makeBackup(settingsOf(root), backup);
});

interface Row {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The size stated in the row. */
  readonly size?: number;
}

function put({ name, bytes, size = bytes.length }: Row): void {
  const database = new DatabaseSync(backup);
  database.prepare('INSERT OR REPLACE INTO sqlar VALUES (?, 33152, 1, ?, ?)').run(name, size, bytes);
  database.close();
}

/** The same file with a changed manifest. */
function amend(change: (manifest: { files: object[] }) => void): void {
  const database = new DatabaseSync(backup);
  const { data, sz } = database.prepare("SELECT data, sz FROM sqlar WHERE name = 'manifest.json'").get() ?? {};
  database.close();
  if (!(data instanceof Uint8Array)) throw new Error('There is no manifest.');
  const text = new TextDecoder().decode(data.length < Number(sz) ? inflateSync(data) : data);
  const manifest = JSON.parse(text);
  change(manifest);
  put({ name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) });
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const to = (): string => path.join(root, 'restored');
const restore = () => restoreBackup(settingsOf(to()), backup, false);

const MANIFEST_NO_GOOD = 'its manifest is damaged. Nothing was changed.';

test.each(['page-token', 'paper-keys', 'control.sock', 'lease.json', 'restored.json', 'bot.log', 'journal.sqlite-wal'])(
  'a manifest that names %s is of no backup of this program',
  (name) => {
    const bytes = Buffer.from('planted\n');
    put({ name, bytes });
    amend(({ files }) => files.push({ name, bytes: bytes.length, sha256: sha256(bytes) }));
    expect(restore).toThrow(MANIFEST_NO_GOOD);
    expect(existsSync(path.join(to(), name))).toBe(false);
  },
);

test('a file missing in its manifest is neither unpacked nor restored', () => {
  put({ name: 'page-token', bytes: Buffer.from('planted') });
  // Unpacking it would throw: it is not packed, and states a size of a petabyte.
  put({ name: 'bomb', bytes: Buffer.from('no packed text'), size: 2 ** 50 });
  expect(restore().put).toEqual(['journal.sqlite', 'journal-witness.json']);
  expect(existsSync(path.join(to(), 'page-token'))).toBe(false);
});

test('a file that is larger than its kind may be is refused before it is unpacked', () => {
  const zeros = Buffer.alloc(80 * 2 ** 20);
  put({ name: 'kill-latch.json', bytes: deflateSync(zeros), size: zeros.length });
  amend(({ files }) => files.push({ name: 'kill-latch.json', bytes: zeros.length, sha256: sha256(zeros) }));
  expect(restore).toThrow(MANIFEST_NO_GOOD);
});

test('a row that states a larger size than the manifest is not unpacked', () => {
  const text = Buffer.alloc(1_000, 'x');
  put({ name: 'kill-latch.json', bytes: deflateSync(text), size: 2 ** 45 });
  amend(({ files }) => files.push({ name: 'kill-latch.json', bytes: text.length, sha256: sha256(text) }));
  expect(restore).toThrow('kill-latch.json has another checksum');
});
