// The check of the import table must catch what it is for: each row here is a small tree that breaks one rule.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { importViolations } from '../../.ci/check-imports.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'import-table-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes a tree of files; every target of an import must be among them. */
function tree(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

const value = 'export const a = 1;\nexport interface B { b: number }\n';

describe('the import table', () => {
  test.each([
    [
      'a folder that is not in the row',
      'domain/x.ts',
      "import { a } from '../venue/y.ts';",
      'venue/y.ts',
      'none of ours',
    ],
    [
      'a type, where not even types may be imported',
      'paper/x.ts',
      "import type { B } from '../client/y.ts';",
      'client/y.ts',
      'paper may import',
    ],
    [
      'client and paper apart, the other way',
      'client/x.ts',
      "import { a } from '../paper/y.ts';",
      'paper/y.ts',
      'client may import',
    ],
    [
      'a value, where types only may be imported',
      'ports/x.ts',
      "import { a } from '../venue/y.ts';",
      'venue/y.ts',
      'types only',
    ],
    [
      'a part that is shut',
      'backtest/x.ts',
      "import { a } from '../paper/server.ts';",
      'paper/server.ts',
      'must not import that part',
    ],
    [
      'a late import',
      'quoting/x.ts',
      "export const late = () => import('../trader/y.ts');",
      'trader/y.ts',
      'quoting may import',
    ],
    ['a re-export', 'ledger/x.ts', "export { a } from '../journal/y.ts';", 'journal/y.ts', 'ledger may import'],
    ['the tests', 'bot/x.ts', "import { a } from '../../test/y.ts';", '../test/y.ts', 'nothing imports test'],
  ])('catches %s', async (_what, file, text, target, sentence) => {
    tree({ [`src/${file}`]: `${text}\nexport const here = 0;\n`, [path.join('src', target)]: value });
    const violations = await importViolations(root);
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain(`src/${file} imports`);
    expect(violations[0]).toContain(sentence);
  });

  test.each([
    [
      'a package away from its home',
      'trader/x.ts',
      "import got from 'got';",
      'imports got: the packages of trader are none',
    ],
    ['a built-in away from its home', 'quoting/x.ts', "import fs from 'node:fs';", 'imports node:fs'],
    ['a built-in without its prefix', 'domain/x.ts', "import fs from 'fs';", 'imports node:fs'],
    ['a part of a package', 'venue/x.ts', "import { t } from 'node:timers/promises';", 'imports node:timers'],
    ['a file that is not there', 'domain/x.ts', "import { a } from './gone.ts';", 'which does not exist'],
    ['a folder that nobody planned', 'utils/x.ts', "import fs from 'node:fs';", 'does not know'],
  ])('catches %s', async (_what, file, text, sentence) => {
    tree({ [`src/${file}`]: `${text}\n` });
    expect(await importViolations(root)).toEqual([expect.stringContaining(sentence)]);
  });

  test('catches a circle, also one of types', async () => {
    tree({
      'src/domain/a.ts': "import type { B } from './b.ts';\nexport interface A { b: B }\n",
      'src/domain/b.ts': "import type { A } from './a.ts';\nexport interface B { a: A }\n",
    });
    const violations = await importViolations(root);
    expect(violations).toEqual([
      'src/domain/a.ts imports in a circle: src/domain/a.ts → src/domain/b.ts → src/domain/a.ts.',
    ]);
  });

  test.each([
    ['a room that looks up', 'paper/wire/x.ts', 'paper/state/y.ts', 'paper/wire may import none of its neighbors'],
    ['a room that nobody knows', 'paper/attic/x.ts', 'paper/state/y.ts', 'paper/attic, a room that the import table'],
    ['what lies beside the rooms', 'paper/gate/x.ts', 'paper/exchange.ts', 'paper/gate may import wire, state'],
  ])('catches %s', async (_what, file, target, sentence) => {
    const specifier = path.posix.relative(path.posix.dirname(file), target);
    const imported = specifier.startsWith('.') ? specifier : `./${specifier}`;
    tree({ [`src/${file}`]: `export { a } from '${imported}';\n`, [`src/${target}`]: value });
    expect(await importViolations(root)).toEqual([expect.stringContaining(sentence)]);
  });

  test('lets through what the table allows', async () => {
    tree({
      'src/domain/a.ts': value,
      'src/venue/v.ts': value,
      'src/ports/p.ts': "import type { B } from '../venue/v.ts';\nexport interface P { b: B }\n",
      'src/trader/t.ts':
        "import { a } from '../domain/a.ts';\nimport type { P } from '../ports/p.ts';\nexport const t = (p: P) => " +
        '[a, p];\n',
      'strategies/s.ts': "import { a } from '../src/domain/a.ts';\nexport const s = a;\n",
      'src/bot/main.ts': "import fs from 'node:fs';\nimport { t } from '../trader/t.ts';\nexport const m = [fs, t];\n",
      'test/unit/x.test.ts': "import { t } from '../../src/trader/t.ts';\nexport const x = t;\n",
    });
    expect(await importViolations(root)).toEqual([]);
  });
});
