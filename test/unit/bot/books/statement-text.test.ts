// docs/statements.md: its example matches the output, and its tables name every column and line.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  FLOW_COLUMNS,
  LEDGER_COLUMNS,
  LOT_COLUMNS,
  ORDER_COLUMNS,
  TRADE_COLUMNS,
} from '../../../../src/bot/books/export-columns.ts';
import { HOLDING_LINES } from '../../../../src/bot/books/holding-lines.ts';
import { STATEMENT_COLUMNS } from '../../../../src/bot/books/make-statement.ts';
import { SECTIONS } from '../../../../src/bot/books/statement-lines.ts';
import { statementText } from '../../../../src/bot/books/statement-text.ts';
import { readTaxRules } from '../../../../src/bot/books/tax-rules.ts';
import { ACCOUNTS } from '../../../../src/ledger/ledger.ts';
import { amt } from '../../ledger/fills.ts';
import { APRIL, fill, INDIA, KOLKATA, opening, statementIn, yearOf } from './books-kit.ts';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/statements.md'), 'utf8');

/** The part of the page below a heading. */
function chapter(heading: string): string {
  const begin = PAGE.indexOf(`\n${heading}\n`);
  expect([heading, begin]).not.toEqual([heading, -1]);
  const rest = PAGE.slice(begin + heading.length + 2);
  const end = rest.search(/^#{2,3} /m);
  return end < 0 ? rest : rest.slice(0, end);
}

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|--'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

describe('the example', () => {
  const trades = rowsOf(chapter('### An example')).slice(1);
  const fills = trades.map(([on = '', side, quantity = '', price = '', fee = '', tds = '']) => {
    const [amount = '', feeAsset = ''] = fee.split(' ');
    return fill({ on, side: side === 'sell' ? 'sell' : 'buy', quantity, price, fee: amount, feeAsset, tds });
  });

  test('matches the output', () => {
    const [period] = yearOf('2026-27').quarters;
    if (period === undefined) throw new Error('A year has quarters.');
    const events = [...opening('2026-04-01', { INR: '100000' }), ...fills];
    const rules = readTaxRules(INDIA, '2026-27', APRIL);
    const options = { period, quarters: [period], feeTaxRatioOf: () => amt('0.18'), rules };
    const [, block] = /```text\n([\s\S]*?)```/.exec(chapter('### An example')) ?? [];
    expect(fills).toHaveLength(3);
    expect((block ?? '').split('\n').filter((line) => line.length > 120)).toEqual([]);
    expect(
      `${statementText(statementIn('2026-27', events, options), { calendar: KOLKATA, begins: APRIL }).join('\n')}\n`,
    ).toBe(block);
  });
});

describe('the tables name every column, in order', () => {
  /** `a`, `b` of a first cell. */
  const named = (text: string): string[] =>
    rowsOf(text)
      .slice(1)
      .flatMap(([cell = '']) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? ''));

  test.each([
    ['### `export trades`', TRADE_COLUMNS.map(({ name }) => name)],
    ['### `export flows`', FLOW_COLUMNS.map(({ name }) => name)],
    ['### `export lots`', LOT_COLUMNS.map(({ name }) => name)],
    ['### `export orders`', ORDER_COLUMNS.map(({ name }) => name)],
    ['## `statement`', STATEMENT_COLUMNS.map(({ name }) => name)],
  ])('%s', (heading, columns) => {
    expect(named(chapter(heading))).toEqual(columns);
  });

  test('### `export ledger`, and its accounts', () => {
    const text = chapter('### `export ledger`');
    const columns = LEDGER_COLUMNS.map(({ name }) => name);
    expect(named(text).slice(0, columns.length)).toEqual(columns);
    for (const account of ACCOUNTS) expect(text).toContain(`\`${account}\``);
  });

  test('sections and lines of holdings', () => {
    for (const section of SECTIONS) expect(PAGE).toContain(`\`${section}\``);
    const holdings = PAGE.slice(PAGE.indexOf('**`holdings`**'), PAGE.indexOf('**`check`**'));
    for (const line of HOLDING_LINES) {
      const [origin] = line.split('-');
      const isNamed = holdings.includes(`\`${line.replaceAll('-', '_')}\``) || holdings.includes(`\`${origin}_…\``);
      expect([line, isNamed]).toEqual([line, true]);
    }
  });
});
