// B1: the bot's view of its orders, their reservations and its limits' counts matches the records. The only check that
// reads the running trader's own fold: a check that used the bot's fold to judge itself would find nothing.
import { ZERO } from '../../src/domain/decimal.ts';
import { riskContext } from '../../src/trader/decision/view.ts';
import { type Intent, reservedIn, reserveLeft } from '../../src/trader/durable/intent.ts';
import { marketOf, type TraderState } from '../../src/trader/state/state.ts';
import { decimalOfAmount } from '../books/ledger-reading.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import { notionalOf, remainingOf, reservedBy, reservedByAll } from './reserved.ts';

export function foldChecks(): Checker {
  let isDue = false;
  let last: TraderState | null = null;
  return {
    recorded() {
      isDue = true;
    },
    event(context) {
      const trader = context.trader();
      if (trader !== null && trader !== last) isDue = true;
      last = trader;
      if (trader === null || !isDue || !context.canWrite()) return;
      isDue = false;
      context.counters.add('compared with the fold');
      for (const order of context.journal.live.values()) compareOrder(context, trader, order);
      compareSums(context, trader);
      compareExposure(context, trader);
    },
    // Changes without a record would otherwise go unseen.
    sampled() {
      isDue = true;
    },
  };
}

interface Both {
  readonly bot: unknown;
  readonly wanted: unknown;
}

function same(context: CheckContext, what: string, { bot, wanted }: Both): void {
  if (bot !== wanted)
    context.violated('B1', `The bot holds ${String(bot)} for ${what}; the records make it ${String(wanted)}.`);
}

function compareOrder(context: CheckContext, { durable }: TraderState, order: JournalIntent): void {
  // Ids of the journal are text.
  const intents: ReadonlyMap<string, Intent> = durable.orders.intents;
  const has = intents.get(order.intentId);
  const reserved = has === undefined ? 0n : reserveLeft(has, has.quantity.sub(has.filled));
  const wanted = reservedBy(context.settings, order);
  const words = [
    ['state', has?.state ?? 'nothing', order.state],
    ['filled part', has?.filled.toFixed(), order.filled.toFixed()],
    ['reservation', decimalOfAmount(reserved).toFixed(), wanted?.amount.toFixed() ?? '0'],
    ['reserved asset', has?.reserve.asset ?? wanted?.asset, wanted?.asset],
  ] as const;
  for (const [what, bot, right] of words)
    same(context, `the ${what} of intent ${order.intentId}`, { bot, wanted: right });
}

function compareSums(context: CheckContext, { durable }: TraderState): void {
  const { ledger } = durable.books;
  const { live } = context.journal;
  same(context, 'the number of orders that may be live', { bot: durable.orders.intents.size, wanted: live.size });
  const sums = reservedByAll(context.settings, live.values());
  for (const asset of new Set([...sums.keys(), ...ledger.balances.keys()]))
    same(context, `all that is reserved of ${asset}`, {
      bot: decimalOfAmount(reservedIn(durable.orders, asset)).toFixed(),
      wanted: (sums.get(asset) ?? ZERO).toFixed(),
    });
}

/** The risk gate's input now. It may cache results, so it gets markets of its own. */
function compareExposure(context: CheckContext, trader: TraderState): void {
  const { settings, journal } = context;
  const state = { ...trader, markets: new Map([...trader.markets].map(([symbol, each]) => [symbol, { ...each }])) };
  const all = [...journal.live.values()];
  for (const { instrument } of settings.runs) {
    const { symbol, quote } = instrument;
    const { totals, orders } = riskContext(state, marketOf(state, symbol), context.now() + context.clockError());
    const here = all.filter((order) => order.symbol === symbol);
    const notional = orders.reduce((sum, { price, remaining }) => sum.add(price.mul(remaining)), ZERO);
    const told = [
      ['the number of open orders over all', totals.openOrders, all.length],
      ['the open notional over all', totals.openNotional.toFixed(), notionalOf(settings, all, quote).toFixed()],
      [`the open orders of ${symbol}`, orders.length, here.length],
      [`the open notional of ${symbol}`, notional.toFixed(), notionalOf(settings, here, quote).toFixed()],
    ] as const;
    for (const [what, bot, wanted] of told) same(context, what, { bot, wanted });
    for (const { intentId, exposed } of orders) {
      const order = journal.live.get(intentId);
      if (order === undefined || exposed === undefined) continue;
      const wanted = remainingOf(order).toFixed();
      same(context, `what is exposed of ${intentId}`, { bot: exposed.toFixed(), wanted });
    }
  }
}
