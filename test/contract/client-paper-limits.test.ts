// Rate limits and maintenance: what the client makes of 429 and 503, however the exchange words them.
import { describe, expect, test } from '@jest/globals';
import { FIELD_QUIRKS, type Quirks } from '../../src/paper/wire/quirks.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import { paperKit } from './client-paper-kit.ts';
import { BOB, STRANGER } from './client-paper-market.ts';
import { verdictOf } from './client-paper-words.ts';

const kit = paperKit();
const WINDOW_MS = 30_000;
const windows = [{ requests: 2, perMs: WINDOW_MS }];
const symbols = { kind: 'symbols' } as const;

/** When the client would ask again; throws where nothing was throttled. */
function retryAtOf({ outcome }: Completed): number {
  if (outcome.kind !== 'throttled') throw new Error(`Not throttled but ${outcome.kind}.`);
  return outcome.retryAt;
}

/** The rate-limit facts that an answer carried: `limit remaining resetAt retryAfter`. */
const factsOf = ({ facts }: Completed): string => Object.keys(facts.rateLimit ?? {}).join(' ');

describe('Q14, Q15: how the exchange tells of its limits', () => {
  const all = 'limit remaining resetAt resetFrom';

  test.each<[Quirks['rateHeaders'], Quirks['retryAfter'], string, string, 'the window' | 'a second']>([
    ['always', 'seconds', all, `${all} retryAfter`, 'the window'],
    ['always', 'date', all, `${all} retryAfter retryDate`, 'the window'],
    ['always', 'missing', all, all, 'the window'],
    ['when-throttled', 'seconds', '', `${all} retryAfter`, 'the window'],
    ['when-throttled', 'date', '', `${all} retryAfter retryDate`, 'the window'],
    ['when-throttled', 'missing', '', all, 'the window'],
    ['never', 'seconds', '', 'retryAfter', 'the window'],
    ['never', 'date', '', 'retryAfter retryDate', 'the window'],
    ['never', 'missing', '', '', 'a second'],
  ])(
    'headers %s, Retry-After %s → "%s", then "%s": it waits for %s',
    async (rateHeaders, retryAfter, before, after, wait) => {
      // Times are told by the venue's clock: a client whose own is a minute and a half behind waits no longer for it.
      for (const aheadMs of [0, 90_000]) {
        const meeting = await kit.meet({
          quirks: { rateHeaders, retryAfter },
          rateLimits: { public: windows },
          aheadMs,
        });
        const client = meeting.client();
        const first = await client.perform(symbols);
        expect([factsOf(first), factsOf(await client.perform(symbols))]).toEqual([before, before]);
        // To another phase of the second than that in which the window began: whole seconds then tell less.
        meeting.skip(900);
        const refused = await client.perform(symbols);
        expect([verdictOf(refused), factsOf(refused)]).toEqual(['throttled 429', after]);
        const retryAt = retryAtOf(refused);
        if (wait === 'a second') {
          expect(retryAt).toBe(refused.facts.receivedAt + 1_000);
          meeting.skip(1_000);
          expect(verdictOf(await client.perform(symbols))).toBe('throttled 429');
          continue;
        }
        // Never before the window ends, and not long after: headers and `Date` know whole seconds only, and an answer
        // may be late.
        expect(retryAt).toBeGreaterThanOrEqual(first.facts.sentAt + WINDOW_MS);
        expect(retryAt).toBeLessThanOrEqual(first.facts.receivedAt + WINDOW_MS + 20_000);
        meeting.skip(retryAt - refused.facts.receivedAt);
        expect(verdictOf(await client.perform(symbols))).toBe('read');
      }
    },
  );

  test('what remains is counted down, to the same end', async () => {
    const meeting = await kit.meet({ rateLimits: { public: windows } });
    const client = meeting.client();
    const [first, second] = [await client.perform(symbols), await client.perform(symbols)];
    expect(first.facts.rateLimit).toMatchObject({ limit: 2, remaining: 1 });
    expect(second.facts.rateLimit).toMatchObject({ limit: 2, remaining: 0 });
    expect(first.facts.rateLimit?.resetAt).toBeGreaterThanOrEqual(first.facts.sentAt + WINDOW_MS);
  });

  test('N1: one request per window, as seen in the field', async () => {
    const rateLimits = { public: [{ requests: 1, perMs: 2_500 }] };
    const meeting = await kit.meet({ quirks: FIELD_QUIRKS, rateLimits });
    const client = meeting.client();
    const first = await client.perform(symbols);
    expect(first.facts.rateLimit).toMatchObject({ limit: 1, remaining: 0 });
    const resetAt = first.facts.rateLimit?.resetAt ?? 0;
    expect(resetAt - first.facts.receivedAt).toBeGreaterThanOrEqual(
      2_500 - (first.facts.receivedAt - first.facts.sentAt),
    );
    meeting.skip(resetAt - first.facts.receivedAt);
    expect(verdictOf(await client.perform(symbols))).toBe('read');
  });
});

describe('-1003 by the kind of request', () => {
  test('a read and a cancel are throttled, a create is said not to have happened; and it did not', async () => {
    const meeting = await kit.meet({ rateLimits: { private: windows } });
    const client = meeting.client();
    const id = await client.place('BUY 0.00100 @ 4000000.00');
    await client.openOrders();
    const created = await client.create('BUY 0.00100 @ 4000000.00');
    expect(created.outcome).toEqual({ kind: 'soft-rejected', msg: 'Too many requests.', throttledBy: 'exchange' });
    expect(created.facts).toMatchObject({ status: 429, rateLimit: { remaining: 0 } });
    const canceled = await client.cancel(id);
    expect(verdictOf(canceled)).toBe('throttled 429');
    expect(verdictOf(await client.cancelAll())).toBe('throttled 429');
    expect(verdictOf(await client.perform({ kind: 'wallet', stamp: client.stamp() }))).toBe('throttled 429');
    meeting.skip(retryAtOf(canceled) - canceled.facts.receivedAt);
    expect(await client.openOrders()).toMatchObject([{ orderId: id }]);
  });

  test('private calls count by key, public ones by address, those of unknown keys by address too', async () => {
    const meeting = await kit.meet({ rateLimits: { private: [{ requests: 1, perMs: WINDOW_MS }], public: windows } });
    const [alice, bob, stranger] = [meeting.client(), meeting.client({ key: BOB }), meeting.client({ key: STRANGER })];
    const wallets = async () => {
      const verdicts = [];
      for (const client of [alice, bob, stranger]) {
        verdicts.push(verdictOf(await client.perform({ kind: 'wallet', stamp: client.stamp() })));
      }
      return verdicts;
    };
    expect(await wallets()).toEqual(['read', 'read', 'rejected 403 -2015 stop-all']);
    expect(await wallets()).toEqual(['throttled 429', 'throttled 429', 'throttled 429']);
    const verdicts = [];
    for (const client of [alice, bob, alice]) verdicts.push(verdictOf(await client.perform(symbols)));
    expect(verdicts).toEqual(['read', 'read', 'throttled 429']);
  });
});

describe('-1125: maintenance', () => {
  test('reads are throttled, what may have acted is unknown; nothing acted, and the book is as it was', async () => {
    const meeting = await kit.meet();
    const client = meeting.client();
    const id = await client.place('BUY 0.00100 @ 4000000.00');
    meeting.control({ maintenance: true });
    const wallet = { kind: 'wallet', stamp: client.stamp() } as const;
    for (const read of [symbols, wallet]) expect(verdictOf(await client.perform(read))).toBe('throttled 503');
    const verdicts = [
      await client.create('BUY 0.00100 @ 4000000.00'),
      await client.cancel(id),
      await client.cancelSymbol(),
      await client.cancelAll(),
    ].map(verdictOf);
    expect(verdicts).toEqual(Array(4).fill('unknown 503 -1125'));
    meeting.control({ maintenance: false });
    expect(await client.openOrders()).toMatchObject([{ orderId: id }]);
  });
});
