// A bot's messages and records, told one by one to the checks of proofs: what a test wants of them, and nothing else.
import type { Answered, CheckContext, Outgoing } from '../../../../simulation/checks/context.ts';
import { emptyJournalModel, fold, type Told } from '../../../../simulation/checks/journal-model.ts';
import { proofChecks } from '../../../../simulation/proofs/check-proofs.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { BTC, deskSettings, HORIZON_MS } from '../../trader/desk-settings.ts';

export const INTENT = {
  intentId: '1-1',
  symbol: BTC,
  slot: 'buy:0',
  side: 'buy',
  price: '100000',
  quantity: '0.01',
  timestamp: 1_000,
  uncertaintyMs: 0,
  horizon: 1_000 + HORIZON_MS,
  sentAt: 1_000,
  bookSentAt: 900,
};
export const ORDER = '7-1-1';

/** A row of open orders; `price` for one that is another. So small a time is in seconds. */
export const rowOf = (orderId = ORDER, price = INTENT.price, time = 1) => ({
  symbol: BTC,
  orderId,
  price,
  origQty: INTENT.quantity,
  executedQty: '0',
  remainingQty: INTENT.quantity,
  status: 'NEW',
  type: 'LIMIT',
  side: 'BUY',
  time,
});

/** The trade that the bot knew before, and that each page begins with. */
export const tradeOf = (id: string, orderId: string) => ({
  symbol: BTC,
  id,
  orderId,
  side: 'BUY',
  price: INTENT.price,
  qty: INTENT.quantity,
  quoteQty: '1000',
  commission: '0',
  commissionAsset: 'INR',
  tds: '0',
  isBuyer: true,
  isMaker: true,
  time: 500,
});
export const KNOWN = tradeOf('5', '1-1-0');

const balance = (asset: string, free: string, locked = '0') => ({ asset, free, locked });
export const WALLET = [balance('INR', '1000000'), balance('BTC', '1')];
/** After a purchase like `tradeOf`. */
export const RICHER_WALLET = [balance('INR', '999000'), balance('BTC', '1.01')];
export const OTHER_WALLET = [balance('INR', '999999'), balance('BTC', '1')];

export interface Bot {
  /** A message that leaves then and is answered 50 ms later. */
  ask(at: number, endpoint: Outgoing['endpoint'], body: unknown, given?: Partial<Asked>): void;
  record(at: number, type: string, payload: object): void;
  /** Something happens; from the first such moment on the bot is told to stop, by the kill latch or by the run. */
  tellToStop(at: number, by: 'latch' | 'run'): void;
  /** The whole machine sleeps so long: what follows is told by true time, and no clock of the bot shows it. */
  sleep(ms: number): void;
  readonly said: string[];
}

interface Asked {
  readonly status: number;
  readonly query: Record<string, string>;
  readonly body: Record<string, string>;
}

/** A bot whose ledger is opened with 1,000,000 INR and 1 BTC, and that has read all there is. */
export function startedBot(settings: TraderSettings = deskSettings()): Bot {
  const journal = emptyJournalModel();
  const checks = proofChecks();
  const said: string[] = [];
  let now = 0;
  let latchedSince: number | null = null;
  let phase = 'chaos';
  let clockError = 0;
  const context = {
    journal,
    settings,
    oracle: { ordersOf: () => [], orders: new Map() },
    counters: { add: () => {} },
    now: () => now,
    clockError: () => clockError,
    phase: () => phase,
    latchedSince: () => latchedSince,
    violated: (invariant: string, sentence: string) => said.push(`${invariant}: ${sentence}`),
  } as unknown as CheckContext;
  let seq = 0;
  const bot: Bot = {
    said,
    ask(at, endpoint, body, given = {}) {
      now = at;
      const query = new URLSearchParams(
        given.query ?? (endpoint === 'spot-trades' ? { symbol: BTC, fromId: '5' } : {}),
      );
      const intent = endpoint === 'create' ? (journal.intents.get(INTENT.intentId) ?? null) : null;
      const message = { endpoint, request: {}, query, body: given.body ?? {}, intent } as unknown as Outgoing;
      checks.sent?.(context, message);
      now = at + 50;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      checks.answered?.(context, {
        ...message,
        status: given.status ?? 200,
        text,
        headers: {},
        sentAt: at + clockError,
      } as Answered);
    },
    sleep(ms) {
      clockError -= ms;
    },
    tellToStop(at, by) {
      now = at;
      if (by === 'latch') latchedSince = at;
      else phase = 'stopping';
      checks.event?.(context, {} as never);
    },
    record(at, type, payload) {
      now = at;
      seq += 1;
      const told: Told = { type, seq, epoch: 1, payload: payload as Told['payload'] };
      fold(journal, told, now);
      checks.recorded?.(context, told, {} as never);
    },
  };
  bot.record(0, 'session-started', { at: 0, epoch: 1 });
  bot.record(0, 'opened', {
    at: 0,
    balances: { INR: '1000000', BTC: '1' },
    markets: { 'BTC/INR': { cursor: null, from: 0 } },
  });
  return bot;
}

/** The same with all that a create stands on, and its intent written down. */
export function quotingBot(settings?: TraderSettings, intent: Partial<typeof INTENT> = {}): Bot {
  const bot = startedBot(settings);
  bot.ask(100, 'open-orders', []);
  bot.ask(200, 'spot-trades', [KNOWN]);
  bot.ask(300, 'wallet', WALLET);
  bot.record(1_000, 'intent', { ...INTENT, ...intent });
  return bot;
}

/** Order 7-1-2 has filled in just the quantity of the intent, at its price, and is booked as nobody's. */
export function bookForNobody(bot: Bot, side: 'buy' | 'sell', at: number): void {
  const trade = { ...tradeOf('6', '7-1-2'), side: side.toUpperCase(), isBuyer: side === 'buy', time: 2_000 };
  bot.ask(at, 'spot-trades', [KNOWN, trade]);
  const { orderId, price, qty: quantity, quoteQty: quoteQuantity, commission, commissionAsset, tds } = trade;
  const terms = { symbol: BTC, side, price, quantity, quoteQuantity, commission, commissionAsset, tds };
  const fill = { ...terms, tradeId: '6', orderId, liquidity: 'maker', venueTime: trade.time };
  bot.record(at + 100, 'fill', { fill, intentId: null });
}
