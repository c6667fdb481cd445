// Secrets typed in the wrong place, in every form that still reveals them.
import { describe, expect, test } from '@jest/globals';
import { createSecrets } from '../../../src/bot/base/secrets.ts';
import { secretLine } from '../../../src/bot/settings/located.ts';

const TOKEN = 'kT0-zq_XbWn4Lr8cVd2mJ5yHs7gPf1aQe9uZ3iOxR6w';
const PASSWORD = 'hunter2-now';
const TOPIC = 'quotekeeper-live-BTC-INR-alerts';

function known() {
  const secrets = createSecrets();
  for (const secret of [TOKEN, PASSWORD, TOPIC, 'https://hooks.example.com/services/T0AB1CD2E/B0FG3HI4J/kLmN0pQrStUv'])
    secrets.register(secret);
  return secrets;
}

describe('a text reveals a secret', () => {
  test.each([
    ['alone', TOKEN],
    ['within a sentence', `the token is ${TOKEN}, I think`],
    ['without its end', TOKEN.slice(0, -1)],
    ['by its first half', TOKEN.slice(0, 22)],
    ['by its last half', TOKEN.slice(-22)],
    ['in another case', TOKEN.toUpperCase()],
    ['with spaces', [...TOKEN].join(' ')],
    ['with signs that are not seen', [...TOKEN].join('\u200b')],
    ['in two lines', `${TOKEN.slice(0, 10)}\n${TOKEN.slice(10)}`],
    ['in wide letters', [...TOKEN].map((each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)).join('')],
    ['as an address writes it', [...TOKEN].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('')],
    ['as an address in an address', [...TOKEN].map((each) => `%25${each.charCodeAt(0).toString(16)}`).join('')],
    ['as JSON may write it', [...TOKEN].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join('')],
    ['as HTML writes it', [...TOKEN].map((each) => `&#${each.charCodeAt(0)};`).join('')],
    ['as bytes of a program', [...TOKEN].map((each) => `\\x${each.charCodeAt(0).toString(16)}`).join('')],
    ['as an old e-mail writes it', [...TOKEN].map((each) => `=${each.charCodeAt(0).toString(16)}`).join('')],
    ['in hexadecimal', Buffer.from(TOKEN).toString('hex')],
    ['in spaced hexadecimal', [...Buffer.from(TOKEN)].map((each) => each.toString(16)).join(':')],
    ['by half of its hexadecimal', Buffer.from(TOKEN.slice(0, 22)).toString('hex')],
    ['in base64', Buffer.from(TOKEN).toString('base64')],
    ['in base64 of an address', Buffer.from(TOKEN).toString('base64url')],
    ['by half of its base64', Buffer.from(TOKEN.slice(11)).toString('base64')],
    ...['', 'u', 'me', 'you'].map((user): [string, string] => [
      `as a header that signs in ${user}`,
      `Basic ${Buffer.from(`${user}:${TOKEN}`).toString('base64')}`,
    ]),
    ['by the path of a secret address', 'see /services/T0AB1CD2E/B0FG3HI4J'],
  ])('%s', (_how, text) => expect(known().areIn(text)).toBe(true));

  test.each([
    ['a plain reason', 'News at noon, back at 14:00.'],
    ['a name', 'asha.k-2'],
    ['an empty text', ''],
    ['some letters of it', TOKEN.slice(0, 8)],
    ['the host of a secret address', 'https://hooks.example.com is down'],
    ['a short one, which may be a word', `it was ${PASSWORD}!`],
    ['a folder that a long one is named like', TOPIC],
    ['a part of a long one of words', 'state/quotekeeper-live'],
    ['a sign that escapes nothing', '100 % of %zz \\u12'],
    ['the digest of another text', 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'],
    ['base64 of other words', `Basic ${Buffer.from(`me:${TOPIC}`).toString('base64')}`],
    ['many digits', '1800000000000 1-4512345678901234-1 0000000000000000'],
  ])('not: %s', (_what, text) => expect(known().areIn(text)).toBe(false));
});

describe('a configuration', () => {
  const lineIn = (text: string) => secretLine(new Map([['config/a.yaml', text]]), known().areIn);
  const sentenceAt = (line: number) =>
    `config/a.yaml:${line}: This is a token or key of the bot; name the file or variable that has it.`;

  test.each([
    ['in a value', `mode: live\nnotify:\n  bot: "${TOKEN.slice(0, 30)}"\n`, 3],
    ['behind a # within quotes', `mode: live\nbot: "x #${TOKEN}"\n`, 2],
    ['behind a # without a space', `mode: live\nbot: x#${TOKEN}\n`, 2],
    ['as a key', `mode: live\nruns:\n  - ${TOKEN}: 1\n`, 3],
    ['in a list', `mode: live\nruns:\n  [1, '${TOKEN}']\n`, 3],
    ['over two lines', `bot: >-\n  ${TOKEN.slice(0, 12)}\n  ${TOKEN.slice(12)}\n`, 1],
    ['by escapes', `bot: "${[...TOKEN].map((each) => `\\x${each.charCodeAt(0).toString(16)}`).join('')}"\n`, 1],
  ])('that holds a token %s is named by file and line', (_where, text, line) =>
    expect(lineIn(text)).toBe(sentenceAt(line)),
  );

  test.each([
    ['a comment', `# ${TOKEN}\nmode: paper # ${TOKEN}\n`],
    ['a password of words', `state: ${PASSWORD}\n`],
    ['a folder and a run named like a topic', `state: state/${TOPIC}\nruns:\n  - symbol: ${TOPIC}\n`],
    ['the path of a key file', 'keys:\n  file: /run/secrets/quotekeeper-live-BTC-INR-alerts.keys\n'],
    ['the host and the folder of a secret address', 'server: https://hooks.example.com/services/\n'],
    ['no YAML', 'a: [\n'],
    ['nothing', ''],
  ])('may hold %s', (_what, text) => expect(lineIn(text)).toBeNull());
});
