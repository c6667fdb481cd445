// Snapshots that a program of schema 12 wrote, with all the events that it had folded into them: read with this
// program they are the same state as the events folded anew, though the journal has lost the older records.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { canonicalText, fromCanonicalText } from '../../../src/journal/canonical.ts';
import { openJournal } from '../../../src/journal/open-journal.ts';
import { fromOlderShape, type OlderDurable } from '../../../src/loop/from-older-shape.ts';
import { EVENT_SCHEMA, openTraderJournal, readTraderJournal } from '../../../src/loop/trader-journal.ts';
import { type Durable, emptyDurable } from '../../../src/trader/durable/durable.ts';
import type { TraderEvent } from '../../../src/trader/durable/events.ts';
import { emptyMarket, marketIn } from '../../../src/trader/durable/market.ts';
import { noProtectionMemory } from '../../../src/trader/durable/remembered/protections.ts';
import { recover } from '../../../src/trader/observe/recover.ts';
import { clockAt, keepingStorage } from '../journal/fixed-clock.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import { BTC, deskSettings, ETH } from '../trader/desk-settings.ts';
import { foldAll } from '../trader/trader-kit.ts';

const read = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, 'older-shape', name), 'utf8').trimEnd();

/** `rich` has what any group can hold; `plain` is of a ledger of which nobody said for which markets it was opened. */
const CASES = (['rich', 'plain'] as const).map((name) => {
  const events = read(`${name}-events.jsonl`).split('\n');
  return { name, events: events.map((line) => JSON.parse(line) as TraderEvent), text: read(`${name}-state.txt`) };
});
const [rich, plain] = CASES;
const older = (text = rich?.text ?? ''): OlderDurable => fromCanonicalText(text) as OlderDurable;
const clock = clockAt(1_700_000_100_000);

/** What is left of the journal of another program: the snapshot that it wrote, in its own words. */
function journalOf({ events, text, schema }: { events: readonly TraderEvent[]; text: string; schema: number }) {
  const storage = keepingStorage();
  const pace = { everyMs: 1e9, everyRecords: 1, keepRecords: 0, stepRecords: 1_000 };
  const stateText = { encode: () => text, decode: () => null };
  const options = { clock, schema, initial: () => null, reduce: () => null, stateText, upkeep: pace };
  const opened = openJournal(storage, options);
  if (!opened.ok) throw opened.error;
  const { journal } = opened.value;
  journal.append(events as never);
  for (let step = 0; step < 30 && (storage.kept === null || storage.records.length > 1); step += 1) journal.tend();
  return storage;
}

/**
 * What protections remember began with schema 14, the stamp of the newest create with 19, and since when a symbol is
 * halted and whether its reference price was stated later than that: a snapshot of before brings nothing of them.
 */
function withoutProtections(durable: Durable): Durable {
  for (const market of durable.markets.values()) {
    market.risk.protections = noProtectionMemory();
    if (market.halt !== null) market.halt = { code: market.halt.code, reason: market.halt.reason };
    if (market.lastReference !== null) {
      const { isStated: _isStated, ...reference } = market.lastReference;
      market.lastReference = reference;
    }
  }
  durable.journal.newestStamp = null;
  return durable;
}

describe.each(CASES)('a snapshot of schema 12: $name', ({ events, text }) => {
  test('is the same state as its events folded anew, and goes on as that does', () => {
    const [read, folded] = [fromOlderShape(older(text)), withoutProtections(foldAll(events))];
    expect(read).toStrictEqual(folded);
    const settings = deskSettings({ symbols: [BTC, ETH] });
    const session = { now: clock.now(), epoch: 9, program: 'test', paperInstance: null, resume: [] };
    const [a, b] = [read, folded].map((durable) => recover(settings, durable, session));
    if (!a?.ok || !b?.ok) throw new Error('It was not recovered.');
    expect(a.value.effects).toEqual(b.value.effects);
    expect(a.value.state.durable).toStrictEqual(b.value.state.durable);
  });

  test('is read from a journal that has lost its older records, and kept in the new shape from then on', () => {
    const storage = journalOf({ events, text, schema: 12 });
    expect(storage.records.map(({ type }) => type)).toEqual(['journal-snapshot']);
    const found = readTraderJournal(storage, clock);
    expect(found.ok && found.value).toStrictEqual(withoutProtections(foldAll(events)));
    const opened = openTraderJournal(storage, clock, { everyMs: 0, everyRecords: 0, keepRecords: 0, stepRecords: 100 });
    if (!opened.ok) throw opened.error;
    const step = stepsAtMost();
    for (; storage.kept?.schema === 12; opened.value.journal.tend()) step();
    expect(storage.kept?.text).toBe(canonicalText(opened.value.state));
    const again = readTraderJournal(storage, clock);
    expect(again.ok && again.value).toStrictEqual(withoutProtections(foldAll(events)));
  });
});

test('the markets of a start are those for which the ledger is held to be opened, where nobody had said', () => {
  const since = (durable: Durable) => [...durable.markets].map(([symbol, market]) => [symbol, market.openedSince]);
  const durable = fromOlderShape(older(plain?.text));
  expect([durable.books.marketsNamed, ...since(durable)]).toEqual([false, [BTC, null], [ETH, null]]);
  const named = fromOlderShape(older());
  expect(named.books.marketsNamed).toBe(true);
  expect(marketIn(named, 'DOGE/INR')).toEqual({ ...emptyMarket(), waitingSince: 1_700_000_058_560 });
});

describe('what a program did not know yet', () => {
  test('begins empty in every group and market, and in what limits remember of one', () => {
    const groups = { journal: {}, books: {}, orders: {}, differences: {}, messages: {} };
    const text = canonicalText({
      ...groups,
      markets: new Map([
        [BTC, {}],
        [ETH, { risk: {} }],
      ]),
    });
    const found = readTraderJournal(journalOf({ events: plain?.events ?? [], text, schema: EVENT_SCHEMA }), clock);
    expect(found.ok && found.value).toStrictEqual({
      ...emptyDurable(),
      markets: new Map([BTC, ETH].map((symbol) => [symbol, emptyMarket()])),
    });
  });
});

describe('what a still older program did not know', () => {
  test('begins empty', () => {
    expect(fromOlderShape({})).toStrictEqual(emptyDurable());
  });

  test('is the code of a halt, and how far a cancel has come', () => {
    const { risk: _risk, ...halted } = older();
    expect(marketIn(fromOlderShape(halted), BTC).halt).toEqual({ code: 'halted', reason: 'Look at it.' });
    const text = (rich?.text ?? '').replaceAll('"cancel":"none",', '');
    expect(text).not.toBe(rich?.text);
    expect([...fromOlderShape(older(text)).orders.intents.values()].map(({ cancel }) => cancel)).toContain('none');
    expect(fromOlderShape(older(text))).toStrictEqual(withoutProtections(foldAll(rich?.events ?? [])));
  });
});
