// What a person sees of a probe: progress in one line or many, and a table that leaves nothing out.
import { describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../src/bot/probe/facts/finding.ts';
import { unanswerable } from '../../../src/bot/probe/findings/unanswerable.ts';
import { findingLines, writtenLines } from '../../../src/bot/probe/report/findings-table.ts';
import { createProgress } from '../../../src/bot/probe/talk/progress.ts';
import { answer } from './probe-answers.ts';

describe('progress', () => {
  const two = [
    answer('symbols'),
    answer('order-book', { symbol: 'BTC/INR', status: 500, body: { code: -5003, msg: '' } }),
  ];

  test('in a pipe: a plain line for each answer', () => {
    const lines: string[] = [];
    const progress = createProgress((line) => lines.push(line), null);
    two.forEach((each, index) => void progress.heard(each, index + 1));
    expect(lines).toEqual(['1. symbols: HTTP 200, 20 ms', '2. order-book BTC/INR: HTTP 500 with -5003, 20 ms']);
  });

  test('on a terminal: one line, written anew', () => {
    const lines: string[] = [];
    const progress = createProgress(
      (line) => lines.push(line),
      () => lines.push('REWRITE'),
    );
    two.forEach((each, index) => void progress.heard(each, index + 1));
    expect(lines).toEqual(['1. symbols: HTTP 200, 20 ms', 'REWRITE', expect.stringMatching(/^2\. order-book/)]);
  });
});

describe('the table', () => {
  const finding = (more: Partial<Finding>): Finding => ({
    id: 'id',
    question: 'Q0 something',
    finding: 'yes',
    value: true,
    evidence: 'two answers',
    confidence: 'proved',
    ...more,
  });

  test('has what was answered in columns, and what was not below', () => {
    const findings = [
      finding({}),
      finding({ question: 'Q1 another thing', finding: 'a longer one', confidence: 'likely' }),
      finding({ question: 'Q2 open', finding: 'not known', evidence: 'It was not asked.', confidence: 'unknown' }),
      finding({ question: 'Q3 half', finding: 'at least 7', evidence: 'a thin book', confidence: 'unknown' }),
    ];
    expect(findingLines(findings)).toEqual([
      'question          finding       sure    evidence',
      'Q0 something      yes           proved  two answers',
      'Q1 another thing  a longer one  likely  two answers',
      '',
      'Still open:',
      '  Q2 open: It was not asked.',
      '  Q3 half: at least 7; a thin book',
    ]);
  });

  test('one long finding does not widen the column', () => {
    const [head = ''] = findingLines([finding({}), finding({ finding: 'x'.repeat(80) })]);
    expect(head.length).toBeLessThan(80);
  });

  test('what was written, and what was not', () => {
    const change = {
      ...finding({}),
      setting: { at: 'run', symbol: 'BTC/INR', path: ['instrument', 'tickSize'], value: '1' },
    } as const;
    expect(writtenLines({ file: 'a.yaml', applied: [change], refused: [{ change, why: 'It does not fit.' }] })).toEqual(
      [
        'a.yaml is written, with instrument.tickSize of BTC/INR 1.',
        'NOT APPLIED: instrument.tickSize of BTC/INR 1. It does not fit.',
      ],
    );
    expect(writtenLines({ file: 'a.yaml', applied: [], refused: [] })).toEqual([
      'a.yaml is written, with nothing changed but its comments.',
    ]);
  });
});

test('what no read can answer is listed, each with a way to find out', () => {
  const open = unanswerable();
  for (const number of ['Q5', 'Q7', 'Q9', 'Q10', 'Q21', 'Q23']) {
    expect(open.filter(({ question }) => question.startsWith(`${number} `))).toHaveLength(1);
  }
  // The bound is of whatever trails most; open orders alone would be too short for trades.
  const lags = open.find(({ id }) => id === 'lags')?.evidence;
  for (const word of ['open orders', 'own trades', 'wallet', 'margin', 'docs/operations.md'])
    expect(lags).toContain(word);
  expect(open.every(({ confidence, evidence }) => confidence === 'unknown' && evidence.length > 40)).toBe(true);
});
