// Text from outside where it leaves the program: what no terminal, page, table or chat may act on.
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createLog } from '../../../src/bot/base/log.ts';
import type { Message } from '../../../src/bot/base/message.ts';
import { csvLines } from '../../../src/bot/books/export-columns.ts';
import { datesOf } from '../../../src/bot/books/local-time.ts';
import { htmlPage } from '../../../src/bot/html/html-page.ts';
import { createTerminalLines } from '../../../src/bot/io/open-bot-log.ts';
import { discord, slack } from '../../../src/bot/notify/senders/http-sender.ts';
import { plainLines, plainText } from '../../../src/domain/text.ts';
import { domModule } from '../bot/page-modules.ts';

/** Colors, a cursor that moves, a title, C1, bidi, what nobody sees, lines that are forged, halves of a pair. */
const HOSTILE = [
  ...['\u001b[2J', '\u001b]0;title\u0007', '\u009b31m', '\r', '\u0008', '\u007f', '\u0000'],
  ...['\u202e', '\u2066', '\u200f', '\u061c', '\u200b', '\ufeff', '\u00ad', '\u{e0041}'],
  ...['\n', '\u0085', '\u2028', '\u2029', '\ud800'],
];
const ACTING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const ALL = `a${HOSTILE.join('b')}c`;

test('signs that act are written out, all else stays', () => {
  expect(plainText('\u001b[31mred\u202e\u{e0041}')).toBe('\\u001b[31mred\\u202e\\udb40\\udc41');
  expect(plainText(ALL)).not.toMatch(ACTING);
  expect(plainText('₹ 5,508,460 · “Ünïcödé” 取引 → 🙂')).toBe('₹ 5,508,460 · “Ünïcödé” 取引 → 🙂');
  expect(plainLines('a\n\tb\u001b\r\n')).toBe('a\n\tb\\u001b\\u000d\n');
});

test('JSON stays the same JSON', () => {
  const text = JSON.stringify({ [ALL]: [ALL] });
  expect(plainLines(text)).not.toMatch(/[^\P{C}\n\t]/u);
  expect(JSON.parse(plainLines(text))).toEqual(JSON.parse(text));
});

test('the page writes them as everything else does', async () => {
  const dom = await domModule();
  for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 97)
    expect(dom.plainText(String.fromCodePoint(code))).toBe(plainText(String.fromCodePoint(code)));
  expect(dom.h('p', {}, ALL)).toMatchObject({ children: [plainText(ALL)] });
});

test('a log and its terminal get no line that is forged, and no sign that acts', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) > 0 };
  const log = createLog(
    { level: 'info' },
    { stream, isTerminal: true, format: createTerminalLines({ colorize: false }) },
  );
  log.logEvent({
    op: 'x',
    level: 'warn',
    symbol: `BTC${ALL}`,
    message: `No answer: ${ALL}`,
    list: [ALL],
    at: { a: ALL },
  });
  log.child('part').warn({ a: ALL }, ALL);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line.trimEnd()).not.toMatch(ACTING);
});

describe('a cell of a CSV', () => {
  const cellOf = (cell: string | number | null): string =>
    [...csvLines([{ name: 'a', cell: () => cell }], [1], datesOf({ timeZone: 'UTC', yearBegins: '01-01' }))][1] ?? '';
  test.each(['=1+1', '+1+1', '-1+cmd', '@SUM(A1)', '=HYPERLINK("http://x","y")', '＝1+1', '＋1', '－1', '＠A'])(
    'is no formula: %s',
    (text) => expect(cellOf(text).replace(/^"/, '')).toMatch(/^'/),
  );
  test.each(['\t=1', '\r=1', '\n=1', '\u200b=1', ALL])('has no sign that acts: %j', (text) => {
    expect(cellOf(text)).not.toMatch(ACTING);
    expect(cellOf(text)).toMatch(/^[\\a"]/);
  });
  test.each([
    ['-7', '-7'],
    ['+0.5', '+0.5'],
    [-7.25, '-7.25'],
    ['0.1', '0.1'],
    [null, ''],
    ['a;b', '"a;b"'],
  ])('that is a number or plain stays: %j', (cell, text) => expect(cellOf(cell)).toBe(text));
});

describe('a chat', () => {
  const speaker = { bot: 'live', process: 'bot' } as const;
  const text =
    '[pay here](https://evil.example) <https://evil.example|ok> **bold** `x` ||hidden|| @everyone <@1> # big';
  const message: Message = {
    ...{ id: '1', kind: 'event', severity: 'warn', op: 'x', symbol: null, since: 0, at: 0 },
    text,
  };
  test('shows no link under another name, and no markup: Discord', () => {
    const { content } = discord(message, speaker) as { content: string };
    expect(content.replaceAll(/\\[\\*_~`|>#[\]()<]/g, '')).not.toMatch(/[[\]<>*`|#]/);
    expect(content.replaceAll(/\\([\\*_~`|>#[\]()<])/g, '$1')).toContain(text);
  });
  test('shows no link under another name, and no markup: Slack', () => {
    expect(slack(message, speaker)).toMatchObject({ mrkdwn: false, text: expect.not.stringMatching(/[<>]/) });
  });
});

describe('a page that stands alone', () => {
  const BREAK = `</script></style></title><script>alert(1)</script><img src=x onerror=alert(1)> " ' & <!-- ${ALL}`;
  const chart = {
    title: BREAK,
    times: [1, 2],
    series: [{ label: BREAK, role: 'plain' as const, isSteps: false, isDashed: false, values: [1, 2] }],
    marks: [],
  };
  const page = htmlPage({
    ...{ title: BREAK, about: [BREAK], warnings: [BREAK], timeZone: BREAK },
    sections: [{ title: BREAK, rows: [{ label: BREAK, value: BREAK }], charts: [chart, { ...chart, times: [1] }] }],
  });

  test('has no tag that came from outside, in any of its fields', () => {
    const own = htmlPage({
      ...{ title: 'x', about: ['x'], warnings: ['x'], timeZone: 'x' },
      sections: [
        {
          title: 'x',
          rows: [{ label: 'x', value: 'x' }],
          charts: [
            { ...chart, title: 'x' },
            { ...chart, title: 'x', times: [1] },
          ],
        },
      ],
    });
    const tagsOf = (text: string): string[] => text.match(/<\/?[a-z!][a-z-]*/gi) ?? [];
    expect(tagsOf(page)).toEqual(tagsOf(own));
    expect(page).not.toMatch(/[^\P{C}\n\t\r]/u);
    expect([...page.matchAll(/aria-label="([^"]*)"/g)].every(([, label]) => label?.includes('&quot;'))).toBe(true);
  });

  test('runs no script and no style but its own, even one that got in', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    expect(policy).not.toContain('unsafe-inline');
    const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const inline = [...page.matchAll(/<(script|style)>(.*?)<\/\1>/gs)];
    expect(inline.map(([, tag]) => tag)).toEqual(['style', 'script', 'script']);
    for (const [, , text = ''] of inline) expect(policy).toContain(hashOf(text));
  });
});
