import { format, inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { Secret } from '../../../src/client/wire/secret.ts';

const CANARY = 'canary-7f3e';
const secret = new Secret(CANARY);

test.each([
  ['a template', `${secret}`],
  ['String()', String(secret)],
  ['concatenation', `x${String(secret)}`],
  ['JSON', JSON.stringify({ secret, list: [secret] })],
  ['inspect', inspect({ secret }, { depth: 9, showHidden: true, getters: true })],
  ['inspect without own forms', inspect(secret, { customInspect: false, showHidden: true })],
  ['format', format('%s %o %O %j', secret, secret, secret, secret)],
  ['a spread', inspect({ ...secret })],
  ['its keys and values', inspect([Object.entries(secret), Object.getOwnPropertyNames(secret)])],
  ['a clone', inspect(structuredClone({ ...secret }))],
  ['an error', new Error(`bad ${secret}`).stack],
])('%s does not show it', (_name, text) => {
  expect(text).not.toContain(CANARY);
});

test('only reveal shows it', () => expect(secret.reveal()).toBe(CANARY));

test('secrets compare by what they hold', () => {
  expect(secret.equals(new Secret(CANARY))).toBe(true);
  expect(secret.equals(new Secret(`${CANARY}x`))).toBe(false);
});

test('an empty one is a mistake', () => expect(() => new Secret('')).toThrow('A secret is empty.'));
