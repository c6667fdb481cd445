// The configuration that a probe writes: one value changed, every other character kept, and only what the program
// itself accepts.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Finding, SettingChange } from '../../../src/bot/probe/facts/finding.ts';
import { assertNew, writeConfiguration } from '../../../src/bot/probe/report/write-configuration.ts';
import { edited, type Place } from '../../../src/bot/probe/report/yaml-edit.ts';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { changed, enterProject, inProject, LIVE, leaveProject, PAPER, write } from './settings-project.ts';

beforeEach(() => void enterProject());
afterEach(leaveProject);

const finding = (setting: SettingChange | undefined, id = 'made'): Finding => ({
  id,
  question: `question ${id}`,
  finding: 'an answer',
  value: null,
  evidence: 'three answers',
  confidence: 'proved',
  ...(setting && { setting }),
});
const configuration = (path: string, value: string | boolean): SettingChange => ({
  at: 'configuration',
  path: path.split('.'),
  value,
});
const tick = (symbol: string, value: string): SettingChange => ({
  at: 'run',
  symbol,
  path: ['instrument', 'tickSize'],
  value,
});

async function written(file: string, source: string | readonly string[], ...settings: SettingChange[]) {
  const files = typeof source === 'string' ? [source] : source;
  const report = {
    settings: await loadSettings(files),
    findings: settings.map((setting, index) => finding(setting, String(index))),
    head: ['A probe.'],
  };
  const outcome = await writeConfiguration(file, report);
  return { outcome, text: readFileSync(file, 'utf8') };
}

/** Lines that are in one of the two texts only, comments left out. */
const difference = (before: string, after: string): string[] => {
  const lines = (text: string) => text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  const [a, b] = [lines(before), lines(after)];
  return [
    ...a.filter((line) => !b.includes(line)).map((line) => `-${line}`),
    ...b.filter((line) => !a.includes(line)).map((line) => `+${line}`),
  ];
};

describe('one edit of a YAML text', () => {
  test.each<[string, string, Place, string, string]>([
    ['a value', 'a: 1 # one\nb: 2\n', ['a'], '7', '# why\na: 7 # one\nb: 2\n'],
    ['deep in blocks', 'a:\n  b:\n    c: 1\n', ['a', 'b', 'c'], '2', 'a:\n  b:\n    # why\n    c: 2\n'],
    ['within braces', 'a:\n  b: { c: 1, d: 2 } # x\n', ['a', 'b', 'd'], '3', 'a:\n  # why\n  b: { c: 1, d: 3 } # x\n'],
    ['new within braces', 'a: { c: 1 }\n', ['a', 'd'], '3', '# why\na: { d: 3, c: 1 }\n'],
    ['new within empty braces', 'a: {}\n', ['a', 'd'], '3', '# why\na: { d: 3}\n'],
    ['new in a block', 'a:\n  b: 1\n  c: 2\nz: 9\n', ['a', 'd'], '3', 'a:\n  b: 1\n  # why\n  d: 3\n  c: 2\nz: 9\n'],
    ['new in a block of one', 'a:\n  b: 1\nz: 9\n', ['a', 'd'], '3', 'a:\n  b: 1\n  # why\n  d: 3\nz: 9\n'],
    ['new and deep', 'a:\n  b: 1\n  c: 2\n', ['a', 'd', 'e'], '3', 'a:\n  b: 1\n  # why\n  d: { e: 3 }\n  c: 2\n'],
    [
      'in a list',
      'r:\n  - s: X\n    i: { t: 1 }\n',
      ['r', 0, 'i', 't'],
      '2',
      'r:\n  - s: X\n    # why\n    i: { t: 2 }\n',
    ],
    ['a section of its own', 'a: 1\n', ['b', 'c'], '2', 'a: 1\n\n# why\nb:\n  c: 2\n'],
    ['behind a text without an end', 'a: 1', ['b'], '2', 'a: 1\n\n# why\nb: 2\n'],
  ])('%s', (_what, before, place, value, after) => {
    const text = edited(before, { place, value, comment: ['why'] });
    expect(text).toBe(after);
    expect(() => parse(text)).not.toThrow();
  });

  test('changes what it should and nothing else, wherever in the real configurations', () => {
    const places = (node: unknown, at: Place = []): Place[] => {
      if (typeof node !== 'object' || node === null) return [at];
      return Object.entries(node).flatMap(([key, value]) =>
        places(value, [...at, Array.isArray(node) ? Number(key) : key]),
      );
    };
    const cases = [PAPER, LIVE].flatMap((text) => places(parse(text)).map((place): [string, Place] => [text, place]));
    fc.assert(
      fc.property(fc.constantFrom(...cases), ([text, place]) => {
        const after = edited(text, { place, value: '4711', comment: ['a reason', 'of two lines'] });
        const wanted: unknown = parse(text);
        let here = wanted as Record<string | number, unknown>;
        for (const step of place.slice(0, -1)) here = here[step] as Record<string | number, unknown>;
        here[place.at(-1) ?? ''] = 4711;
        expect(parse(after)).toEqual(wanted);
        const comments = (all: string): number => all.split('\n').filter((line) => line.trim().startsWith('#')).length;
        expect(comments(after)).toBe(comments(text) + 2);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a configuration that was probed', () => {
  test('says what was found, changes what follows, and keeps every other line as it was', async () => {
    const { outcome, text } = await written(
      inProject('config/probed.yaml'),
      write('a.yaml', PAPER),
      configuration('lanes.public.requestsPerSecond', '4.5'),
      tick('ETH/INR', '0.5'),
    );
    expect(outcome.applied).toHaveLength(2);
    expect(difference(PAPER, text)).toEqual([
      '-  public: { requestsPerSecond: 9 }',
      '+  public: { requestsPerSecond: 4.5 }',
      '+      tickSize: 0.5',
    ]);
    expect(text.split('\n')[0]).toBe(PAPER.split('\n')[0]);
    expect(text).toContain('# A probe.');
    expect(text).toContain('# question 0: an answer [proved]\n#     three answers\n');
    expect(text).toContain('  # probe: 9 before. question 0: three answers [proved]\n');
    const settings = await loadSettings([inProject('config/probed.yaml')]);
    expect(settings.lanes.public.requestsPerSecond).toBe(4.5);
    expect(settings.trader.runs.map(({ instrument }) => instrument.tickSize.toFixed())).toEqual(['1', '0.5']);
  });

  test('a section that was left out is added', async () => {
    const { text } = await written(
      inProject('config/probed.yaml'),
      write('a.yaml', PAPER),
      configuration('venue.timeOffsetMinutes.public-trades', '330'),
    );
    expect(text).toContain(
      '\n# probe: left out before. question 0: three answers [proved]\nvenue:\n  timeOffsetMinutes:\n    ' +
        'public-trades: 330\n',
    );
    expect((await loadSettings([inProject('config/probed.yaml')])).venue.timeOffsetMinutes).toEqual({
      'public-trades': 330,
    });
  });

  test('a small step is written exactly', async () => {
    const { text } = await written(
      inProject('config/probed.yaml'),
      write('a.yaml', PAPER),
      tick('BTC/INR', '0.00000001'),
    );
    expect(text).toContain('tickSize: 0.00000001');
    const [run] = (await loadSettings([inProject('config/probed.yaml')])).trader.runs;
    expect(run?.instrument.tickSize.toFixed()).toBe('0.00000001');
  });

  test('what does not fit the rest is said and left as it was; what fits is written all the same', async () => {
    const { outcome, text } = await written(
      inProject('config/probed.yaml'),
      write('a.yaml', `${PAPER}advanced: { bookMaxAgeMs: 5000 }\n`),
      configuration('lanes.public.requestsPerSecond', '0.1'),
      tick('BTC/INR', '0.5'),
    );
    expect(outcome.applied.map(({ id }) => id)).toEqual(['1']);
    expect(outcome.refused).toMatchObject([
      { change: { id: '0' }, why: expect.stringContaining('advanced.bookMaxAgeMs: 5000 ms cannot be kept') },
    ]);
    expect(outcome.refused[0]?.why).not.toContain('trial');
    expect(text).toMatch(/# NOT APPLIED: lanes\.public\.requestsPerSecond 0\.1\. .*\n?.*advanced\.bookMaxAgeMs/);
    await loadSettings([inProject('config/probed.yaml')]);
  });

  test('two findings that want different values in one place: neither', async () => {
    const { outcome } = await written(
      inProject('config/probed.yaml'),
      write('a.yaml', PAPER),
      configuration('costs.makerFeeRatio', '0.0025'),
      configuration('costs.makerFeeRatio', '0.003'),
    );
    expect(outcome.applied).toEqual([]);
    expect(outcome.refused).toHaveLength(2);
  });

  test('several files become one', async () => {
    const [head = '', btc = '', eth = ''] = PAPER.split(/^ {2}(?=- symbol: (?:BTC|ETH)\/INR\n {4}instrument)/m);
    const files = [write('a.yaml', `${head}  ${btc}`), write('b.yaml', `${head}  ${eth}`)];
    await written(inProject('config/probed.yaml'), files, tick('ETH/INR', '0.5'));
    const { trader } = await loadSettings([inProject('config/probed.yaml')]);
    expect(trader.runs.map(({ instrument }) => [instrument.symbol, instrument.tickSize.toFixed()])).toEqual([
      ['BTC/INR', '1'],
      ['ETH/INR', '0.5'],
    ]);
  });

  test('in another folder it means the same state, keys and log', async () => {
    mkdirSync(inProject('elsewhere'));
    const text = changed(
      LIVE,
      '  environment: { key: QUOTEKEEPER_KEY, secret: QUOTEKEEPER_SECRET }\n',
      '  file: private/keys\n',
    );
    const source = write('a.yaml', text);
    await written(inProject('elsewhere/probed.yaml'), source, configuration('venue.openOrdersUncapped', true));
    const [before, after] = [await loadSettings([source]), await loadSettings([inProject('elsewhere/probed.yaml')])];
    expect(after).toMatchObject({ stateFolder: before.stateFolder, keys: before.keys, log: before.log });
    expect(after.venue.openOrdersUncapped).toBe(true);
    expect(readFileSync(inProject('elsewhere/probed.yaml'), 'utf8')).not.toContain('$schema=schema.json');
  });

  test('nothing else stays behind', async () => {
    await written(inProject('config/probed.yaml'), write('a.yaml', PAPER));
    expect(readdirSync(inProject('config')).sort()).toEqual(['a.yaml', 'probed.yaml']);
  });
});

describe('never over a file', () => {
  test('said before anything is asked', () => {
    writeFileSync(inProject('there.yaml'), 'mine');
    expect(() => assertNew(inProject('there.yaml'))).toThrow(
      'there.yaml is there already; probe never writes over a file.',
    );
    symlinkSync('nowhere', inProject('link.yaml'));
    expect(() => assertNew(inProject('link.yaml'))).toThrow('link.yaml is there already');
    const before = readdirSync(inProject('.'));
    assertNew(inProject('new.yaml'));
    expect(readdirSync(inProject('.'))).toEqual(before);
  });

  test.each([
    ['no/such/folder/new.yaml', 'ENOENT'],
    ['/proc/new.yaml', 'ENOENT'],
    ['/dev/null/new.yaml', 'ENOTDIR'],
    ['folder/', 'EISDIR'],
    [`${'a'.repeat(245)}.yaml`, 'ENAMETOOLONG'],
    [`${'a'.repeat(300)}.yaml`, 'ENAMETOOLONG'],
  ])('nor where none can be made (%s), which is said before anything is asked', (file, code) => {
    const error = expect.objectContaining({ code: 74, message: `${file} cannot be written (${code}).` });
    expect(() => assertNew(file)).toThrow(error);
  });

  test('also when it has come to be meanwhile', async () => {
    const source = write('a.yaml', PAPER);
    writeFileSync(inProject('config/probed.yaml'), 'mine');
    await expect(written(inProject('config/probed.yaml'), source)).rejects.toMatchObject({ code: 64 });
    expect(readFileSync(inProject('config/probed.yaml'), 'utf8')).toBe('mine');
    expect(existsSync(inProject('config/probed.yaml'))).toBe(true);
  });
});
