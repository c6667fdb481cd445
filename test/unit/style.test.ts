// Rules of style that a machine can check, and the proof that it does.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { longFunctions, sources } from '../../.ci/measure.ts';
import { folderViolations, styleViolations } from '../../.ci/style-rules.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const FOLDERS = ['src', 'strategies', 'simulation', 'test', 'bench', '.ci'];

const sourcesOf = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|mjs|js)$/.test(file))
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`);

describe('this repository', () => {
  test('keeps the rules', () => {
    const files = FOLDERS.filter((folder) => existsSync(path.join(root, folder))).flatMap(sourcesOf);
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap((file) => styleViolations(file, readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
  });
});

test('no folder of the program has more than twenty files', () => {
  const files = ['src', 'strategies', 'simulation'].flatMap(sourcesOf);
  expect(folderViolations(files)).toEqual([]);
  const twenty = Array.from({ length: 20 }, (_, index) => `src/bot/a${index}.ts`);
  expect(folderViolations(twenty)).toEqual([]);
  expect(folderViolations([...twenty, 'src/bot/b.ts', 'src/bot/run/c.ts'])).toEqual([
    'src/bot: 21 files; more than 20 are several rooms.',
  ]);
});

test('no function of the program is longer than seventy lines', () => {
  const long = longFunctions(sources());
  expect(long.map(({ file, line, lines }) => `${lines} ${file}:${line}`)).toEqual([]);
  const text = `const a = () => {\n${'go();\n'.repeat(68)}};\nconst b = () => {\n${'go();\n'.repeat(69)}};\n`;
  expect(longFunctions([{ file: 'x.ts', text }])).toEqual([{ file: 'x.ts', line: 71, lines: 71 }]);
});

test('canceled and canceling have one l, in code, texts and documents alike', () => {
  const documents = ['docs', 'config', '.'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
      .filter((file) => /\.(?:md|yaml|json)$/.test(file) && file !== 'CHANGELOG.md')
      .map((file) => path.join(folder, file)),
  );
  const files = [...documents, ...FOLDERS.flatMap(sourcesOf)];
  expect(files.filter((file) => /ancell(?:ed|ing)\b/i.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
});

describe('the rules', () => {
  test.each([
    ['src/trader/x.ts', 'const t = Date.now();', 'ambient-time'],
    ['src/quoting/x.ts', 'const t = new Date();', 'ambient-time'],
    ['src/bot/x.ts', 'const t = performance.now();', 'ambient-time'],
    ['simulation/x.ts', 'setTimeout(go, 5);', 'timers'],
    ['src/crowd/x.ts', 'const r = Math.random();', 'randomness'],
    ['strategies/x.ts', 'const id = randomUUID();', 'randomness'],
    ['src/bot/settings/settings.ts', 'const key = process.env.KEY;', 'environment'],
    ['src/ledger/x.ts', 'export async function post() {}', 'async-in-pure-code'],
    ['strategies/x.ts', "throw new Error('no');", 'throw-in-pure-code'],
    ['test/unit/x.test.ts', 'const a: any = 1;', 'any'],
    ['src/bot/price-utils.ts', '', 'the name says nothing'],
    ['src/bot/order-handler.ts', '', 'the name says nothing'],
    ['src/bot/helpers.ts', '', 'the name says nothing'],
    ['src/bot/ReadKeys.ts', '', 'kebab-case'],
  ])('%s may not hold: %s', (file, text, complaint) => {
    expect(styleViolations(file, text)).toEqual([expect.stringContaining(complaint)]);
  });

  test('a file of 401 lines is too long, one of 400 is not', () => {
    expect(styleViolations('src/bot/long.ts', 'const a = 1;\n'.repeat(401))).toEqual([expect.stringContaining('401')]);
    expect(styleViolations('src/bot/long.ts', 'const a = 1;\n'.repeat(400))).toEqual([]);
  });

  test('a line of 121 columns is too wide, one of 120 is not, nor a script in a template of a test', () => {
    const wide = `// ${'é'.repeat(118)}`;
    expect(styleViolations('src/bot/wide.ts', `${wide}\n`)).toEqual([
      'src/bot/wide.ts:1: 121 columns; 120 are the most.',
    ]);
    expect(styleViolations('src/bot/wide.ts', `${wide.slice(1)}\n`)).toEqual([]);
    const template = `const TEXT = \`First line\n${wide}\n\`;\n`;
    expect(styleViolations('src/bot/wide.ts', template)).toHaveLength(1);
    expect(styleViolations('test/unit/wide.test.ts', template)).toEqual([]);
    expect(styleViolations('test/unit/wide.test.ts', `${template}${wide}\n`)).toHaveLength(1);
  });

  test.each([
    ['src/ports/clock.ts', 'now: () => Date.now(),'],
    ['src/trader/x.ts', 'const t = new Date(now).toISOString();'],
    ['src/trader/x.ts', '// Date.now() would be ambient time.'],
    ['src/trader/x.ts', '/* Math.random()\n   is banned */'],
    ['src/trader/x.ts', "const words = 'Date.now()';"],
    ['src/loop/x.ts', 'setTimeout(go, 5);'],
    ['src/domain/many.ts', 'const many = company;'],
    ['src/bot/x.ts', "const url = 'http://127.0.0.1'; const t = 1;"],
    ['simulation/x.ts', 'setTimeout(go, 5); // style-allow timers: these are the virtual ones'],
    ['simulation/x.ts', '// style-allow timers: these are the virtual ones\nsetTimeout(go, 5);'],
  ])('%s may hold: %s', (file, text) => {
    expect(styleViolations(file, text)).toEqual([]);
  });

  test.each([
    ['no reason', 'const t = Date.now(); // style-allow ambient-time:', 'gives no reason'],
    ['the wrong rule', 'const t = Date.now(); // style-allow timers: a good reason here', 'ambient-time'],
    ['a line too far', '// style-allow ambient-time: a good reason\n\nconst t = Date.now();', 'ambient-time'],
  ])('an escape with %s does not help', (_what, text, complaint) => {
    expect(styleViolations('src/trader/x.ts', text)).toEqual([expect.stringContaining(complaint)]);
  });
});
