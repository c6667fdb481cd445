// Invalid command lines of a sandbox, each with a sentence that names the option.
import { expect, test } from '@jest/globals';
import { type AccountWord, type SandboxOptions, sandboxOf } from '../../../src/bot/paper/sandbox-options.ts';

const account = (text: string): AccountWord => ({ kind: 'account', text });
const balance = (text: string): AccountWord => ({ kind: 'balance', text });

test.each<[SandboxOptions, AccountWord[], string]>([
  [{}, [account('Alice')], '--account: "Alice" is not a name such as alice'],
  [{}, [account('crowd')], '--account: crowd is a name that the exchange itself uses.'],
  [{}, [account('a'), account('a')], '--account: a stands there twice.'],
  [{}, [balance('INR')], '--balance: "INR" is not an asset and an amount such as INR=1000000.'],
  [{}, [balance('INR=-1')], '--balance: "INR=-1" is not an asset and an amount'],
  [{}, [balance('INR=1,INR=2')], '--balance: INR stands there twice for one account.'],
  [{}, [balance('INR=0.0000000001')], 'has more decimals than the 8 that an amount can have.'],
  [{ symbols: 'BTCINR' }, [], '--symbols: "BTCINR" is not a symbol such as BTC/INR'],
  [{ symbols: 'DOGE/INR' }, [], '--symbols: DOGE/INR needs a start price, such as DOGE/INR=100'],
  [{ symbols: 'DOGE/INR=0' }, [], '--symbols: "DOGE/INR=0" has no price from 0.00001'],
  [{ symbols: 'BTC/INR,BTC/INR' }, [], '--symbols: BTC/INR stands there twice.'],
  [{ port: '70000' }, [], '--port: "70000" is not a port'],
  [{ quirk: ['codeas=string'] }, [], '--quirk: there is no "codeas"; there are emptyValues,'],
  [{ quirk: ['codeAs'] }, [], '--quirk: codeAs needs a value: --quirk codeAs=value.'],
  [{ control: 'yes' }, [], '--control: "yes" is not a port, a whole number from 0 to 65535.'],
])('%j %j', (options, words, sentence) => {
  expect(() => sandboxOf(options, words)).toThrow(sentence);
});
