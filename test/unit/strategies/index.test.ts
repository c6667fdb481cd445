import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadStrategy, strategyNames } from '../../../strategies/index.ts';

const GOOD = `{ name: 'mine', params: { safeParse() {} }, quote: () => ({ quotes: [], explain: [] }) }`;

describe('the strategies of the project', () => {
  test('all load and bear the name of their file', async () => {
    const names = await strategyNames();
    expect(names).toEqual([
      ...['avellaneda-stoikov', 'cartea-jaimungal', 'cross-rate', 'fixed-spread', 'glft', 'join-best'],
      'microprice-pegged',
    ]);
    for (const name of names) {
      const loaded = await loadStrategy(name);
      expect(loaded.ok && loaded.value.name).toBe(name);
    }
  });

  test('a wrong name lists those that exist', async () => {
    const loaded = await loadStrategy('fixed-sprad');
    expect(loaded.ok ? '' : loaded.error).toMatch(
      /^There is no strategy "fixed-sprad" in .*; there are avellaneda-stoikov, .*, fixed-spread, glft, .*\.$/,
    );
  });

  test.each(['index', '../src/domain/order', 'fixed-spread.ts', ''])('"%s" is no name of a strategy', async (name) => {
    expect((await loadStrategy(name)).ok).toBe(false);
  });
});

describe("a user's own folder", () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'strategies-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const errorOf = async (name: string): Promise<string> => {
    const loaded = await loadStrategy(name, folder);
    return loaded.ok ? 'it loads' : loaded.error;
  };

  test('a file that exports `strategy` or a default just works', async () => {
    write('named.ts', `export const strategy: object = ${GOOD};`);
    write('standard.ts', `export default ${GOOD};`);
    expect(await errorOf('named')).toBe('it loads');
    expect(await errorOf('standard')).toBe('it loads');
  });

  test('a file without either says so', async () => {
    write('empty.ts', 'export const something = 1;');
    expect(await errorOf('empty')).toContain('is missing an export called `strategy` or a default export');
  });

  test('a strategy of the wrong shape is told what it is missing', async () => {
    write('half.ts', `export const strategy = { name: 'half', quote: 3 };`);
    expect(await errorOf('half')).toContain('is missing `params` (a zod schema), `quote` (a function)');
  });

  test('a file that breaks while it loads is named with its error', async () => {
    write('broken.ts', `throw new Error('no luck');`);
    expect(await errorOf('broken')).toBe(`The strategy "broken" can't be loaded: no luck`);
  });

  test('an empty or a missing folder says that there are none', async () => {
    expect(await errorOf('any')).toMatch(/; there are none\.$/);
    const loaded = await loadStrategy('any', join(folder, 'nowhere'));
    expect(loaded.ok ? '' : loaded.error).toMatch(/; there are none\.$/);
  });
});
