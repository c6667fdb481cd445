// The log lines that a person at a terminal sees.
import { describe, expect, test } from '@jest/globals';
import { createTerminalLines } from '../../../src/bot/io/open-bot-log.ts';

const plain = createTerminalLines({ colorize: false });
const at = '2026-11-20T19:04:25.573Z';
const line = (record: object): string => `${JSON.stringify({ level: 'info', time: at, ...record })}\n`;

describe('a line on a terminal', () => {
  test('is the local time and the sentence, with the symbol before it and no fields', () => {
    const shown = plain(
      line({ op: 'fill', symbol: 'ETH/INR', orderId: '1-106-1', msg: 'Bought 0.0656 @ 297041 (maker).' }),
    );
    expect(shown).toMatch(/^\d\d:\d\d:25 ETH\/INR Bought 0\.0656 @ 297041 \(maker\)\.\n$/);
  });

  test('names a symbol once', () => {
    expect(plain(line({ op: 'status', symbol: 'BTC/INR', msg: 'BTC/INR waiting' }))).toMatch(
      /^\S+ BTC\/INR waiting\n$/,
    );
  });

  test.each([
    ['warn', 'WARN '],
    ['error', 'ERROR '],
  ])('says that it is a %s', (level, label) => {
    expect(plain(line({ level, op: 'read-failed', msg: 'No answer.' }))).toMatch(
      new RegExp(`^\\S+ ${label}No answer\\.\n$`),
    );
  });

  test('is colored only if wanted', () => {
    const warning = line({ level: 'warn', op: 'x', msg: 'y' });
    expect(createTerminalLines({ colorize: true })(warning)).toContain('\u001b[33m');
    expect(plain(warning)).not.toContain('\u001b');
  });

  test('about orders that come or go is left to the file, unless it is a warning', () => {
    expect(plain(line({ op: 'accepted', msg: 'Order 1-1-1.' }))).toBeNull();
    expect(plain(line({ level: 'warn', op: 'accepted', msg: 'Order 1-1-1.' }))).toContain('Order 1-1-1.');
  });

  test('about the end of the program has every field', () => {
    const shown = plain(line({ level: 'fatal', op: 'fatal', msg: 'It broke.', frames: ['at x.ts:1'] }));
    expect(shown).toContain('It broke.');
    expect(shown).toContain('at x.ts:1');
  });

  test('shows the op of an event without a sentence', () => {
    expect(plain(line({ op: 'something' }))).toMatch(/ something\n$/);
  });
});
