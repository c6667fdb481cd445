import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { loadStrategy, strategyNames } from '../../../strategies/index.ts';

const GOOD = `{ name: 'mine', params: { safeParse() {} }, quote: () => ({ quotes: [], explain: [] }) }`;

const BORROWED = `import { amount, defineStrategy, z } from 'quotekeeper/strategy';
  export default defineStrategy({
    name: 'borrowed',
    params: z.object({ quantity: amount('positive') }),
    quote: () => ({ quotes: [], explain: [] }),
  });`;

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
      /^There is no strategy "fixed-sprad"; there are avellaneda-stoikov, .*, fixed-spread, glft, .*\.$/,
    );
  });

  test.each(['index', '../src/domain/order', 'fixed-spread.ts', ''])('"%s" is no name of a strategy', async (name) => {
    expect((await loadStrategy(name)).ok).toBe(false);
  });
});

describe("a user's own folder", () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'strategies-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const errorOf = async (name: string): Promise<string> => {
    const loaded = await loadStrategy(name, folder);
    return loaded.ok ? 'it loads' : loaded.error;
  };

  test('a file that exports `strategy` or a default just works', async () => {
    write('named.ts', `export const strategy: object = ${GOOD};`);
    write('standard.mts', `export default ${GOOD};`);
    write('stripped.js', `export default ${GOOD};`);
    for (const name of ['named', 'standard', 'stripped']) expect(await errorOf(name)).toBe('it loads');
  });

  test('it finds the parts of the program that runs, where no packages are installed', async () => {
    write('borrowed.ts', BORROWED);
    const loaded = await loadStrategy('borrowed', folder);
    if (!loaded.ok) throw new Error(loaded.error);
    expect(loaded.value.params.parse({ quantity: '0.5' })).toEqual({ quantity: decimal('0.5') });
    expect(loaded.value.params.safeParse({ quantity: '-1' }).success).toBe(false);
  });

  test('so does one that is put among those that come with the program', () => {
    mkdirSync(join(folder, 'strategies'));
    for (const part of ['src', 'node_modules']) symlinkSync(resolve(part), join(folder, part));
    copyFileSync('strategies/index.ts', join(folder, 'strategies/index.ts'));
    write('strategies/borrowed.ts', BORROWED);
    const script = `import { loadStrategy } from ${JSON.stringify(join(folder, 'strategies/index.ts'))};
      console.log(JSON.stringify(await loadStrategy('borrowed')));`;
    // A process of its own: other tests of this one may have lent the parts before.
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(JSON.parse(told)).toMatchObject({ ok: true, value: { name: 'borrowed' } });
  });

  test('one that comes with the program is found beside it', async () => {
    expect(await errorOf('glft')).toBe('it loads');
  });

  test('a name that is there twice says where, and loads neither', async () => {
    write('glft.ts', `export default ${GOOD};`);
    write('mine.ts', `export default ${GOOD};`);
    write('mine.mts', `export default ${GOOD};`);
    expect(await errorOf('glft')).toMatch(
      /^The name "glft" does not say which strategy is meant: .*\/glft\.ts and .*strategies\/glft\.ts\. Rename/,
    );
    expect(await errorOf('mine')).toContain(`${join(folder, 'mine.mts')} and ${join(folder, 'mine.ts')}`);
  });

  test('a link to the folder of the program is that folder', async () => {
    const link = join(folder, 'linked');
    symlinkSync(join(import.meta.dirname, '../../../strategies'), link);
    expect((await loadStrategy('glft', link)).ok).toBe(true);
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

  test('a name that is nowhere lists the names of both folders, a missing one as empty', async () => {
    const nowhere = join(folder, 'nowhere');
    const loaded = await loadStrategy('any', nowhere);
    expect(loaded.ok ? '' : loaded.error).toMatch(new RegExp(`, microprice-pegged, and in ${nowhere} none\\.$`));
    write('mine.ts', `export default ${GOOD};`);
    write('types.d.ts', 'export type Nothing = null;');
    expect(await errorOf('any')).toMatch(new RegExp(`, and in ${folder} mine\\.$`));
  });
});
