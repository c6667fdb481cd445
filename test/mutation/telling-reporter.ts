// Jest reporter: tells which test file runs, and how it ended, as it happens. A process that hangs tells nothing more.
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, Test, TestResult } from '@jest/reporters';
import { tell } from './message.ts';
import { fromRoot } from './places.ts';

const LONGEST_WORDS = 300;

function failureOf({ testExecError, testResults, failureMessage }: TestResult): string | null {
  const failed = testResults.find(({ status }) => status === 'failed');
  if (failed !== undefined) return `${failed.fullName}: ${firstWords(failed.failureMessages[0])}`;
  return testExecError === undefined && failureMessage == null ? null : firstWords(failureMessage);
}

const firstWords = (words: string | null | undefined): string =>
  stripVTControlCharacters(words ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_WORDS);

export default class TellingReporter implements Pick<Reporter, 'onTestFileStart' | 'onTestFileResult'> {
  constructor() {
    // Whoever started this process has gone: nobody takes what comes of it.
    process.on('disconnect', () => process.exit());
    process.channel?.unref();
  }

  onTestFileStart({ path: file }: Test): void {
    tell({ kind: 'started', test: fromRoot(file) });
  }

  onTestFileResult({ path: file }: Test, result: TestResult): void {
    const { start, end } = result.perfStats;
    tell({ kind: 'ended', test: fromRoot(file), ms: end - start, failure: failureOf(result) });
  }
}
