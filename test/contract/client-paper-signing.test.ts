// What is signed and what is sent, where the specification leaves room: who must agree with whom, and what it costs if
// not.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SigningQuirks } from '../../src/paper/wire/query.ts';
import { type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { RECV_WINDOW_MAX_MS } from '../../src/venue/endpoints.ts';
import { paperKit } from './client-paper-kit.ts';
import { withUrl } from './client-paper-tamper.ts';
import { verdictOf } from './client-paper-words.ts';

const kit = paperKit();
const symbol = 'BTC/INR';

/** The client's settings that fit an exchange which signs in this form. */
const settingsFor = ({ emptyValues, signedValues }: SigningQuirks) =>
  ({
    emptyValues: emptyValues === 'skipped' ? 'skip' : 'include',
    percentEncoding: signedValues === 'raw' ? 'raw' : 'encoded',
  }) as const;

describe('Q1: empty values in what is signed', () => {
  // A cancel without an id is refused for that, where the signature is right: the same text was signed on both sides.
  test.each([
    ['skipped', 'skip', 'rejected 400 -1102 fix-request'],
    ['included', 'include', 'rejected 400 -1102 fix-request'],
    ['skipped', 'include', 'rejected 403 -1022 stop-all'],
    ['included', 'skip', 'rejected 403 -1022 stop-all'],
  ] as const)('venue: %s, client: %s → %s', async (emptyValues, mine, verdict) => {
    const meeting = await kit.meet({ quirks: { emptyValues } });
    const client = meeting.client({ settings: { emptyValues: mine } });
    expect(verdictOf(await client.cancel(''))).toBe(verdict);
  });

  // Where empty values are skipped they are not sent either: the question becomes one for all symbols, and says so.
  test.each([
    ['skipped', 'read, incomplete'],
    ['included', 'rejected 400 -1123 stop-symbol'],
  ] as const)('an empty value of a query, %s: signed as it is sent', async (emptyValues, verdict) => {
    const client = (await kit.meet({ quirks: { emptyValues } })).client();
    await client.place('BUY 0.00100 @ 4000000.00');
    const stamp = client.stamp();
    expect(verdictOf(await client.perform({ kind: 'open-orders', symbol: '', stamp }))).toBe(verdict);
  });
});

describe('Q22: what is signed of a value that a query can’t carry as it is', () => {
  test.each([
    ['raw', 'raw', 'read', 'read'],
    ['percent-encoded', 'encoded', 'read', 'read'],
    ['raw', 'encoded', 'rejected 403 -1022 stop-all', 'read'],
    ['percent-encoded', 'raw', 'rejected 403 -1022 stop-all', 'read'],
  ] as const)('venue: %s, client: %s → by symbol: %s, of all: %s', async (signedValues, mine, bySymbol, ofAll) => {
    const meeting = await kit.meet({ quirks: { signedValues } });
    const client = meeting.client({ settings: { percentEncoding: mine } });
    const stamp = client.stamp();
    const filter = { by: 'symbol' } as const;
    expect(verdictOf(await client.perform({ kind: 'open-orders', symbol, stamp }))).toBe(bySymbol);
    expect(verdictOf(await client.perform({ kind: 'spot-trades', symbol, filter, limit: 50, stamp }))).toBe(bySymbol);
    expect(verdictOf(await client.perform({ kind: 'open-orders', stamp }))).toBe(ofAll);
    // A body is JSON: there is nothing to encode, whatever the query's values are signed as.
    expect(verdictOf(await client.create('BUY 0.00100 @ 4000000.00'))).toBe('accepted');
    expect(verdictOf(await client.cancelSymbol())).toBe('acknowledged');
  });
});

describe('Q24: cancel-all has no body', () => {
  const saying = { 'content-type': 'application/json' };

  test.each<[Quirks['cancelAllContentType'], string, Readonly<Record<string, string>>, string]>([
    ['either', 'without a content type', {}, 'acknowledged'],
    ['either', 'with a content type', saying, 'acknowledged'],
    ['required', 'without a content type', {}, 'unknown 500 -1009'],
    ['required', 'with a content type', saying, 'acknowledged'],
    ['refused', 'without a content type', {}, 'acknowledged'],
    ['refused', 'with a content type', saying, 'unknown 500 -1009'],
  ])('cancel-all: a content type may be: %s; %s', async (cancelAllContentType, _how, more, verdict) => {
    const client = (await kit.meet({ quirks: { cancelAllContentType } })).client({
      tamper: (request) =>
        request.url.includes('/cancel/all') ? { ...request, headers: { ...request.headers, ...more } } : request,
    });
    await client.place('BUY 0.00100 @ 4000000.00');
    expect(verdictOf(await client.cancelAll())).toBe(verdict);
    expect(await client.openOrders()).toHaveLength(verdict === 'acknowledged' ? 0 : 1);
  });
});

describe('where the signature may be', () => {
  const header = 'X-EXCHANGE-SIGNATURE';

  test.each<[string | null, 'query' | { readonly header: string }, string]>([
    [null, 'query', 'read'],
    [null, { header }, 'rejected 403 -1001 stop-all'],
    [header, 'query', 'read'],
    [header, { header }, 'read'],
    [header, { header: header.toLowerCase() }, 'read'],
    [header, { header: 'X-OTHER' }, 'rejected 403 -1001 stop-all'],
  ])('exchange: header %j, client: %j → %s', async (signatureHeader, signatureIn, verdict) => {
    const meeting = await kit.meet({ quirks: { signatureHeader } });
    const client = meeting.client({ settings: { signatureIn } });
    expect(verdictOf(await client.perform({ kind: 'open-orders', symbol, stamp: client.stamp() }))).toBe(verdict);
    const created = verdictOf(await client.create('BUY 0.00100 @ 4000000.00'));
    expect(created).toBe(verdict === 'read' ? 'accepted' : verdict);
  });

  test('a wrong one in the query is not made good by a right one in the header', async () => {
    const meeting = await kit.meet({ quirks: { signatureHeader: header } });
    const client = meeting.client({
      settings: { signatureIn: { header } },
      tamper: withUrl((url) => `${url}&signature=${'0'.repeat(64)}`),
    });
    expect(verdictOf(await client.cancelAll())).toBe('rejected 403 -1022 stop-all');
  });
});

test.each([
  ['a symbol with a plus, a space and a percent sign', 'A+B C%2F/INR'],
  ['a symbol with quotes and brackets', `'"(!*)[]/INR`],
  ['a symbol beyond ASCII', 'ß₿😀/INR'],
  ['a symbol that would end the query', 'BTC/INR&limit=1#?'],
])('%s is signed as it arrives, whichever form is signed', async (_what, strange) => {
  for (const signedValues of ['raw', 'percent-encoded'] as const) {
    const client = (await kit.meet({ quirks: { signedValues } })).client();
    const stamp = client.stamp();
    const verdict = verdictOf(await client.perform({ kind: 'open-orders', symbol: strange, stamp }));
    expect([signedValues, verdict]).toEqual([signedValues, 'rejected 400 -1123 stop-symbol']);
    expect(verdictOf(await client.cancelSymbol(strange))).toBe('rejected 400 -1123 stop-symbol');
  }
});

test('the key goes into the header that both sides were told of', async () => {
  const meeting = await kit.meet({ apiKeyHeader: 'X-Another-Key' });
  expect(await meeting.client().openOrders()).toEqual([]);
});

// Whatever a value holds, both sides sign the same: the exchange finds fault with the value, never with the signature.
// Nor with a stall of a busy machine: no deadline and no window ends before the test's own limit.
test('any text in query and body is signed as it arrives', async () => {
  const meeting = await kit.meet();
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 40 }));
  const forms = fc.record({
    emptyValues: fc.constantFrom('skipped' as const, 'included' as const),
    signedValues: fc.constantFrom('raw' as const, 'percent-encoded' as const),
  });
  const deadlineMs = { read: 120_000, create: 120_000, cancel: 120_000 };
  const clients = new Map<string, ReturnType<typeof meeting.client>>();
  await fc.assert(
    fc.asyncProperty(forms, text, async (form, value) => {
      meeting.control({ quirks: { ...SPEC_QUIRKS, ...form } });
      const name = JSON.stringify(form);
      const client =
        clients.get(name) ??
        meeting.client({ settings: { ...settingsFor(form), deadlineMs }, recvWindowMs: RECV_WINDOW_MAX_MS });
      clients.set(name, client);
      const verdicts = [
        verdictOf(await client.perform({ kind: 'open-orders', symbol: value, stamp: client.stamp() })),
        verdictOf(await client.cancelSymbol(value)),
        verdictOf(await client.cancel(value)),
      ];
      for (const verdict of verdicts) expect(verdict).toMatch(/^(?:read|rejected 400 -11(?:02|03|21|23|24) )/);
    }),
    { numRuns: 250 },
  );
});
