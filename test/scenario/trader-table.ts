// Runs stories of the trader written as text. One command per line; what must then be so stands behind the arrow:
//
//   set     skewBps 100                       a parameter of the strategy, before the start
//   book    99000 | 101000                    best bid and ask of others in BTC/INR; `book none` is an empty one
//   start                                     reads everything once, with 1 BTC and 1,000,000 INR in the wallet
//   run     2 s                               time passes, lanes open
//   fill    buy:0 0.004                       so much of the order in that slot trades
//   next    lost-done                         what becomes of the next create or cancel (see model-venue.ts)
//   lag     orders 3 s                        from now on that list trails: orders, trades or wallet
//   pause, resume, stop, restart, latch       what a person or a crash does
//   quotes  → buy:0 0.01 @ 98000 open | …     the orders that are or may be live, by slot
//   venue   → buy 0.01 @ 98000 | …            the orders that really are on the exchange
//   held    → 1.01 BTC 999010.2 INR           what the ledger holds
//   phase   → running                         what the bot is doing
//   why     → quoting                         why nothing new is placed
//   told    → adopted, fill                   what was said since the last time, each once, in order
import { expect, test } from '@jest/globals';
import { plain } from '../../src/domain/decimal.ts';
import { remainingOf } from '../../src/trader/durable/intent.ts';
import { ledgerTotal } from '../../src/trader/state/markets.ts';
import { BTC, deskSettings } from '../unit/trader/desk-settings.ts';
import { FATES, type Lags, type ModelVenue, modelVenue } from '../unit/trader/model-venue.ts';
import { type Desk, deskWith, inSlot, makeReady, reasons } from '../unit/trader/trader-kit.ts';

interface World {
  params: Record<string, unknown>;
  desk: Desk;
  venue: ModelVenue;
  /** Notices that `told` has shown. */
  shown: number;
}

/** A test that plays the lines of a text in order. Lines that begin with # are for the reader. */
export function story(name: string, text: string): void {
  test(name, () => {
    const world = begin({});
    let checks = 0;
    for (const line of text.split('\n').map((raw) => raw.trim())) {
      if (line === '' || line.startsWith('#')) continue;
      const [command = '', expected] = line.split('→').map((part) => part.trim());
      if (expected === undefined) act(world, command.split(/\s+/));
      else {
        checks += 1;
        expect(`${command} → ${look(world, command)}`).toBe(`${command} → ${expected}`);
      }
    }
    expect(checks).toBeGreaterThan(0);
  });
}

function begin(params: Record<string, unknown>): World {
  const desk = deskWith(deskSettings({ params, refresh: { refreshMs: 2_000 } }));
  return { params, desk, venue: modelVenue(desk, BTC), shown: 0 };
}

function act(world: World, [command = '', ...words]: readonly string[]): void {
  const { desk, venue } = world;
  const [first = '', second = ''] = words;
  switch (command) {
    case 'set':
      Object.assign(world, begin({ ...world.params, [first]: JSON.parse(second) }));
      return;
    case 'book':
      desk.shows.books[BTC] = first === 'none' ? null : [Number(first), Number(words[2])];
      return;
    case 'start':
      return makeReady(desk);
    case 'run':
      return desk.run(Number(first) * 1_000);
    case 'fill':
      return venue.fillOrder(inSlot(desk, first).orderId ?? '', second);
    case 'next':
      venue.fate = FATES.find((fate) => fate === first) ?? unknownWord(first);
      return;
    case 'lag':
      venue.lags = { ...venue.lags, [first as keyof Lags]: Number(second) * 1_000 };
      return;
    case 'restart':
      return desk.restart();
    case 'latch':
      return desk.tell({ kind: 'latched', reason: 'Somebody pressed the button.' });
    case 'pause':
      return desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    case 'resume':
    case 'stop':
      return desk.tell({ kind: command });
    default:
      unknownWord(command);
  }
}

function look(world: World, question: string): string {
  const { desk, venue } = world;
  switch (question) {
    case 'quotes':
      return desk
        .intents()
        .toSorted((a, b) => (a.slot < b.slot ? -1 : 1))
        .map((intent) => {
          const of = intent.filled.isZero() ? '' : ` of ${plain(intent.quantity)}`;
          return `${intent.slot} ${plain(remainingOf(intent))}${of} @ ${plain(intent.price)} ${intent.state}`;
        })
        .join(' | ');
    case 'venue':
      return venue
        .orders()
        .toSorted((a, b) => a.price.cmp(b.price))
        .map(({ side, remainingQuantity, price }) => `${side} ${plain(remainingQuantity)} @ ${plain(price)}`)
        .join(' | ');
    case 'held':
      return ['BTC', 'INR'].map((asset) => `${plain(ledgerTotal(desk.state(), asset))} ${asset}`).join(' ');
    case 'phase': {
      const { phase, durable } = desk.state();
      return phase === 'stopped' ? `stopped ${durable.journal.endedFlat ? 'flat' : 'not flat'}` : phase;
    }
    case 'why':
      return reasons(desk).join(' ');
    case 'told': {
      const fresh = desk.notices.slice(world.shown).filter(({ level }) => level !== 'debug');
      world.shown = desk.notices.length;
      return [...new Set(fresh.map(({ op }) => op))].join(', ');
    }
    default:
      return unknownWord(question);
  }
}

function unknownWord(word: string): never {
  throw new Error(`A story has no word "${word}".`);
}
