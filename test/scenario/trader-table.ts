// Runs stories of the trader written as text. One command per line; what must then be so stands behind the arrow:
//
//   set     skewBps 100                       a parameter of the strategy, before the start
//   book    99000 | 101000                    best bid and ask of others in BTC/INR; `book none` is an empty one
//   start                                     reads everything once, with 1 BTC and 1,000,000 INR in the wallet
//   run     2 s                               time passes, lanes open
//   fill    buy:0 0.004                       so much of the order in that slot trades
//   next    lost-done                         what becomes of the next create or cancel (see model-venue.ts)
//   owner   buy 0.01 @ 98000                  the owner places an order by hand; orders are named 1-100-1, 1-101-1, …
//   trades  1-100-1 0.004                     so much of that order trades
//   ends    1-100-1                           the owner cancels that order
//   alone                                     the account is the bot's alone
//   twice                                     the exchange takes the next create twice (F11)
//   lag     orders 3 s                        from now on that list trails: orders, trades or wallet
//   pause, resume, stop, restart, latch       what a person or a crash does
//   quotes  → buy:0 0.01 @ 98000 open | …     the orders that are or may be live, by slot
//   venue   → buy 0.01 @ 98000 | …            the orders that really are on the exchange
//   held    → 1.01 BTC 999010.2 INR           what the ledger holds
//   phase   → running                         what the bot is doing
//   halt    → order-unknown               why the market is halted
//   asked   → 1-100-1                         the orders of which a person is asked whose they are
//   why     → quoting                         why nothing new is placed
//   told    → adopted, fill                   what was said since the last time, each once, in order
import { expect, test } from '@jest/globals';
import { decimal, plain } from '../../src/domain/decimal.ts';
import { orderId } from '../../src/domain/ids.ts';
import type { Side } from '../../src/domain/order.ts';
import { remainingOf } from '../../src/trader/durable/intent.ts';
import { marketIn } from '../../src/trader/durable/market.ts';
import { ledgerTotal } from '../../src/trader/state/state.ts';
import { BTC, type DeskSettings, deskSettings } from '../unit/trader/desk-settings.ts';
import { FATES, type Lags, type ModelVenue, modelVenue } from '../unit/trader/model-venue.ts';
import { type Desk, deskWith, inSlot, makeReady, reasons } from '../unit/trader/trader-kit.ts';

interface World {
  settings: DeskSettings;
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

function begin(settings: DeskSettings): World {
  const desk = deskWith(deskSettings({ refresh: { refreshMs: 2_000 }, ...settings }));
  return { settings, desk, venue: modelVenue(desk, BTC), shown: 0 };
}

function act(world: World, [command = '', ...words]: readonly string[]): void {
  const { desk, venue } = world;
  const [first = '', second = ''] = words;
  switch (command) {
    case 'set':
      Object.assign(
        world,
        begin({ ...world.settings, params: { ...world.settings.params, [first]: JSON.parse(second) } }),
      );
      return;
    case 'alone':
      Object.assign(world, begin({ ...world.settings, foreignOrders: 'refuse' }));
      return;
    case 'owner':
      venue.place({ symbol: BTC, side: sideOf(first), price: decimal(words[3] ?? ''), quantity: decimal(second) });
      return;
    case 'trades':
      return venue.fillOrder(orderId(first), second);
    case 'ends':
      return venue.remove(orderId(first));
    case 'twice':
      venue.twice = true;
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
      return ['BTC', 'INR']
        .map((asset) => `${plain(ledgerTotal(desk.state().durable.books, asset))} ${asset}`)
        .join(' ');
    case 'phase': {
      const { phase, durable } = desk.state();
      return phase === 'stopped' ? `stopped ${durable.journal.endedFlat ? 'flat' : 'not flat'}` : phase;
    }
    case 'halt':
      return marketIn(desk.state().durable, BTC).halt?.code ?? 'none';
    case 'asked':
      return [...desk.state().durable.orders.questioned.keys()].join(', ');
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

const sideOf = (word: string): Side => (word === 'buy' || word === 'sell' ? word : unknownWord(word));

function unknownWord(word: string): never {
  throw new Error(`A story has no word "${word}".`);
}
