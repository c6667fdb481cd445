// The section of the paper exchange: profile, quirks, limits, engine, accounts, control; and its mistakes as sentences.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PROFILES } from '../../../src/paper/state/settings.ts';
import { changed, enterProject, leaveProject, load, PAPER, refusal, write } from './settings-project.ts';

let here = '';
beforeEach(() => {
  here = enterProject();
});
afterEach(leaveProject);

const LIMITS = / {2}rateLimits:.*?(?=\n\n)/s;
/** The standard configuration without its limits, and with other lines in the section. */
const paperWith = (lines: string): string =>
  PAPER.replace(LIMITS, '').replace('  port: 8788\n', `  port: 8788\n${lines}`);
const PUBLIC_LANE = 'public: { requestsPerSecond: 9 }';
const slow = (text: string): string => changed(text, PUBLIC_LANE, 'public: { requestsPerSecond: 0.4 }');

describe('profile, quirks and limits', () => {
  test('by default they are those of the profile spec', async () => {
    const { paper } = await load(paperWith(''));
    expect(paper).toMatchObject(PROFILES.spec);
  });

  test('the field profile brings its own limit', async () => {
    const { paper } = await load(slow(paperWith('  profile: field\n')));
    expect(paper).toMatchObject(PROFILES.field);
    expect(paper?.rateLimits.public).toEqual([{ requests: 1, perMs: 2_500 }]);
  });

  test('single quirks and single limits override the profile’s', async () => {
    const lines = `  profile: field
  quirks: { codeAs: number, openOrdersCap: null, legacyTradeZone: "+05:30", tradesLagMs: 2000 }
  rateLimits: { public: 20 }
`;
    const { paper } = await load(paperWith(lines));
    expect(paper?.quirks).toEqual({ ...PROFILES.field.quirks, codeAs: 'number', tradesLagMs: 2_000 });
    expect(paper?.rateLimits).toEqual({ ...PROFILES.field.rateLimits, public: [{ requests: 20, perMs: 1_000 }] });
  });

  test.each([
    [10, { requests: 10, perMs: 1_000 }],
    [0.4, { requests: 1, perMs: 2_500 }],
    [2.5, { requests: 3, perMs: 1_200 }],
  ])('%d requests per second are a window', async (perSecond, window) => {
    const { paper } = await load(slow(paperWith(`  rateLimits: { public: ${perSecond} }\n`)));
    expect(paper?.rateLimits.public).toEqual([window]);
  });

  test('a lane faster than the limit of the profile is refused', async () => {
    const lines = await refusal([write('a.yaml', paperWith('  profile: field\n'))]);
    expect(lines).toContainEqual(
      expect.stringMatching(/lanes\.public\.requestsPerSecond: 9 is more than the 0\.4 per second/),
    );
  });
});

describe('engine, accounts and control', () => {
  test('choices of the engine; numbers of any size', async () => {
    const lines =
      '  engine: { crossing: rejected, selfTrade: allow, buyerFeeAsset: base, firstOrderNumber: ' +
      `9007199254740993 }\n`;
    const { paper } = await load(paperWith(lines));
    expect(paper?.engine).toEqual({
      crossing: 'rejected',
      selfTrade: 'allow',
      buyerFeeAsset: 'base',
      firstOrderNumber: 9_007_199_254_740_993n,
    });
  });

  test('accounts with keys in files, symbols without a run, a control port', async () => {
    const lines = `  accounts:
    - name: carol
      openingBalances: { INR: 1000.5 }
      keys:
        - file: keys/carol
        - { file: keys/reader, permissions: [wallet] }
  instruments: [{ symbol: SOL/INR, tickSize: 0.1, lotSize: 0.01, minNotional: 100 }]
  control: {}
`;
    const { paper } = await load(paperWith(lines));
    expect(paper?.accounts).toMatchObject([
      {
        name: 'carol',
        keys: [
          { file: path.join(here, 'keys/carol'), permissions: ['wallet', 'orders', 'trades'] },
          { permissions: ['wallet'] },
        ],
      },
    ]);
    expect(paper?.accounts[0]?.openingBalances.INR?.toFixed()).toBe('1000.5');
    expect(paper?.instruments[0]?.lotSize.toFixed()).toBe('0.01');
    expect(paper).toMatchObject({ control: { port: 8789 } });
  });
});

const account = (text: string): string => `  accounts: [${text}]\n`;

test.each([
  ['  quirks: { codeAs: text }\n', 'paper.quirks.codeAs: "text" is not one of number, string.'],
  ['  quirks: { codeas: string }\n', 'paper.quirks.codeas: is not known here.'],
  ['  quirks: { openOrdersCap: 0 }\n', 'paper.quirks.openOrdersCap: 0 is not a number of at least 1.'],
  [
    '  engine: { firstOrderNumber: 0.5 }\n',
    'paper.engine.firstOrderNumber: 0.5 is not a whole number ≥ 1, of any size.',
  ],
  ['  control: { host: 0.0.0.0 }\n', 'paper.control.host: unknown key; allowed keys: port.'],
  [account('{ name: owner }'), "paper.accounts[0].name: owner is the name of the bot's own account."],
  [account('{ name: fees }'), 'paper.accounts[0].name: fees is a name that the exchange itself uses.'],
  [account('{ name: a }, { name: a }'), 'paper.accounts[1].name: a is listed twice.'],
  [account('{ name: Carol }'), 'paper.accounts[0].name: "Carol" is not a name such as carol'],
  [
    account('{ name: a, keys: [{ file: k }] }, { name: b, keys: [{ file: k }] }'),
    'paper.accounts[1].keys[0].file: k holds another key already; one file per key.',
  ],
  [
    account('{ name: a, openingBalances: { INR: 0.123456789 } }'),
    'paper.accounts[0].openingBalances.INR: 0.123456789 has more decimals than the 8 that an amount can have.',
  ],
  [
    '  instruments: [{ symbol: BTC/INR, tickSize: 1, lotSize: 1, minNotional: 1 }]\n',
    'paper.instruments[0].symbol: BTC/INR has its rules from runs[0] (config/a.yaml:',
  ],
])('%s is refused', async (lines, sentence) => {
  expect(await refusal([write('a.yaml', paperWith(lines))])).toContainEqual(expect.stringContaining(sentence));
});
