// What StrykerJS lists of a source, and that one of it put into the source means what was meant.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listMutants, mutantsOf } from '../../../../simulation/mutation/list-mutants.ts';
import { MUTATED_FOLDERS } from '../../../../simulation/mutation/mutated-folders.ts';
import { spliced } from '../../../../simulation/mutation/random-mutant.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

describe('a mutant in its source', () => {
  test.each([
    ['LogicalOperator', 'a && b', 'const x = a && b || c;', 'const x = (a || b) || c;'],
    ['LogicalOperator', 'a ?? b', 'const x = a ?? b;', 'const x = (a && b);'],
    ['ArithmeticOperator', 'a * b', 'const x = a * b / c;', 'const x = (a / b) / c;'],
    ['BlockStatement', '{ go(); }', 'function f(): void { go(); }', 'function f(): void {}'],
    ['ArrowFunction', '(a: number): number => a + 1', 'f((a: number): number => a + 1);', 'f((() => undefined));'],
    ['MethodExpression', 'list.filter(isOpen)', 'f(list.filter(isOpen));', 'f((list));'],
    ['StringLiteral', "'buy'", "const side: 'buy' | 'sell' = 'buy';", "const side: 'buy' | 'sell' = (\"\");"],
    ['ObjectLiteral', '{ at: 1 }', 'const f = () => ({ at: 1 });', 'const f = () => (({}));'],
  ])('%s of %s', async (mutator, original, source, expected) => {
    const mutants = (await mutantsOf('x.ts', source)).filter((each) => each.mutator === mutator);
    const [mutant] = mutants.filter((each) => each.original === original);
    expect(mutant && spliced(source, mutant)).toBe(expected);
  });

  test('a case of a switch loses what it does', async () => {
    const source = "switch (a) {\n  case 'x':\n    go();\n}\n";
    const mutants = await mutantsOf('x.ts', source);
    const emptied = mutants.filter(({ original }) => original.startsWith('case')).map((each) => spliced(source, each));
    expect(emptied).toEqual(["switch (a) {\n  case 'x':\n}\n"]);
  });

  test('is named by line and column from 1, in the order of the source', async () => {
    const mutants = await mutantsOf('x.ts', 'go();\nconst x = a < b;\nconst y = true;\n');
    expect(mutants.map(({ line, column, replacement }) => [line, column, replacement])).toEqual([
      [2, 11, 'a <= b'],
      [2, 11, 'a >= b'],
      [2, 11, 'false'],
      [2, 11, 'true'],
      [3, 11, 'false'],
    ]);
  });

  test('is refused where another text stands', async () => {
    const [mutant] = await mutantsOf('x.ts', 'const x = a < b;');
    expect(mutant && spliced('const yy = a < b;', mutant)).toBeNull();
  });

  test('types alone give none', async () => {
    expect(await mutantsOf('x.ts', "export type Side = 'buy' | 'sell';\nimport type { A } from './a.ts';\n")).toEqual(
      [],
    );
  });
});

test('every mutant of a file of ours is still TypeScript that Node can strip', async () => {
  const file = 'src/trader/orders/closing.ts';
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  const mutants = await listMutants(ROOT, [file]);
  expect(mutants.length).toBeGreaterThan(20);
  for (const mutant of mutants) {
    const text = spliced(source, mutant) ?? '';
    expect(text).not.toBe(source);
    expect(() => stripTypeScriptTypes(text)).not.toThrow();
  }
});

test('a folder is listed whole, and there are seven', async () => {
  const files = new Set((await listMutants(ROOT, ['src/loop'])).map(({ file }) => file));
  expect(files).toContain('src/loop/loop.ts');
  for (const folder of MUTATED_FOLDERS) expect(folder).toMatch(/^src\/[a-z]+$/);
  expect(MUTATED_FOLDERS).toHaveLength(7);
});
