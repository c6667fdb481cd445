// The output of a probe: a table that leaves nothing out.
import { describe, expect, test } from '@jest/globals';
import type { Finding } from '../../../src/bot/probe/finding.ts';
import { findingLines, settingLines } from '../../../src/bot/probe/report.ts';

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

  test('has the answered questions in columns, and the open ones below', () => {
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

  test('is followed by the settings to change, each once', () => {
    const to = (value: string, symbol: string | null = null) =>
      finding({ setting: { symbol, path: ['costs', 'makerFeeRatio'], value } });
    expect(settingLines([to('0.0025'), to('0.0025'), to('0.001', 'BTC/INR')]).slice(1)).toEqual([
      '  costs.makerFeeRatio: 0.0025',
      '  costs.makerFeeRatio of BTC/INR: 0.001',
    ]);
    expect(settingLines([to('0.0025'), to('0.001')])[1]).toBe(
      '  costs.makerFeeRatio: 0.0025 or costs.makerFeeRatio: 0.001: findings differ, look yourself',
    );
    expect(settingLines([finding({})])).toEqual(['The configuration fits what was found.']);
  });
});
