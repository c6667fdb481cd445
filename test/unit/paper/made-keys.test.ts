// Keys that were made while the exchange ran outlive it; what `read` allows; a day to look back on.
import { expect, test } from '@jest/globals';
import { createSyntheticCrowd } from '../../../src/crowd/synthetic.ts';
import { bitcoinLikeWalk, THIN_BOOK_FLOW } from '../../../src/crowd/synthetic-settings.ts';
import { DAY, HOUR } from '../../../src/domain/time.ts';
import { restore, snapshot, validateExchange } from '../../../src/paper/engine/snapshot.ts';
import { answer, createExchange } from '../../../src/paper/exchange.ts';
import { addKey, revokeKey } from '../../../src/paper/state/settings.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { requestFor, START, smallSettings } from './small-exchange.ts';

const MADE = { apiKey: 'made-key-1', secret: 'made-secret-1', permissions: ['read'], ipWhitelist: null } as const;

const answered = (state: Parameters<typeof answer>[0], request: Parameters<typeof answer>[1]) => {
  const given = answer(state, request, START);
  return given.kind === 'now' ? given.response : null;
};

test('a made key is in the snapshot; revoked ones, those of the settings and of no account are not', () => {
  const settings = smallSettings();
  const state = createExchange(settings, START);
  expect(addKey(state, 'alice', MADE).ok).toBe(true);
  const saved = snapshot(state);
  expect(saved.keys).toEqual([{ ...MADE, account: 'alice' }]);

  const back = restore(settings, saved, START);
  expect(back.ok && back.value.callers.get(MADE.apiKey)?.account).toBe('alice');
  const strays = [
    { ...MADE, account: 'nobody' },
    { ...MADE, apiKey: 'alice-key', account: 'bob' },
  ];
  const other = restore(settings, { ...snapshot(state), keys: strays }, START);
  expect(other.ok && [...other.value.callers.keys()]).toEqual([...createExchange(settings, START).callers.keys()]);
  expect(other.ok && other.value.callers.get('alice-key')?.account).toBe('alice');

  revokeKey(state, MADE.apiKey);
  expect(snapshot(state).keys).toEqual([]);
});

test('read: every signed GET and no other', () => {
  const state = createExchange(smallSettings({ rateLimits: { public: [], private: [], legacy: [] } }), START);
  addKey(state, 'alice', MADE);
  for (const { name, method } of Object.values(ENDPOINTS).filter(({ signed }) => signed)) {
    const response = answered(state, requestFor(name, { key: MADE }, START));
    expect([name, response?.body.includes('-2003')]).toEqual([name, method === 'POST']);
  }
});

test('a day to look back on: trades in every part of it, a book, and time that goes on', () => {
  const settings = smallSettings();
  const [instrument] = settings.engine.instruments;
  if (instrument === undefined) throw new Error('There is no market.');
  const market = { instrument, latent: bitcoinLikeWalk(5_000_000), flow: { ...THIN_BOOK_FLOW, takersPerSecond: 0.3 } };
  const crowd = createSyntheticCrowd({ seed: 1, markets: [market] });
  const state = createExchange({ ...settings, crowd, history: { lastsMs: DAY, actingMs: HOUR } }, START);
  validateExchange(state);
  const { buckets = [], prints = [] } = state.markets.get('BTC/INR') ?? {};
  const hours = new Set(buckets.map(({ startedAt }) => Math.floor((START - startedAt) / HOUR)));
  expect(hours.size).toBeGreaterThan(20);
  expect(prints.length).toBeGreaterThanOrEqual(50);
  expect(prints.at(-1)?.at).toBeLessThanOrEqual(START);
  expect([state.lastAt, state.crowdClock.venueAt]).toEqual([START, START]);
  const book = answered(state, requestFor('order-book', { query: { symbol: 'BTC/INR' } }, START));
  expect(JSON.parse(book?.body ?? '{}').bids.length).toBeGreaterThanOrEqual(10);
});
