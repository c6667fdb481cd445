// Secrets that a person types somewhere else than where they belong, in every way that still gives them away.
import { describe, expect, test } from '@jest/globals';
import { createSecrets } from '../../../src/bot/base/secrets.ts';
import { secretLine } from '../../../src/bot/settings/checks/secret-line.ts';

const TOKEN = 'kT0-zq_XbWn4Lr8cVd2mJ5yHs7gPf1aQe9uZ3iOxR6w';
const PASSWORD = 'hunter2-now';
const TOPIC = 'quotekeeper-live-BTC-INR-alerts';

function known() {
  const secrets = createSecrets();
  for (const secret of [TOKEN, PASSWORD, TOPIC, 'https://hooks.example.com/services/T0AB1CD2E/B0FG3HI4J/kLmN0pQrStUv'])
    secrets.register(secret);
  return secrets;
}

describe('a text gives away a secret', () => {
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
    ['in base64', Buffer.from(TOKEN).toString('base64')],
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
  ])('not: %s', (_what, text) => expect(known().areIn(text)).toBe(false));
});

describe('a configuration', () => {
  const lineIn = (text: string) => secretLine(new Map([['config/a.yaml', text]]), known().areIn);
  const sentenceAt = (line: number) =>
    `config/a.yaml:${line}: A token or key of the bot stands here; name the file or variable that has it.`;

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
