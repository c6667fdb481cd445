// What a person sees of a probe: a table that leaves nothing out.
import { describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../src/bot/probe/finding.ts';
import { findingLines, writtenLines } from '../../../src/bot/probe/report.ts';

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
      setting: { symbol: 'BTC/INR', path: ['instrument', 'tickSize'], value: '1' },
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
