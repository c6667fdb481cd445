import { describe, expect, test } from '@jest/globals';
import { parseAssets } from '../../../src/venue/parsers/assets.ts';
import { exact, parsed } from './parsed.ts';

const network = {
  name: 'BITCOIN',
  deposit: { min: '0.001', confirmations: 3, enabled: true },
  withdraw: { min: '0.002', max: '10', fee: '0.0005', enabled: false },
};
const bitcoin = { asset: 'btc', name: 'Bitcoin', status: 'ACTIVE', networks: [network] };
const settings = {
  asset: 'BTC',
  name: 'Bitcoin',
  status: 'active',
  networks: [
    {
      name: 'BITCOIN',
      deposit: { enabled: true, minimum: '0.001', confirmations: 3 },
      withdrawal: { enabled: false, minimum: '0.002', maximum: '10', fee: '0.0005' },
    },
  ],
};
const assets = (body: unknown) => parsed(parseAssets(body, {}));

test('an asset with its network', () => expect(assets([bitcoin])).toEqual({ rows: [settings] }));

test('numbers as they were written', () => {
  const body = exact(JSON.stringify([bitcoin]).replace('"10"', '123456789012345678.123456789'));
  expect(assets(body).rows).toMatchObject([
    { networks: [{ withdrawal: { maximum: '123456789012345678.123456789' } }] },
  ]);
});

test.each([
  ['status', 'inactive', { status: 'inactive' }],
  ['status', 'SUSPENDED', { status: 'other' }],
  ['status', null, { status: 'other' }],
  ['name', null, { name: 'BTC' }],
  ['networks', [], { networks: [] }],
  ['networks', null, { networks: [] }],
])('%s may be %j', (field, value, expected) => {
  expect(assets([{ ...bitcoin, [field]: value }])).toEqual({ rows: [{ ...settings, ...expected }] });
});

test('limits and confirmations that are not stated are none', () => {
  const bare = { name: 'X', deposit: { enabled: 'true', confirmations: '12' }, withdraw: { enabled: true, max: null } };
  expect(assets([{ ...bitcoin, networks: [bare] }]).rows).toMatchObject([
    {
      networks: [
        {
          deposit: { enabled: true, minimum: null, confirmations: 12 },
          withdrawal: { enabled: true, minimum: null, maximum: null, fee: null },
        },
      ],
    },
  ]);
});

describe('what is not understood is said, and the asset is left out', () => {
  const withNetwork = (second: unknown) => ({ ...bitcoin, networks: [network, second] });
  const changed = (change: object) => withNetwork({ ...network, ...change });
  const SECOND = 'network 2 of 2:';
  const noFlag = { fee: '1' };
  const halfBlock = { enabled: true, confirmations: 0.5 };
  const negative = { ...network.withdraw, fee: '-1' };

  test.each<[string, unknown]>([
    ['field "asset" is null, not a text', { ...bitcoin, asset: null }],
    ['field "networks" is {}, not a list', { ...bitcoin, networks: {} }],
    [`${SECOND} it is not an object`, withNetwork('BSC')],
    [`${SECOND} field "name" is "", not a text`, changed({ name: '' })],
    [`${SECOND} field "deposit" is missing, not an object`, changed({ deposit: undefined })],
    [`${SECOND} withdraw: field "enabled" is missing, not true or false`, changed({ withdraw: noFlag })],
    [`${SECOND} deposit: field "confirmations" is 0.5, not a count of blocks`, changed({ deposit: halfBlock })],
    [`${SECOND} withdraw: field "fee" is "-1", not a number of at least zero`, changed({ withdraw: negative })],
  ])('%s', (problem, row) => {
    expect(assets([bitcoin, row])).toEqual({ rows: [settings], incompleteBecause: `Row 2 of 2: ${problem}.` });
  });
});

test('another asset than was asked for is an answer to another question', () => {
  const page = parsed(parseAssets([bitcoin], { asset: 'ETH' }));
  expect(page.incompleteBecause).toBe('Asked for ETH, the answer holds BTC.');
});
