// B2: what the bot shows of itself (page, `status`, metrics and log read nothing else) is what the records, the wire
// and the exchange's truth make it. Asked for now and then, as a page does. K11 and K13 go by the same facts.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../src/domain/time.ts';
import type { TraderState } from '../../src/trader/state/state.ts';
import type { SymbolView } from '../../src/trader/status/snapshot.ts';
import { takeSnapshot } from '../../src/trader/status/take-snapshot.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { createOrderFold, type OrderFold } from '../fold/order-fold.ts';
import { reservedByAll } from '../fold/reserved.ts';
import { createLedgerTotals } from '../proofs/ledger-totals.ts';
import { createQuoteJudge } from '../quotes/check-quotes.ts';
import { whyTooEager } from '../quotes/eager.ts';
import type { Money as QuoteMoney } from '../quotes/flaws.ts';
import { createPauses } from '../steering/pauses.ts';
import type { Differs } from './differs.ts';
import { judgeAll } from './shown-all.ts';
import { createBooks } from './shown-book.ts';
import { judgeLags } from './shown-lags.ts';
import { judgeAsset, judgeFills, judgePnl, type Money } from './shown-money.ts';
import { judgeBook, judgeOrders, judgeSides } from './shown-orders.ts';
import { createShownWallets } from './shown-wallet.ts';
import { judgeWords } from './shown-words.ts';
import { createTallies } from './tallies.ts';

/** A wrong figure stays wrong: more often would only cost run time. */
const EVERY_MS = MINUTE;
/** Sums go over all fills: in a run of weeks they are looked at as much more rarely as there are more than so many. */
const FILLS_OF_A_MINUTE = 1_000;

const pauseAfter = ({ journal }: CheckContext): DurationMs =>
  EVERY_MS * Math.max(1, journal.fills.size / FILLS_OF_A_MINUTE);

interface Judging {
  readonly differs: Differs;
  /** By the bot's clock. */
  readonly now: EpochMs;
}

export function shownChecks(): Checker {
  const facts = createFacts();
  let dueAt = Number.NEGATIVE_INFINITY;
  return {
    answered(context, message) {
      facts.books.answered(message);
      facts.tallies.answered(context, message);
      if (message.status === 200 && message.endpoint === 'wallet') facts.wallets.answered(message);
    },
    recorded(context, told) {
      facts.ordersOf(context).take(told);
      facts.ledger.recorded(told, context.now());
      facts.tallies.recorded(told);
      facts.pauses.recorded(told);
      facts.quotes.recorded(context, told);
      if (told.type === 'intent') judgeIntent(context, facts, told);
    },
    sampled(context) {
      const trader = context.trader();
      if (trader === null || !context.canWrite() || context.now() < dueAt) return;
      dueAt = context.now() + pauseAfter(context);
      judge(context, facts, trader);
    },
    crashed() {
      facts.books.begun();
      facts.wallets.begun();
      facts.tallies.begun();
    },
  };
}

type Facts = ReturnType<typeof createFacts>;

/** All that is known without the bot. */
function createFacts() {
  let orders: OrderFold | null = null;
  return {
    books: createBooks(),
    wallets: createShownWallets(),
    quotes: createQuoteJudge(),
    ledger: createLedgerTotals(),
    tallies: createTallies(),
    pauses: createPauses(),
    ordersOf({ settings }: CheckContext): OrderFold {
      orders ??= createOrderFold(settings);
      return orders;
    },
  };
}

/** What can't be had counts twice where it may be the same: what orders reserve is locked, too. */
function moneyOf(context: CheckContext, { ordersOf, wallets, ledger }: Facts): QuoteMoney {
  const taken = reservedByAll(context.settings, ordersOf(context).live.values());
  const locked = new Map<string, Decimal>();
  for (const each of wallets.last(context))
    for (const [asset, amount] of each.locked) locked.set(asset, Decimal.max(amount, locked.get(asset) ?? ZERO));
  for (const [asset, amount] of locked) taken.set(asset, amount.add(taken.get(asset) ?? ZERO));
  return { totals: ledger.totals, taken };
}

function judgeIntent(context: CheckContext, facts: Facts, told: Told): void {
  const intent = context.journal.intents.get(String(told.payload.intentId));
  const run = context.settings.runs.find(({ instrument }) => instrument.symbol === intent?.symbol);
  if (intent === undefined || run === undefined) return;
  const older = facts.ordersOf(context).orders.get(intent.replaces ?? '');
  const sentAt = Number(told.payload.sentAt);
  const why = older === undefined ? null : whyTooEager(run, { ...intent, sentAt }, older);
  if (why !== null) context.violated('K13', `Intent ${intent.intentId} is to replace ${intent.replaces}. ${why}`);
  const book = facts.books.at(intent.symbol, intent.bookSentAt);
  if (book === undefined || !context.isUp()) return;
  const reference = new Decimal(String(told.payload.reference));
  facts.quotes.judgeIntent(context, intent, { ...moneyOf(context, facts), run, book, books: facts.books, reference });
}

function judge(context: CheckContext, facts: Facts, trader: TraderState): void {
  const now = context.now() + context.clockError();
  const differs: Differs = (what, shown, so) => {
    if (shown === so) return;
    context.violated('B2', `The bot shows ${String(shown)} for ${what}, and it is ${String(so)}.`);
  };
  const view = takeSnapshot(trader, now);
  context.counters.add('status compared');
  const money: Money = {
    totals: facts.ledger.totals,
    reserved: reservedByAll(context.settings, facts.ordersOf(context).live.values()),
    journal: context.journal,
    wallet: facts.wallets.last(context).find(({ sentAt }) => sentAt === view.walletSentAt)?.totals ?? null,
  };
  for (const symbol of view.symbols) judgeSymbol(context, facts, symbol, { differs, now });
  for (const asset of view.assets) judgeAsset(asset, money, differs);
  judgeAll(context, view, { differs, now, tallies: facts.tallies, paused: facts.pauses.why() });
  judgeLags(context, trader, { view: view.readLags, differs });
  judgeWords(context, view);
}

function judgeSymbol(context: CheckContext, facts: Facts, view: SymbolView, { differs, now }: Judging): void {
  const { symbol, referencePrice } = view;
  const live = [...facts.ordersOf(context).live.values()].filter((order) => order.symbol === symbol);
  const run = context.settings.runs.find(({ instrument }) => instrument.symbol === symbol);
  if (run === undefined) return differs('a market', symbol, 'none that is configured');
  const { base, quote, tickSize, lotSize } = run.instrument;
  const names = [view.base, view.quote, view.tickSize, view.lotSize].join(' ');
  differs(`the terms of ${symbol}`, names, [base, quote, tickSize.toFixed(), lotSize.toFixed()].join(' '));
  judgeOrders(view, live, context.journal.intents, differs);
  const listAge = now - (view.openOrdersSentAt ?? Number.NEGATIVE_INFINITY);
  judgeSides(view, listAge <= context.settings.ageLimits.openOrdersMs, differs);
  const book = facts.books.at(symbol, view.bookSentAt);
  if (book !== undefined) judgeBook(view, book, live, differs);
  if (book !== undefined && referencePrice !== null && view.state === 'quoting') {
    const { books } = facts;
    const asked = { ...moneyOf(context, facts), run, book, books, reference: new Decimal(referencePrice) };
    facts.quotes.judgeWanted(context, view, asked);
  }
  differs(`what is held in ${symbol}`, view.inventory, (facts.ledger.totals.get(base) ?? ZERO).toFixed());
  judgeFills(view, facts.tallies.fillsOf(symbol), differs);
  judgePnl(view, context.journal.fills.values(), differs);
  judgeHalts(context, facts, view, differs);
}

function judgeHalts(context: CheckContext, { tallies }: Facts, view: SymbolView, differs: Differs): void {
  const { symbol } = view;
  differs(`whether ${symbol} is halted`, view.state === 'halted', context.journal.halts.has(symbol));
  differs(`the code of the halt of ${symbol}`, view.risk.halt?.code, context.journal.halts.get(symbol)?.code);
  const shown = view.risk.halts.map(({ code, count }) => `${symbol} ${code} ${count}`).toSorted();
  differs(`how often ${symbol} was halted`, shown.join(', '), tallies.haltsOf(symbol));
  for (const [list, sentAt] of [
    [`open-orders ${symbol}`, view.openOrdersSentAt],
    [`spot-trades ${symbol}`, view.tradesSentAt],
    [`order-book ${symbol}`, view.bookSentAt],
  ] as const)
    if (sentAt !== null && !tallies.isListed(list, sentAt))
      differs(`when ${list} was asked for`, sentAt, 'another moment');
}
