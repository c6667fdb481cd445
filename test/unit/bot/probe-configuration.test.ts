// The configuration that a probe writes: one value changed, every other character kept, and only what the program
// itself accepts.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Finding, Setting } from '../../../src/bot/probe/finding.ts';
import { assertNew, writeConfiguration } from '../../../src/bot/probe/write-configuration.ts';
import { projectRootOf } from '../../../src/bot/settings/resolve.ts';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import { enterProject, inProject, leaveProject, PAPER, write } from './settings-project.ts';

beforeEach(() => void enterProject());
afterEach(leaveProject);

const finding = (setting: Setting | undefined, id = 'made'): Finding => ({
  id,
  question: `question ${id}`,
  finding: 'an answer',
  value: null,
  evidence: 'three answers',
  confidence: 'proved',
  ...(setting && { setting }),
});
const configuration = (path: string, value: string): Setting => ({
  symbol: null,
  path: path.split('.'),
  value,
});
const tick = (symbol: string, value: string): Setting => ({
  symbol,
  path: ['instrument', 'tickSize'],
  value,
});

async function written(file: string, source: string, ...settings: Setting[]) {
  const report = {
    settings: await loadSettings([source]),
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
      '\n# probe: left out before. question 0: three answers [proved]\n' +
        'venue: { timeOffsetMinutes: { public-trades: 330 } }\n',
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
    expect(text.replaceAll('\n# ', ' ')).toMatch(
      /NOT APPLIED: lanes\.public\.requestsPerSecond 0\.1\. .*advanced\.bookMaxAgeMs/,
    );
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

  test('nothing else stays behind', async () => {
    await written(inProject('config/probed.yaml'), write('a.yaml', PAPER));
    expect(readdirSync(inProject('config')).sort()).toEqual(['a.yaml', 'probed.yaml']);
  });
});

describe('whether the file can be made', () => {
  const refusal = async (file: string, ...sources: string[]): Promise<string> => {
    const settings = await loadSettings(sources);
    try {
      assertNew(file, settings);
    } catch (error) {
      expect(error).toMatchObject({ code: 64 });
      return error instanceof Error ? error.message : '';
    }
    return 'none';
  };

  test('is said before anything is asked: never over a file, nor where its paths would mean others', async () => {
    const source = write('a.yaml', PAPER);
    mkdirSync(inProject('elsewhere'));
    expect(await refusal(source, source)).toMatch('a.yaml is there already; probe never writes over a file.');
    symlinkSync('nowhere', inProject('config/link.yaml'));
    expect(await refusal(inProject('config/link.yaml'), source)).toMatch('link.yaml is there already');
    const before = readdirSync(inProject('config'));
    expect(await refusal(inProject('elsewhere/new.yaml'), source)).toMatch('write it beside');
    expect(await refusal(inProject('config/new.yaml'), source)).toBe('none');
    expect(await refusal(inProject('new.yaml'), source)).toBe('none');
    expect(readdirSync(inProject('config'))).toEqual(before);
  });

  test.each([
    ['config/no/new.yaml', 'ENOENT'],
    ['config/a.yaml/new.yaml', 'ENOTDIR'],
    [`config/${'a'.repeat(300)}.yaml`, 'ENAMETOOLONG'],
  ])('nor where none can be made (%s), which is said before anything is asked', async (name, code) => {
    const settings = await loadSettings([write('a.yaml', PAPER)]);
    const file = inProject(name);
    const error = expect.objectContaining({ code: 74, message: `${file} cannot be written (${code}).` });
    expect(() => assertNew(file, { ...settings, projectRoot: projectRootOf(file) })).toThrow(error);
  });

  test('of several configurations one is to be named', async () => {
    const [head = '', btc = '', eth = ''] = PAPER.split(/^ {2}(?=- symbol: (?:BTC|ETH)\/INR\n {4}instrument)/m);
    const files = [write('a.yaml', `${head}  ${btc}`), write('b.yaml', `${head}  ${eth}`)];
    expect(await refusal(inProject('config/new.yaml'), ...files)).toMatch(
      '--out writes one configuration; name one of',
    );
  });

  test('also when it was created meanwhile', async () => {
    const source = write('a.yaml', PAPER);
    writeFileSync(inProject('config/probed.yaml'), 'mine');
    await expect(written(inProject('config/probed.yaml'), source)).rejects.toMatchObject({ code: 64 });
    expect(readFileSync(inProject('config/probed.yaml'), 'utf8')).toBe('mine');
  });
});
