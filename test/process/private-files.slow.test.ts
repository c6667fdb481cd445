// Every file that the program believes, in the hands of somebody else: each is refused in a sentence that names it, and
// none holds the program up. In a process of its own, which ends where it waits for a pipe.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const CHILD = path.join(import.meta.dirname, 'private-files-child.ts');
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;
let root: string;

function child(task: 'write' | 'read', folder: string, uid?: number): Record<string, string> {
  const as = uid === undefined ? {} : { uid, gid: uid };
  const options = { encoding: 'utf8', timeout: 60_000, env: { PATH: process.env.PATH }, ...as } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, [CHILD, task, folder], options);
  expect({ task, status, stderr: status === 0 ? '' : stderr }).toEqual({ task, status: 0, stderr: '' });
  return task === 'write' ? {} : JSON.parse(stdout);
}

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'private-'));
  chmodSync(root, 0o755);
  mkdirSync(path.join(root, 'good'), { mode: 0o700 });
  child('write', path.join(root, 'good'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder of good files, each of which was then treated. */
function treated(name: string, treat: (file: string) => void): string {
  const folder = path.join(root, name);
  cpSync(path.join(root, 'good'), folder, { recursive: true, preserveTimestamps: true });
  chmodSync(folder, 0o700);
  for (const each of readdirSync(folder)) chmodSync(path.join(folder, each), 0o600);
  for (const each of readdirSync(folder)) treat(path.join(folder, each));
  return folder;
}

/** What a person names may be a link, and so may the witness. */
const MAY_BE_LINKS = ['keys', 'secret', 'key.pem', 'cert.pem', 'journal-witness.json'];
/** Where nothing is read of a file that is none: no sign of life, no note. */
const SILENT = ['lease.json', 'configuration.json', 'last-status.json'];

/** The readers that took their file all the same, and those whose refusal does not name it. */
function believers(folder: string, uid?: number): readonly string[] {
  const read = child('read', folder, uid);
  expect(Object.keys(read).length).toBeGreaterThan(10);
  return Object.entries(read)
    .filter(([name, said]) => (SILENT.includes(name) ? said !== 'none' : !said.includes(folder)))
    .map(([name, said]) => `${name}: ${said}`);
}

test('good files are believed, and root’s are', () => {
  const read = child(
    'read',
    treated('all-good', () => {}),
  );
  expect(Object.entries(read).filter(([, said]) => said !== 'good')).toEqual([]);
});

/** Makes something else in the place of a file. */
const instead = (make: (file: string) => unknown) => (file: string) => {
  rmSync(file);
  make(file);
};

test.each<[string, (file: string) => void]>([
  ['a pipe', instead((file) => execFileSync('mkfifo', ['-m', '600', file]))],
  ['a folder', instead((file) => mkdirSync(file))],
  ['empty', (file) => truncateSync(file, 0)],
  ['one byte', (file) => writeFileSync(file, 'x')],
  ['of binary zeros', (file) => writeFileSync(file, Buffer.alloc(300))],
  ['to be written by others', (file) => chmodSync(file, 0o606)],
  ['to be written by a group', (file) => chmodSync(file, 0o620)],
])('none that is %s is believed, or waited for', (what, treat) => {
  // SQLite takes so short a file for a new one; that it is not the journal of before the witness tells.
  const isNew = what === 'empty' || what === 'one byte' ? ['journal.sqlite: good'] : [];
  expect(believers(treated(what.replaceAll(' ', '-'), treat))).toEqual(isNew);
});

test('none behind a link is believed but those that a person names, and the witness', () => {
  const elsewhere = path.join(root, 'elsewhere');
  mkdirSync(elsewhere);
  const folder = treated('links', (file) => {
    const target = path.join(elsewhere, path.basename(file));
    renameSync(file, target);
    symlinkSync(target, file);
  });
  expect(believers(folder).toSorted()).toEqual(MAY_BE_LINKS.map((name) => `${name}: good`).toSorted());
});

test.each([0o777, 0o770, 0o702])('none in a folder of mode %o is believed: others may put another there', (mode) => {
  const folder = treated(`open-${mode}`, () => {});
  chmodSync(folder, mode);
  expect(believers(folder)).toEqual([]);
  // Nobody can put another file in the place of one in a sticky folder.
  chmodSync(folder, mode | 0o1000);
  expect(statSync(folder).mode & 0o1000).toBe(0o1000);
  expect(Object.values(child('read', folder)).filter((said) => said.includes('Others may'))).toEqual([]);
});

// Only root can give files away.
(IS_ROOT ? test : test.skip)('none of another user is believed; root’s are, where the user may read them', () => {
  expect(believers(treated('given', (file) => chownSync(file, NOBODY, NOBODY)))).toEqual([]);
  expect(
    believers(
      treated('kept', () => {}),
      NOBODY,
    ),
  ).not.toContain('good');
  const mounted = treated('mounted', (file) => {
    chownSync(file, 0, NOBODY);
    chmodSync(file, 0o440);
  });
  chmodSync(mounted, 0o755);
  const { keys, secret, 'key.pem': key, 'page-token': token } = child('read', mounted, NOBODY);
  expect([keys, secret, key, token]).toEqual(['good', 'good', 'good', 'good']);
  for (const name of readdirSync(mounted)) chmodSync(path.join(mounted, name), 0o444);
  expect(child('read', mounted, NOBODY).keys).toContain('has mode 0444');
});

test('a secret that others may read is refused, with the command that helps', () => {
  const read = child(
    'read',
    treated('read', (file) => chmodSync(file, 0o604)),
  );
  for (const name of ['keys', 'secret', 'key.pem', 'page-token']) expect(read[name]).toContain('run `chmod 600 ');
});
