// `plan`: what would be quoted now, in money. Reads only; ignores the account's own open orders.
import { BPS, type Decimal, decimal, plain, shownPlain, ZERO } from '../../domain/decimal.ts';
import type { Quote } from '../../domain/order.ts';
import { ratioOfBps } from '../../quoting/amount.ts';
import { minimumHalfSpread } from '../../quoting/costs.ts';
import { shown } from '../../quoting/pipeline/draft.ts';
import type { MarketView } from '../../quoting/strategy.ts';
import { haltOf } from '../../trader/decision/readiness.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import { marketOf, runOf, type With } from '../../trader/state/state.ts';
import { estimateSentences } from '../../trader/status/views.ts';
import { EXIT, type ExitCode } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { paperKeys, readKeys } from '../keys/keys.ts';
import { openVenueSession } from '../keys/venue-session.ts';
import { ensurePaperProcess } from '../paper/paper-process.ts';
import type { Settings } from '../settings/types.ts';
import { lagMeaning } from '../status/lag-meaning.ts';
import { moneyTable, quoteInMoney } from '../status/quote-money.ts';
import { movesLine, type PlannedOrders, plannedOrders, roomSentence } from './planned-orders.ts';

type PlannedSymbol = ReturnType<typeof plannedSymbol>;

export async function planQuotes(settings: Settings, io: CommandIo, { json }: { json: boolean }): Promise<ExitCode> {
  const paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
  try {
    const keys = settings.keys === null ? paperKeys(settings.stateFolder) : readKeys(settings.keys, io.environment);
    const session = openVenueSession(settings, keys);
    const { state, bySymbol } = await plannedOrders(settings, session).finally(() => session.close());
    const planned = [...bySymbol].map(([symbol, orders]) => plannedSymbol(state, symbol, orders));
    const named = accountNamed(settings);
    const readLags = lagMeaning(settings);
    const lines = [accountLine(named), ...planned.flatMap(linesOf), ...readLags.sentences];
    io.out(json ? JSON.stringify({ ...named, symbols: planned, readLags }) : lines.join('\n'));
    const hasFailed = [...state.markets.values()].some((market) => haltOf(state, market)?.code === 'strategy');
    return hasFailed ? EXIT.configurationInvalid : EXIT.done;
  } finally {
    if (paper !== null && !paper.found) await paper.stop();
  }
}

function plannedSymbol(
  state: With<'markets'>,
  symbol: string,
  { decision: { result, view, reason }, quotes, refused, moves }: PlannedOrders,
) {
  const { costs, instrument } = runOf(state, symbol);
  const { makerFeeRatio, effectiveTaxRatio } = costs;
  const breakEven = minimumHalfSpread({ buyFeeRatio: makerFeeRatio, sellFeeRatio: makerFeeRatio, effectiveTaxRatio });
  const notional = (side: Quote['side']): Decimal =>
    quotes
      .filter((quote) => quote.side === side)
      .reduce((sum, { price, quantity }) => sum.add(price.mul(quantity)), ZERO);
  const base = quotes.filter(({ side }) => side === 'sell').reduce((sum, { quantity }) => sum.add(quantity), ZERO);
  const noQuote = [result?.noQuote.buy ?? null, result?.noQuote.sell ?? null];
  return {
    symbol,
    referencePrice: view && plain(view.referencePrice),
    breakEvenHalfSpreadBps: bps(breakEven),
    quotes: quotes.map((quote) =>
      quoteInMoney(quote, { reference: view?.referencePrice ?? quote.price, costs, instrument }),
    ),
    locksQuote: shownPlain(notional('buy').mul(makerFeeRatio.add(1)), instrument.quote),
    locksBase: plain(base),
    moves,
    /** Why nothing is quoted, or not on one side. */
    why: [reason, ...noQuote].filter((each) => each !== null),
    /** Wanted quotes that the risk gate refuses. */
    refused,
    /** Null without a loss limit. */
    atLossLimit: view && atLossLimit(runOf(state, symbol), view),
    /** Estimates about the market, one sentence each. */
    estimates: estimateSentences(marketOf(state, symbol)),
  };
}

/** What a halt at a loss limit would do now. */
function atLossLimit({ limits, instrument }: RunSettings, view: MarketView): string | null {
  const { unwind, collarBps, maxSessionLoss, maxDayLoss, maxDrawdown } = limits;
  if ([maxSessionLoss, maxDayLoss, maxDrawdown].every((limit) => limit === undefined)) return null;
  if (unwind === undefined) return 'what is held stays: limits.unwind is not set';
  const { base, quote, tickSize, lotSize } = instrument;
  const distance = view.referencePrice.mul(ratioOfBps(collarBps));
  const [low, high] = [view.referencePrice.sub(distance), view.referencePrice.add(distance)];
  const prices = `sells from ${shown(low, tickSize)} ${quote}, buys up to ${shown(high, tickSize)} ${quote}`;
  const held = `${shown(view.base.total, lotSize)} ${base} are held`;
  return (
    `back toward its target of ${shown(view.inventoryTarget, lotSize)} ${base} (${held}) by what own fills bought or ` +
    `sold; its order rests for ${unwind.takeAfterSeconds} s and then takes: ${prices}`
  );
}

const bps = (ratio: Decimal): string => plain(ratio.mul(BPS).toDecimalPlaces(1));

function linesOf(planned: PlannedSymbol): string[] {
  const [base = '', quote = ''] = planned.symbol.split('/');
  const head =
    `${planned.symbol}: reference price ${planned.referencePrice ?? 'unknown'} ${quote}; below a half-spread of ` +
    `${planned.breakEvenHalfSpreadBps} bps a round trip loses to fees and tax.`;
  const rows = planned.quotes.length === 0 ? [] : moneyTable(planned.quotes, { base, quote }, 'wide');
  const locked =
    decimal(planned.locksQuote).isZero() && decimal(planned.locksBase).isZero()
      ? []
      : [`  locks ${planned.locksQuote} ${quote} and ${planned.locksBase} ${base}`];
  const { room } = planned.moves;
  const moves = room === null ? [] : [`  ${movesLine(planned.moves)}`, `  ${roomSentence(room, planned.moves)}`];
  const loss = planned.atLossLimit === null ? [] : [`  at a loss limit: ${planned.atLossLimit}`];
  const estimates = planned.estimates.map((each) => `  ${each}`);
  const refused = planned.refused.map(({ slot, code, message }) => `  refused: ${slot} (${code}): ${message}`);
  const without = planned.why.map((why) => `  no quote: ${why}`);
  return [head, ...rows, ...locked, ...moves, ...loss, ...estimates, ...refused, ...without];
}
