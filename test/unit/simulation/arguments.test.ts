// A part of what there is to play: parts together are all of it, each once.
import { expect, test } from '@jest/globals';
import { readPart } from '../../../simulation/plan/arguments.ts';

const ALL = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

function partOf(text: string | undefined): readonly string[] | string {
  const part = readPart(text);
  return part.ok ? part.value(ALL) : part.error;
}

test('parts together are all of it', () => {
  expect(partOf('1/3')).toEqual(['a', 'd', 'g']);
  expect(partOf('2/3')).toEqual(['b', 'e']);
  expect(partOf('3/3')).toEqual(['c', 'f']);
  expect(partOf('1/1')).toEqual(ALL);
});

test('all of it where no part is asked for', () => {
  expect(partOf(undefined)).toEqual(ALL);
});

test.each(['0/3', '4/3', '1', '1/0', '-1/3', 'a/b', '1.5/3'])('%s is none', (text) => {
  expect(partOf(text)).toBe(`--part ${text}: 1/3, 2/3 and 3/3 are three parts of it.`);
});
