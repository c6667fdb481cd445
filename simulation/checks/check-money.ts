// Money (order-truth §8, M1, M2, M5, M7, M9): the ledger against itself, against what the exchange locks, and
// against its wallets.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { reader } from '../../src/matching/engine.ts';
import { reservedIn } from '../../src/trader/durable/intent.ts';
import { decimalOfAmount, totalIn } from '../books/ledger-reading.ts';
import type { CheckContext, Checker, Outgoing } from './context.ts';
import { createQuiescence } from './quiescence.ts';
import { keptAssets, trueTotal } from './unbooked.ts';

export function moneyChecks(): Checker {
  const quiescence = createQuiescence();
  return {
    sent: (context, message) => {
      if (message.endpoint === 'create') wholeSteps(context, message);
    },
    event: ledger,
    answered: (_scene, message) => quiescence.answered(message),
    recorded: (context, told) => quiescence.recorded(context, told),
    sampled: locks,
    atRest: (context) => {
      if (quiescence.isSettled(context)) walletEqual(context);
    },
  };
}

function ledger(context: CheckContext): void {
  const durable = context.trader()?.durable;
  if (durable === undefined) return;
  const { orders, books } = durable;
  for (const [asset, accounts] of books.ledger.balances) {
    const sum = [...accounts.values()].reduce((total, balance) => total + balance, 0n);
    if (sum !== 0n) context.violated('M1', `The accounts of ${asset} sum to ${sum}.`);
    if (context.excused('funds') || context.excused('second-order')) continue;
    if ((accounts.get('tax-withheld') ?? 0n) < 0n) context.violated('M9', `The withheld ${asset} is below zero.`);
    if ((accounts.get('wallet') ?? 0n) < reservedIn(orders, asset))
      context.violated('M9', `Orders reserve more ${asset} than there is.`);
  }
}

/** M5: the bot's reservations for orders are at least the exchange's locks. */
function locks(context: CheckContext): void {
  const orders = context.trader()?.durable.orders;
  if (orders === undefined || !context.isUp()) return;
  const locked = new Map<string, Decimal>();
  const market = reader(context.exchange().engine);
  for (const order of context.oracle.live()) {
    // The second order of one create (F11) can't be reserved before it is found.
    if (order.maker.kind !== 'bot' || context.oracle.deliveriesOf(order.maker.intentId) > 1) continue;
    // S5 judges a live order that the journal holds for closed.
    const { byOrder, intents } = context.journal;
    if ((byOrder.get(order.orderId) ?? intents.get(order.maker.intentId))?.state === 'closed') continue;
    const row = market.order(order.orderId);
    const instrument = row && market.instrument(row.symbol);
    if (!row || !instrument) continue;
    const base = instrument.lotSize.mul(row.remaining);
    const [asset, amount] =
      row.side === 'sell' ? [instrument.base, base] : [instrument.quote, base.mul(instrument.tickSize).mul(row.price)];
    locked.set(asset, (locked.get(asset) ?? ZERO).add(amount));
  }
  for (const [asset, amount] of locked) {
    const reserved = decimalOfAmount(reservedIn(orders, asset));
    if (reserved.lt(amount)) {
      context.violated('M5', `Live orders hold ${amount.toFixed()} ${asset}, the bot reserves ${reserved.toFixed()}.`);
    }
  }
}

/** M7: prices and quantities are whole multiples of their steps, in plain notation. */
function wholeSteps(context: CheckContext, { body }: Outgoing): void {
  const run = context.settings.runs.find(({ instrument }) => instrument.symbol === body.symbol);
  if (!run) return context.violated('M7', `A create left for ${body.symbol}, which is not configured.`);
  const { tickSize, lotSize } = run.instrument;
  for (const [text = '', step] of [[body.price, tickSize] as const, [body.quantity, lotSize] as const]) {
    if (!/^\d+(\.\d+)?$/.test(text) || !new Decimal(text).mod(step).isZero()) {
      context.violated(
        'M7',
        `A create of ${body.symbol} left with ${text}: not a plain multiple of ${step.toFixed()}.`,
      );
    }
  }
}

/**
 * M2: everything is settled and every list is current: the wallet matches the ledger, or differs by the reported
 * amount.
 */
function walletEqual(context: CheckContext): void {
  const trader = context.trader();
  if (trader === null) return;
  const { differences } = context.journal;
  if (differences.size === 0) context.counters.add('wallet equals ledger at rest');
  for (const asset of keptAssets(context)) {
    const [total, expected] = [trueTotal(context, asset), totalIn(trader.durable.books.ledger, asset)];
    const said = differences.get(asset) ?? ZERO;
    if (total.sub(expected).eq(said)) continue;
    const beside = said.isZero() ? '' : `, and a difference of ${said.toFixed()} was said`;
    const sentence = `The exchange holds ${total.toFixed()} ${asset}, the ledger says ${expected.toFixed()}${beside}.`;
    context.violated('M2', sentence);
  }
}
