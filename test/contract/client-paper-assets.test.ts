// What the exchange says of its assets, read by the client: every field, one asset and all.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../src/domain/decimal.ts';
import type { Asset, AssetSettings } from '../../src/domain/instrument.ts';
import { FIELD_QUIRKS, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { rowsOf } from './client-paper-client.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';

const kit = paperKit();

async function ask(meeting: Meeting, asset?: Asset): Promise<readonly AssetSettings[]> {
  const completed = await meeting.client().perform({ kind: 'assets', ...(asset !== undefined && { asset }) });
  if (completed.kind !== 'assets') throw new Error(`The answer is one to ${completed.kind}.`);
  return rowsOf(completed.outcome);
}

const NETWORKS = [
  {
    name: 'ERC20',
    deposit: { min: '0.00000001', confirmations: 12, enabled: true },
    withdraw: { min: '0.002', max: '1000000.5', fee: '0', enabled: false },
  },
  {
    name: 'L2',
    deposit: { min: '0', confirmations: 0, enabled: false },
    withdraw: { min: '0.1', max: '0.2', fee: '0.00000042', enabled: true },
  },
];

const SETTINGS: AssetSettings = {
  asset: 'ETH',
  name: 'Ether',
  status: 'inactive',
  networks: [
    {
      name: 'ERC20',
      deposit: { enabled: true, minimum: decimal('0.00000001'), confirmations: 12 },
      withdrawal: { enabled: false, minimum: decimal('0.002'), maximum: decimal('1000000.5'), fee: decimal(0) },
    },
    {
      name: 'L2',
      deposit: { enabled: false, minimum: decimal(0), confirmations: 0 },
      withdrawal: { enabled: true, minimum: decimal('0.1'), maximum: decimal('0.2'), fee: decimal('0.00000042') },
    },
  ],
};

describe.each([
  ['spec', SPEC_QUIRKS],
  ['field', FIELD_QUIRKS],
])('profile %s', (_profile, quirks) => {
  test('assets: name, status and networks of one, as they were set', async () => {
    const meeting = await kit.meet({ quirks, withOwner: true });
    const set = {
      kind: 'asset-settings',
      asset: 'ETH',
      name: 'Ether',
      status: 'INACTIVE',
      networks: NETWORKS,
    } as const;
    await meeting.owner().act(set);
    expect(await ask(meeting, 'ETH')).toEqual([SETTINGS]);
    expect((await ask(meeting)).find(({ asset }) => asset === 'ETH')).toEqual(SETTINGS);
  });

  test('assets: all of them, INR without a network, a new one with what it was given', async () => {
    const meeting = await kit.meet({ quirks, withOwner: true });
    await meeting.owner().act({ kind: 'asset-settings', asset: 'DOGE', networks: [] });
    const all = await ask(meeting);
    expect(all.map(({ asset, status }) => `${asset} ${status}`)).toEqual([
      'BTC active',
      'DOGE active',
      'ETH active',
      'INR active',
    ]);
    expect(all.map(({ networks }) => networks.length)).toEqual([1, 0, 1, 0]);
  });

  test('assets: public, without a key', async () => {
    const meeting = await kit.meet({ quirks });
    await ask(meeting);
    expect(meeting.heard).toHaveLength(1);
  });
});

test('symbols: those of assets that are inactive are listed all the same', async () => {
  const meeting = await kit.meet({ withOwner: true });
  await meeting.owner().act({ kind: 'asset-settings', asset: 'ETH', status: 'INACTIVE' });
  const { outcome } = await meeting.client().perform({ kind: 'symbols' });
  expect(outcome).toMatchObject({ read: { rows: ['BTC/INR', 'ETH/INR', 'ETH/BTC'], complete: true } });
});
