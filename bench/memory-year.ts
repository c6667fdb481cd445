// A year of one symbol in the memory's file. The last days as a bot writes them: looked at each second, a batch each
// ten. Of the days before once a minute, as no more of them is left: seconds and minutes of then are thinned. Sparse
// trading: a book that changes every few seconds, and a hundred fills a day, which are in a journal as well.
import { calendarOf } from '../src/bot/books/local-time.ts';
import { type Collector, createCollector } from '../src/bot/memory/collector.ts';
import { memoryPath, openMemory } from '../src/bot/memory/memory-file.ts';
import { openSqliteJournal } from '../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../src/bot/state-folder/state-folder.ts';
import { chance, pick, randomStream, uniform } from '../src/crowd/random.ts';
import { DAY, MINUTE, SECOND } from '../src/domain/time.ts';
import { openTraderJournal, writeEvents } from '../src/loop/trader-journal.ts';
import type { TraderEvent } from '../src/trader/durable/events.ts';
import { applyEvent } from '../src/trader/durable/fold/apply-event.ts';

export const SYMBOL = 'BTC/INR';
/** In the past: a journal of the future is refused. */
export const YEAR_FROM = Date.UTC(2025, 0, 1);
const FILLS_A_DAY = 100;
const REASONS = ['fresh', 'book', 'placing', 'lane', 'off-price', 'leaving', 'locked'];
const REQUESTS = [
  ...['order-book ok book', 'open-orders ok orders', 'spot-trades ok trades', 'wallet ok wallet'],
  ...['create accepted quote', 'create rejected quote', 'cancel canceled moved', 'open-orders failed orders'],
];

/** Minutes are kept for seven. */
const LAST_DAYS = 8;
const WRITE_EVERY_MS = 10 * SECOND;
const THIN_EVERY_MS = 5 * MINUTE;

export interface YearWritten {
  /** In the last days: what gathering and writing take together, of the time that they are of. */
  readonly cpuShare: number;
}

export function writeYear(folder: string, days: number): YearWritten {
  const memory = openMemory(memoryPath(folder), { at: YEAR_FROM, putAside: () => {} });
  const collector = createCollector(calendarOf('Asia/Kolkata'));
  const look = marketOf(collector);
  const until = YEAR_FROM + days * DAY;
  const pass = (from: number, to: number, stepMs: number): void => {
    for (let at = from; at < to; at += stepMs) {
      look(at, stepMs);
      if (at % WRITE_EVERY_MS === 0) memory.write(collector.take(at));
      if (at % THIN_EVERY_MS === 0) memory.thin(at);
    }
  };
  pass(YEAR_FROM, until - LAST_DAYS * DAY, MINUTE);
  const before = process.cpuUsage();
  pass(until - LAST_DAYS * DAY, until, SECOND);
  const { user, system } = process.cpuUsage(before);
  memory.close();
  return { cpuShare: (user + system) / 1_000 / (LAST_DAYS * DAY) };
}

function marketOf(collector: Collector): (at: number, stepMs: number) => void {
  const random = randomStream(1, 'memory');
  let mid = 5_500_000;
  let [ownBid, ownAsk]: [number | null, number | null] = [null, null];
  let trades = 0;
  return (at, stepMs) => {
    if (chance(random, 0.3)) mid = Math.round(mid * (1 + (uniform(random) - 0.5) / 2_000));
    if (chance(random, 0.2)) [ownBid, ownAsk] = [chance(random, 0.1) ? null : mid - 40_000, mid + 40_000];
    const sample = { marketBid: mid - 70_000, marketAsk: mid + 70_000, ownBid, ownAsk, reference: mid + 0.5 };
    collector.sample(SYMBOL, { ...sample, inventory: 0.49853 + trades / 1e5, equity: mid * 2, profit: trades }, at);
    for (let request = 0; request < 3; request += 1) {
      const [b = '', c = '', purpose = ''] = (REQUESTS[pick(random, REQUESTS.length)] ?? '').split(' ');
      collector.count(null, { kind: 'request', a: 'private', b, c }, at);
      collector.count(null, { kind: 'purpose', a: 'private', b: purpose }, at);
    }
    if (at % (10 * SECOND) === 0)
      for (const track of ['buy', 'sell', 'both'])
        for (const b of REASONS) collector.count(SYMBOL, { kind: 'presence', a: track, b, n: 1_428 }, at);
    if (chance(random, (FILLS_A_DAY * stepMs) / DAY)) {
      trades += 1;
      const side = trades % 2 === 0 ? 'buy' : 'sell';
      const fill = { symbol: SYMBOL, tradeId: `${1e6 + trades}`, side, at, price: mid, quantity: 0.0012 } as const;
      collector.fill({ ...fill, kind: 'made' });
      for (const b of [0, 5, 60, 300])
        for (const c of ['gained', 'filled', 'fills'] as const)
          collector.count(SYMBOL, { kind: 'markout', a: side, b, c, n: uniform(random) }, at);
    }
    if (chance(random, (20 * stepMs) / DAY)) {
      const message = 'The list of own orders could not be read: no answer came within two seconds.';
      collector.notice({ at, level: 'warn', op: 'read-failed', symbol: null, message });
    }
  };
}

/** The same trades in a journal. */
export function writeTrades(folder: string, days: number): void {
  const clock = { now: () => YEAR_FROM + days * DAY, monotonic: () => 0 };
  const opened = openTraderJournal(openSqliteJournal(journalPath(folder)), clock);
  if (!opened.ok) throw opened.error;
  const { journal, state } = opened.value;
  const write = (events: readonly TraderEvent[]): void => {
    for (const event of events) applyEvent(state, event);
    writeEvents(journal, events);
  };
  const at = YEAR_FROM;
  write([
    { type: 'session-started', payload: { at, epoch: 1, program: 'bench', paperInstance: null } },
    {
      type: 'opened',
      payload: {
        ...{ at, venueAt: at },
        balances: { INR: '5000000', BTC: '1' },
        markets: { [SYMBOL]: { cursor: null, from: at } },
      },
    },
  ]);
  for (let day = 0; day < days; day += 1)
    write(Array.from({ length: FILLS_A_DAY }, (_, index) => trade(day * FILLS_A_DAY + index)));
  journal.close();
}

function trade(number: number): TraderEvent {
  const at = YEAR_FROM + Math.floor((number * DAY) / FILLS_A_DAY) + 1;
  const fill = {
    ...{ symbol: SYMBOL, tradeId: `${1_000_001 + number}`, orderId: `7-${number}-1` },
    side: number % 2 === 0 ? ('buy' as const) : ('sell' as const),
    ...{ price: `${5_500_000 + (number % 97)}`, quantity: '0.0012', quoteQuantity: '6600', commission: '15.57' },
    ...{ commissionAsset: 'INR', tds: '0', liquidity: 'maker' as const, venueTime: at },
  };
  return { type: 'fill', payload: { fill, intentId: `1-${number}`, mid: '5500000', at } };
}
