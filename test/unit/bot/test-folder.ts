// A folder for the tests of a file.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/** Empty at the beginning of each test, removed after it. */
export function testFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'quotekeeper-')));
  beforeEach(() => void mkdirSync(folder, { recursive: true }));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
