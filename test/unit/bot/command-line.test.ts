// The command line without a process: each command has an example, and invalid input gives a sentence.
import { expect, test } from '@jest/globals';
import { createCommandLine } from '../../../src/bot/command-line.ts';

async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    ...{ isTerminal: false, environment: {} },
  };
  const code = await createCommandLine(io).run(args);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test.each([
  ...['run', 'exchange', 'probe', 'check', 'plan', 'status', 'watchdog', 'cancel-all', 'backtest', 'rearm', 'export'],
  'statement',
])('%s --help has an example', async (command) => {
  const { code, out } = await run(command, '--help');
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^Examples?:\n  quotekeeper ${command}`, 'm'));
});

test.each([
  ['frobnicate', "unknown command 'frobnicate'"],
  ['check --frobnicate', "unknown option '--frobnicate'"],
  ['', 'Usage: quotekeeper'],
  ['backtest --hours -3', '"-3" is not a number above 0'],
  ['run --resume BTC/INR@cheap', '"cheap" is not a price of BTC/INR: a number above 0 was expected.'],
  ['run config/paper.yaml --resume XRP/INR', "XRP/INR can't be resumed: configured are BTC/INR, ETH/INR."],
  ['export everything', "value 'everything' is invalid for argument 'what'"],
  ['export trades config/paper.yaml --format xml', "'xml' is invalid"],
  ['export trades config/paper.yaml --format beancount', 'not of trades'],
  ['export trades config/paper.yaml --from 2026-02-30', "--from '2026-02-30' is not a time"],
  ['statement config/paper.yaml', "'--year <year>' not specified"],
  ['statement config/paper.yaml --year 2026', "'2026' is not a year: one such as 2026-27"],
  ['statement config/paper.yaml --year 2026-27 --quarter 5', '"5" is not a quarter'],
])('%j ends with 64 and a sentence', async (line, sentence) => {
  const { code, out, err } = await run(...line.split(' ').filter((word) => word !== ''));
  expect({ code, out, err }).toEqual({ code: 64, out: '', err: expect.stringContaining(sentence) });
});
