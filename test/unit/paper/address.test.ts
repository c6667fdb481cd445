// An address is the same however it is written: a whitelist has to know it.
import { describe, expect, test } from '@jest/globals';
import { plainAddress } from '../../../src/paper/wire/messages.ts';
import { BOUND, SmallExchange, smallSettings, verdict } from './small-exchange.ts';

describe('the plain form of an address', () => {
  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:0A00:0001', '10.0.0.1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['fe80::0001%eth0', 'fe80::1%eth0'],
    ['a:b', 'a:b'],
  ])('of %s is %s', (written, plain) => {
    expect(plainAddress(written)).toBe(plain);
  });
});

describe('ipWhitelist', () => {
  const wallet = (ipWhitelist: readonly string[], ip: string): string => {
    const settings = smallSettings();
    const accounts = settings.accounts.map((account) => ({
      ...account,
      keys: account.keys.map((key) => (key.apiKey === BOUND.apiKey ? { ...key, ipWhitelist } : key)),
    }));
    return verdict(new SmallExchange({ ...settings, accounts }).ask('wallet', { key: BOUND, ip }));
  };

  test.each([
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::1', '2001:db8::1'],
  ])('%s lets %s use the key', (written, ip) => {
    expect(wallet([written], ip)).toBe('200');
  });

  test('and no other', () => {
    expect(wallet(['::ffff:10.0.0.1', '::2'], '10.0.0.2')).toBe('403 -1015');
  });
});
