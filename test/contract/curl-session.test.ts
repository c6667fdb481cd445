// docs/curl-session.md is what it says: its own commands, run by bash with the real curl and openssl against a real
// paper exchange, print what it shows.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hasTools, type Ran, runBlocks, sessionBlocks } from './curl-session-blocks.ts';

const BLOCKS = sessionBlocks();
const SHOWING = BLOCKS.flatMap(({ section, shown }, index) => (shown === null ? [] : [{ section, shown, index }]));

(hasTools() ? describe : describe.skip)('the session of docs/curl-session.md', () => {
  let folder = '';
  let ran: Ran;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'curl-session-'));
    ran = await runBlocks(
      BLOCKS.map(({ commands }) => commands),
      { PORT: '0', TMPDIR: folder },
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The answer among what a block printed. */
  const answerOf = (index: number): unknown => JSON.parse(ran.printed[index]?.at(-2) ?? 'null');
  const answerIn = (section: string, nth = 0): unknown =>
    answerOf(SHOWING.filter((block) => block.section.includes(section))[nth]?.index ?? -1);

  test('runs to its end, says nothing on standard error, and leaves nothing behind', () => {
    expect({ code: ran.code, errors: ran.errors }).toEqual({ code: 0, errors: '' });
    expect(readdirSync(folder)).toEqual([]);
    expect(BLOCKS.length).toBeGreaterThanOrEqual(12);
  });

  test.each(SHOWING.map(({ section, shown, index }) => [section, index, shown] as const))(
    '%s: block %i prints what is shown',
    (_section, index, shown) => {
      const printed = ran.printed[index] ?? [];
      expect(printed.map(plain)).toEqual(shown.map(plain));
      for (const [at, line] of shown.entries()) if (isJson(line)) expectLike(line, printed[at] ?? '');
    },
  );

  test('the order that was placed is the one that is listed, and then it is gone', () => {
    const placed = answerIn('Place an order');
    const [listed] = Array.isArray(answerIn('See it')) ? Object(answerIn('See it')) : [];
    expect(placed).toEqual({ data: { order_id: expect.stringMatching(/^1-\d+-1$/) } });
    expect(listed).toMatchObject({
      orderId: Object(placed).data.order_id,
      price: '4000000',
      origQty: '0.01',
      executedQty: '0',
      side: 'BUY',
      status: 'NEW',
    });
    expect(answerIn('Cancel it', 1)).toEqual([]);
  });

  test('no secret is printed', () => {
    expect(`${ran.printed.flat().join('\n')}${ran.errors}`).not.toMatch(/secret: |signature=/);
  });
});

const isJson = (line: string): boolean => /^[[{]/.test(line);

/** A line without what differs from run to run; answers are compared by `expectLike`. */
function plain(line: string): string {
  if (isJson(line)) return 'answer';
  return line
    .replace(/timestamp=\d{13}(?!\d)/, 'timestamp=…')
    .replace(/1-\d+-1/, '1-…-1')
    .replace(/^http:\/\/127\.0\.0\.1:\d+$/, 'http://…');
}

/** Everything that the document shows is in the answer: the same fields, of the same types; a list may be longer. */
function expectLike(shown: string, printed: string): void {
  expect([...pathsOf(JSON.parse(printed))]).toEqual(expect.arrayContaining([...pathsOf(JSON.parse(shown))]));
  // Codes, messages and empty lists are shown as they are.
  if (/"(?:code|msg)":|^\[\]$/.test(shown)) expect(printed).toBe(shown);
}

/** `[].price: string` for each value inside; rows of a list count as one. */
function pathsOf(value: unknown, at = ''): ReadonlySet<string> {
  if (Array.isArray(value)) return new Set([`${at}[]`, ...value.flatMap((each) => [...pathsOf(each, `${at}[]`)])]);
  if (typeof value !== 'object' || value === null) return new Set([`${at}: ${typeof value}`]);
  return new Set(Object.entries(value).flatMap(([key, inner]) => [...pathsOf(inner, `${at}.${key}`)]));
}
