// The effect of changed parameters on a bot, found from texts alone: refusals, differences, and valid confirmations.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createLog } from '../../../src/bot/base/log.ts';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import type { SteerAnswer, SteerCommand } from '../../../src/bot/steer/command.ts';
import { createSteering, type Steering } from '../../../src/bot/steer/steering.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import type { TraderInput } from '../../../src/trader/observe/observe.ts';
import { runOf, type TraderState } from '../../../src/trader/state/state.ts';
import { type Desk, deskWith, makeReady } from '../trader/trader-kit.ts';

let file = '';
let desk: Desk;
let steering: Steering;
const told: TraderInput[] = [];
const latched: string[] = [];

beforeEach(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'proposal-'));
  file = path.join(folder, 'paper.yaml');
  writeFileSync(file, readFileSync('config/paper.yaml', 'utf8'));
  const settings = await loadSettings([file]);
  desk = deskWith(settings.trader);
  told.length = 0;
  latched.length = 0;
  steering = createSteering({
    settings,
    loop: {
      state: (): TraderState => desk.state(),
      tell: (input) => {
        told.push(input);
        desk.tell(input);
      },
      isBroken: () => false,
    },
    now: () => desk.now(),
    stop: () => {},
    setKillLatch: (reason) => latched.push(reason),
    performed: () => {},
    holdsSecret: () => false,
    log: createLog({ level: 'fatal' }, { stream: process.stderr, isTerminal: false }),
  });
});

const set = (changes: Record<string, string>, more: Partial<Extract<SteerCommand, { command: 'set' }>> = {}) =>
  steering.perform({
    ...{ command: 'set', symbol: 'BTC/INR', temporary: false, confirm: null, by: 'asha' },
    changes: Object.entries(changes).map(([name, value]) => ({ path: name, value })),
    ...more,
  });
const reload = (confirm: string | null = null) => steering.perform({ command: 'reload', confirm, by: 'asha' });
const edit = (from: string, to: string): void => writeFileSync(file, textNow().replace(from, to));
const textNow = (): string => readFileSync(file, 'utf8');
const param = (name: string): string | undefined => runOf(desk.state(), 'BTC/INR').parameters[`params.${name}`];

function idOf(answer: SteerAnswer): string {
  if (!('preview' in answer)) throw new Error(JSON.stringify(answer));
  return answer.preview.id;
}

const refusalOf = async (answer: Promise<SteerAnswer>): Promise<string> => {
  const given = await answer;
  if (!('refused' in given)) throw new Error(JSON.stringify(given));
  return given.refused;
};

test('a preview notifies nobody and writes nothing; its id applies it', async () => {
  const before = textNow();
  const shown = await set({ 'params.levels': '3' });
  expect(told).toEqual([]);
  expect(textNow()).toBe(before);
  expect(await set({ 'params.levels': '3' }, { confirm: idOf(shown) })).toEqual({
    done: ['Changed: BTC/INR.', 'Written into the file.'],
  });
  expect(param('levels')).toBe('3');
  expect(textNow()).toContain('levels: 3');
});

describe('a confirmation is not accepted', () => {
  test('for values other than the shown ones', async () => {
    const id = idOf(await set({ 'params.levels': '3' }));
    expect(await refusalOf(set({ 'params.levels': '1' }, { confirm: id }))).toMatch(/Look again\.$/);
    expect(param('levels')).toBe('2');
  });

  test('once a file was edited', async () => {
    const id = idOf(await set({ 'params.levels': '3' }));
    edit('# The configuration to start with', '# Mine');
    expect(await refusalOf(set({ 'params.levels': '3' }, { confirm: id }))).toMatch(/Look again\.$/);
  });

  test('once somebody else changed the bot', async () => {
    const id = idOf(await set({ 'params.levels': '3' }, { temporary: true }));
    const other = idOf(await set({ 'params.skewBps': '40' }, { temporary: true, symbol: 'ETH/INR' }));
    await set({ 'params.skewBps': '40' }, { temporary: true, symbol: 'ETH/INR', confirm: other });
    expect(await refusalOf(set({ 'params.levels': '3' }, { temporary: true, confirm: id }))).toMatch(/Look again\.$/);
    expect(param('levels')).toBe('2');
  });

  test('for another effect on the files than the shown one', async () => {
    const before = textNow();
    const ofBot = idOf(await set({ 'params.levels': '3' }, { temporary: true }));
    expect(await refusalOf(set({ 'params.levels': '3' }, { confirm: ofBot }))).toMatch(/Look again\.$/);
    const ofFile = idOf(await set({ 'params.levels': '3' }));
    expect(await refusalOf(set({ 'params.levels': '3' }, { temporary: true, confirm: ofFile }))).toMatch(/again\.$/);
    expect([param('levels'), textNow()]).toEqual(['2', before]);
  });

  test('without a preview', async () => {
    expect(await refusalOf(reload('0123456789ab'))).toMatch(/Look again\.$/);
  });
});

describe('other changes in the file', () => {
  test('are not applied by a set, but by a reload', async () => {
    edit('skewBps: 60 ', 'skewBps: 55 ');
    expect(await refusalOf(set({ 'params.levels': '3' }))).toBe(
      'Nothing is changed: the files say more than the bot runs with (BTC/INR params.skewBps 60 → 55). `reload` ' +
        'shows and takes all of it; `set --temporary` leaves the files out.',
    );
    await reload(idOf(await reload()));
    expect(param('skewBps')).toBe('55');
    expect(param('levels')).toBe('2');
  });

  test('a second temporary change keeps the first; a reload takes both back', async () => {
    const apply = async (changes: Record<string, string>) =>
      set(changes, { temporary: true, confirm: idOf(await set(changes, { temporary: true })) });
    await apply({ 'params.levels': '3' });
    await apply({ 'params.skewBps': '50' });
    expect([param('levels'), param('skewBps')]).toEqual(['3', '50']);
    await reload(idOf(await reload()));
    expect([param('levels'), param('skewBps')]).toEqual(['2', '60']);
  });

  test('added runs need a restart', async () => {
    writeFileSync(file, textNow().replaceAll('ETH/INR', 'XRP/INR').replace('ETH: 8', 'XRP: 8'));
    expect(await refusalOf(reload())).toBe(
      "Nothing is changed. Runs can't be added, removed or put in another order while the bot runs (BTC/INR, XRP/INR).",
    );
  });

  test('a change that contradicts another part is refused as it is at the start', async () => {
    expect(await refusalOf(set({ 'params.levels': '4' }))).toMatch(
      /^Nothing is changed\. .*paper\.yaml:\d+: runs\[0\]/,
    );
  });
});

const REFERENCE = `
reference:
  symbols:
    - symbol: BTC/INR
      sources:
        - exchange: binance
          symbol: BTC/USDT
          read: book
          rates:
            - { kind: fixed, symbol: USDT/INR, price: 88.5 }
      guards:
        minimumSources: 1
`;

test('a run that needs a section which waits for a restart waits for it, too', async () => {
  edit('\n  - symbol: BTC/INR\n', '\n  - symbol: BTC/INR\n    referenceSource: external\n');
  writeFileSync(file, textNow() + REFERENCE);
  expect(await reload()).toEqual({
    refused: expect.stringMatching(
      /^Nothing is changed\. Until a restart applies the changes in reference: .*runs\[0\]/,
    ),
  });
  // Another change to the same file works by itself.
  edit('    referenceSource: external\n', '');
  edit('halfSpreadBps: 90', 'halfSpreadBps: 91');
  expect(await reload()).toMatchObject({ preview: { wantsRestart: ['reference'] } });
});

test('two at once: the second is refused, and the first continues', async () => {
  const both = await Promise.all([set({ 'params.levels': '3' }), reload()]);
  expect(both[1]).toEqual({ refused: 'Another change is being looked at: ask again.' });
  expect(idOf(both[0])).toMatch(/^[0-9a-f]{12}$/);
});

test('cancel-all sets the latch, and the bot stops', async () => {
  makeReady(desk);
  const answer = await steering.perform({ command: 'cancel-all', by: 'asha' });
  expect(answer).toMatchObject({ done: [expect.stringContaining('The kill latch is set'), expect.anything()] });
  expect(latched).toEqual(['cancel-all was called by asha.']);
  expect(desk.state().phase).toBe('stopping');
  expect(await reload()).toEqual({ refused: 'The bot is stopping already.' });
});

test('cancel-all during a stop sets the latch, or who starts it again would have it quote', async () => {
  makeReady(desk);
  desk.tell({ kind: 'stop' });
  expect(await steering.perform({ command: 'cancel-all', by: 'asha' })).toEqual({ done: expect.anything() });
  expect(latched).toEqual(['cancel-all was called by asha.']);
});

describe('a pause', () => {
  const pause = (forMs: number | null, reason: string, side: 'buy' | null = 'buy') =>
    steering.perform({ command: 'pause', symbol: 'BTC/INR', side, forMs, reason, by: 'asha' });
  const resume = (side: 'buy' | null) =>
    steering.perform({ command: 'resume', symbol: 'BTC/INR', side, price: null, by: 'asha' });
  const locks = () => marketIn(desk.state().durable, 'BTC/INR').locks.map(({ until, reason }) => [until, reason]);

  test('that is shorter does not shorten an earlier one, and says so; a longer one replaces it', async () => {
    await pause(60_000, 'A minute.');
    await pause(null, 'News at noon.');
    expect(locks()).toEqual([[null, 'News at noon.']]);
    expect(await pause(3_000, 'Short.')).toEqual({
      done: [
        'The buy side of BTC/INR stays locked until it is removed: News at noon. To lock it for less, resume it first.',
      ],
    });
    expect(locks()).toEqual([[null, 'News at noon.']]);
  });

  test('of a symbol is not ended by resuming one side, and a resume says what blocks it', async () => {
    await pause(null, 'Night.', null);
    expect(await resume('buy')).toEqual({
      done: ['Not resumed: all of BTC/INR is held: Night. `resume BTC/INR` lifts that.'],
    });
    expect(locks()).toHaveLength(1);
    await resume(null);
    expect(await resume('buy')).toEqual({ done: ['the buy side of BTC/INR was neither paused nor halted.'] });
  });
});
