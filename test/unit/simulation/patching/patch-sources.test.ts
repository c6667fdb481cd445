// Patches by syntax: what they match whatever it looks like, and what they refuse.
import { describe, expect, test } from '@jest/globals';
import type { Patch } from '../../../../simulation/mutants/mutant-row.ts';
import { type Mutated, patchSources } from '../../../../simulation/patching/patch-sources.ts';

const PRICES = 'src/prices.ts';
const AMOUNT = 'export const amountOf = (order: Order): number => order.price * order.size;\n';

const patch = (source: string, patches: readonly Patch[]): Mutated[] =>
  patchSources(new Map([[PRICES, source]]), { id: 'm1', patches });
/** The first file that is changed. */
const patched = (source: string, ...patches: readonly Patch[]): string | undefined => patch(source, patches)[0]?.source;

describe('a pattern matches whatever the source looks like', () => {
  const quote: Patch = { in: 'quote', find: 'place(order, { side, price: best })', put: 'place(best)' };
  test.each([
    ['as it stands in the pattern', 'place(order, { side, price: best });', 'place(best);'],
    [
      'on more lines, with commas at their ends',
      'place(\n    order,\n    { side, price: best, },\n  );',
      'place(best);',
    ],
    ['with comments', 'place(order, /* ours */ {\n    side, // either\n    price: best });', 'place(best);'],
    ['without a semicolon', 'place(order, { side, price: best })', 'place(best)'],
    ['in another block', 'if (isOn) { place(order, { side, price: best }); }', 'if (isOn) { place(best); }'],
  ])('%s', (_words, body, expected) => {
    const around = (text: string): string => `export function quote(order: Order): void {\n  ${text}\n}\n`;
    expect(patched(around(body), quote)).toBe(around(expected));
  });

  test('a semicolon in the pattern asks for none, and a statement stays one', () => {
    const source = 'function spread() {\n  const tick = 1\n  return [a, b];\n}\n';
    expect(patched(source, { in: 'spread', find: 'const tick = 1;', put: 'const tick = 2;' })).toContain('tick = 2;\n');
    expect(patched(source, { in: 'spread', find: 'return [a, b]', put: 'spread()' })).toContain('  spread();\n');
  });
});

describe('a pattern matches nothing that only begins like it, or has another operator', () => {
  test.each([
    ['if (a) return', 'if (a) return 1;'],
    ['if (a) return 1', 'if (a) return 1; else b();'],
    ['a + b', 'c = a - b;'],
    ['f(a)', 'f?.(a);'],
    ['f(a)', 'f(a, b);'],
    ['let a = 1', 'const a = 1;'],
    ["'a'", "b = 'aa';"],
    ['price: a', 'return { price: a + 1, price2: a };'],
  ])('%s in %s', (find, body) => {
    const put = (): unknown => patched(`function f() {\n  ${body}\n}`, { in: 'f', find, put: 'x' });
    expect(put).toThrow(`m1 in f (${PRICES}:1): the pattern matches nothing there: ${find}`);
  });
});

test('metavariables stand for any piece of syntax, and are put as they are written', () => {
  const source = 'const f = () => {\n  g(a /* one */ + 1, [b,\n    c,], { d, e, });\n};\n';
  expect(patched(source, { in: 'f', find: 'g($A, $B, $C)', put: 'g($B, $A)' })).toContain(
    'g([b,\n    c,], a /* one */ + 1);',
  );
  expect(patched(source, { in: 'f', find: 'g($A, [$$$B], $C)', put: 'g($$$B)' })).toContain('g(b,\n    c);');
  expect(patched(source, { in: 'f', find: 'g($$$A, { $$$B, e })', put: 'g({ $$$B }, $$$A)' })).toContain('g({ d }, a');
  expect(() => patched(source, { in: 'f', find: 'g($A, $A, $C)', put: 'g()' })).toThrow('matches nothing');
});

test('a property is a pattern as well, with `name: value`', () => {
  const source = 'const LIMITS = {\n  open: 5,\n  inner: { open: 6 },\n};';
  expect(patched(source, { in: 'LIMITS', find: 'open: 6', put: 'open: 7' })).toContain('{ open: 7 }');
  expect(() => patched(source, { in: 'LIMITS', find: 'open: $LIMIT', put: 'open: 7' })).toThrow('matches 2 times');
});

describe('a declaration is found by its name', () => {
  const swap: Patch = { in: 'total', find: 'a + b', put: 'a - b' };
  const other = '\nc = a + b;\n';
  test.each([
    ['a function', 'function total() { return a + b; }'],
    ['a function in a function', 'function outer() { c = a + b; async function total() { return a + b; } }'],
    ['a constant', 'export const total: number = a + b;'],
    ['a function that a constant holds', 'function outer() { const total = () => a + b; return total; }'],
    ['a method', 'class Sums { total(): number { return a + b; } count() { return a + b; } }'],
    ['a class', 'export class total { value = a + b; }'],
    ['an enum', 'enum total { one = a + b }'],
    ['with comments before its name', 'export function /* the */ total() { return a + b; }'],
  ])('%s', (_words, source) => {
    expect(patched(`${other}${source}${other}`, swap)).toBe(
      `${other}${source.replace(/(total.*?)a \+ b/, '$1a - b')}${other}`,
    );
  });

  test('types are declarations too', () => {
    const change: Patch = { in: 'Side', find: "'buy'", put: "'bid'" };
    expect(patched("type Side = 'buy' | 'sell';", change)).toBe("type Side = 'bid' | 'sell';");
    expect(patched("interface Side { of: 'buy' }", change)).toBe("interface Side { of: 'bid' }");
  });

  test('a local value, a parameter, a property and a call are none', () => {
    const source = 'function f(total = a + b) { const total = a + b; total(a + b); return { total: a + b }; }';
    expect(() => patched(source, swap)).toThrow('m1 looks for total, which nothing in src declares.');
  });

  test('in whatever file it is', () => {
    for (const file of [PRICES, 'src/domain/order/prices.ts', 'src/other.ts']) {
      const sources = new Map([
        ['src/a.ts', 'amountOf(1);'],
        [file, AMOUNT],
      ]);
      const doubled = { in: 'amountOf', find: '$ORDER.price * $ORDER.size', put: '2 * $ORDER.size' };
      expect(patchSources(sources, { id: 'm1', patches: [doubled] })).toEqual([
        { file, source: 'export const amountOf = (order: Order): number => 2 * order.size;\n' },
      ]);
    }
  });
});

describe('a name that several files declare', () => {
  const sources = new Map([
    ['src/buy.ts', 'export function buy() { judge(); }\nfunction judge() { return 1; }\n'],
    ['src/sell.ts', 'export function sell() { judge(); }\n\nfunction judge() { return 1; }\n'],
  ]);
  const judge = { in: 'judge', find: 'return 1', put: 'return 2' };

  test('is refused, with all of them', () => {
    expect(() => patchSources(sources, { id: 'm7b', patches: [judge] })).toThrow(
      'm7b looks for judge, which is declared 2 times: src/buy.ts:2, src/sell.ts:3.',
    );
  });

  test('is told by what is declared beside it', () => {
    const [mutated, ...others] = patchSources(sources, { id: 'm1', patches: [{ ...judge, beside: 'sell' }] });
    expect([mutated?.file, others]).toEqual(['src/sell.ts', []]);
    expect(() => patchSources(sources, { id: 'm1', patches: [{ ...judge, beside: 'hold' }] })).toThrow(
      'm1 looks for judge beside hold, which nothing in src declares.',
    );
  });
});

test('a pattern that matches twice is refused, with both places', () => {
  const source = 'function f() {\n  g(1);\n  g(1);\n}';
  expect(() => patched(source, { in: 'f', find: 'g(1)', put: 'g(2)' })).toThrow(
    `m1 in f (${PRICES}:1): the pattern matches 2 times, ${PRICES}:2, ${PRICES}:3: g(1)`,
  );
});

test('what is no piece of TypeScript is neither looked for nor put, nor is what was not found', () => {
  const source = 'function f() {\n  g(1);\n}';
  for (const find of ['g(1', '', 'g(1); g(2)', 'side: '])
    expect(() => patched(source, { in: 'f', find, put: 'h()' })).toThrow(
      `m1 in f (${PRICES}:1): the pattern is no single piece of TypeScript: ${find}`,
    );
  expect(() => patched(source, { in: 'f', find: 'g(1)', put: 'h(' })).toThrow(
    `With m1 in f (${PRICES}) that is no TypeScript any more: h(`,
  );
  expect(() => patched(source, { in: 'f', find: 'g($A)', put: 'h($A, $B, $$$A)' })).toThrow(
    `m1 in f (${PRICES}:1): $B, $$$A is put and not found: g($A)`,
  );
});

test('patches of a mutant are made one after the other, and each file is named once', () => {
  const steps: Patch[] = [
    { in: 'amountOf', find: '$A * $B', put: '$A + $B' },
    { in: 'amountOf', find: '$A + $B', put: 'rounded($A + $B)' },
    { in: 'amountOf', before: 'const rounded = Math.round;' },
  ];
  const sum = AMOUNT.replace('order.price * order.size', 'rounded(order.price + order.size)');
  expect(patch(AMOUNT, steps)).toEqual([{ file: PRICES, source: `const rounded = Math.round;\n${sum}` }]);
});

test('statements are put before the whole statement that a declaration is in', () => {
  const source = '// what it is for\nexport class Lane {\n  begin(): void {}\n}\n';
  expect(patched(source, { in: 'begin', before: 'let begun = 0;' })).toBe(
    '// what it is for\nlet begun = 0;\nexport class Lane {\n  begin(): void {}\n}\n',
  );
});

describe('a mutant that uses a name which means nothing in its file is refused', () => {
  const source = 'import { best } from "./book.ts";\nfunction f(order) {\n  return order.price;\n}';

  test.each([
    'isLeaving(order)',
    '{ isLeaving }',
    'order.with((isOpen = isLeaving) => isOpen)',
    'order.is(isLeaving ?? best)',
  ])('%s', (put) => {
    expect(() => patched(source, { in: 'f', find: 'order.price', put })).toThrow(
      `With m1 in it ${PRICES} knows no isLeaving.`,
    );
  });

  test.each([
    'best.isLeaving(order.isLeaving)',
    '{ isLeaving: Math.max(best, order) }',
    '[best].map(([isLeaving]) => isLeaving)',
    '[best].map(({ isLeaving }) => ({ isLeaving }))',
    '[best].map(isLeaving => isLeaving)',
    'order; for (const each of [best]) f(each)',
    'order; const two = () => best; function three() { return two; } three()',
  ])('%s is let through', (put) => {
    expect(patched(source, { in: 'f', find: 'order.price', put })).toContain(put);
  });
});
