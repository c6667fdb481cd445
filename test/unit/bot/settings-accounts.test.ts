import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { filesByAccount, loadFleetPage, loadSettings } from '../../../src/bot/settings/settings.ts';
import { editedTexts } from '../../../src/bot/steer/proposal.ts';
import { changed, enterProject, inProject, LIVE, leaveProject, refusal, write } from './settings-project.ts';

beforeEach(() => void enterProject());
afterEach(leaveProject);

const FLEET = changed(
  changed(LIVE.replaceAll(/ *#.*←.*/g, ''), 'state: state/live', 'state: state/$account'),
  'environment: QUOTEKEEPER #',
  'file: secrets/$account #',
);
const ACCOUNTS = `${FLEET}accounts:
  alice:
  bob:
    lanes: { public: { requestsPerSecond: 0.2 } }
    runs: [{ symbol: BTC/INR, params: { levels: 1 } }]
`;

const fleet = (text = ACCOUNTS): string => write('fleet.yaml', text);

test('an account has what the file says for all, its own name in it, and its own values over it', async () => {
  const file = fleet();
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((name) => loadSettings([`${file}#${name}`])));
  expect(alice?.stateFolder).toBe(inProject('state/alice'));
  expect(bob?.stateFolder).toBe(inProject('state/bob'));
  expect(alice?.keys).toEqual({ kind: 'file', path: inProject('secrets/alice') });
  expect([alice, bob].map((each) => each?.lanes.public.requestsPerSecond)).toEqual([0.4, 0.2]);
  expect([alice, bob].map((each) => each?.lanes.private.requestsPerSecond)).toEqual([0.4, 0.4]);
  // A run is laid over that of its symbol: only `levels` differs.
  const params = [alice, bob].map((each) => each?.runSections[0]?.params);
  expect(params).toEqual([
    expect.objectContaining({ levels: 2, halfSpreadBps: 100 }),
    expect.objectContaining({ levels: 1, halfSpreadBps: 100 }),
  ]);
  const of = (account: string) => ({ account, files: [`${file}#${account}`] });
  expect(filesByAccount([file])).toEqual([of('alice'), of('bob')]);
  expect(filesByAccount([`${file}#bob`])).toEqual([of('bob')]);
});

test.each([
  ['no name', '', /^config\/fleet.yaml:\d+: This file is for several accounts: name one of alice, bob behind it/],
  [
    'an unknown name',
    '#carol',
    /^config\/fleet.yaml:\d+: There is no account carol in this file: its accounts are alice/,
  ],
])('%s is refused with the names that there are', async (_, name, sentence) => {
  expect((await refusal([`${fleet()}${name}`]))[0]).toMatch(sentence);
});

test('two accounts never share a state folder, a key or a journal', async () => {
  const lines = await refusal([`${fleet(ACCOUNTS.replaceAll('$account', 'both'))}#alice`]);
  expect(lines).toEqual([
    expect.stringMatching(/state: accounts alice and bob have the same; write \$account into it\.$/),
    expect.stringMatching(/keys\.file: accounts alice and bob have the same; write \$account into it\.$/),
  ]);
});

test('a mistake below an account is told with its line', async () => {
  const lines = await refusal([`${fleet(ACCOUNTS.replace('requestsPerSecond: 0.2', 'requestsPerSecond: -2'))}#bob`]);
  expect(lines).toEqual([expect.stringMatching(/^config\/fleet.yaml:\d+: lanes.public.requestsPerSecond: -2 is not/)]);
});

test('limits over all accounts want a database', async () => {
  const lines = await refusal([`${fleet(`${ACCOUNTS}fleet: { maxBase: { BTC: 1 } }\n`)}#alice`]);
  expect(lines).toEqual([expect.stringMatching(/fleet: needs `journal.kind: postgres`/)]);
});

test('`set` changes the run of the account, never what all share', () => {
  const text = ACCOUNTS;
  const changes = [{ path: 'params.levels', value: '3' }];
  const edited = (account: string, temporary = false) =>
    editedTexts(new Map([[`fleet.yaml#${account}`, text]]), { symbol: 'BTC/INR', changes, temporary });
  const of = (account: string, temporary?: boolean): string => {
    const result = edited(account, temporary);
    return result.ok ? [...result.value.values()].join('') : result.error;
  };
  expect(of('bob')).toBe(text.replace('{ levels: 1 }', '{ levels: 3 }'));
  expect(of('alice')).toMatch(/no run of BTC\/INR is written there\. What all accounts share is changed by hand/);
  expect(of('alice', true)).toBe(text.replace('levels: 2 ', 'levels: 3 '));
});

test('the page of all accounts listens where the file says outside `accounts`, with a state folder of its own', () => {
  const web = 'web: { host: 0.0.0.0, port: 8800, origin: "https://bots.example.com/$account", behindProxy: true }\n';
  const text = `${ACCOUNTS.replace('alice:\n', 'alice: { web: { port: 8801 } }\n')}`;
  expect(loadFleetPage([fleet(text)])).toEqual({
    web: { host: '127.0.0.1', port: 8787, origin: null, tls: null, behindProxy: false },
    stateFolder: inProject('state/fleet'),
  });
  const elsewhere = `${web}state: /srv/$account/bot\naccounts: { alice: , bob: }\n`;
  expect(loadFleetPage([fleet(elsewhere)])).toEqual({
    web: { host: '0.0.0.0', port: 8800, origin: 'https://bots.example.com/fleet', tls: null, behindProxy: true },
    stateFolder: '/srv/fleet/bot',
  });
  // A folder that is one bot's is not taken.
  expect(loadFleetPage([fleet('state: state/live\n')]).stateFolder).toBe(inProject('state/fleet'));
  expect(() => loadFleetPage([fleet('web: { host: 0.0.0.0 }\n')])).toThrow(/fleet\.yaml:1: web\.host: "0\.0\.0\.0"/);
});
