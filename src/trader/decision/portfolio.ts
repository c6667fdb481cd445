// The account as one inventory: the share it leaves to each coin, from the prices and orders of all.
import { type Decimal, shownPlain, ZERO } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { type EpochMs, HOUR } from '../../domain/time.ts';
import { type Coin, placeInPortfolio } from '../../quoting/inventory.ts';
import { mayBeLive, remainingOf } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { trustedPrice } from '../money/trusted-price.ts';
import type { Market } from '../state/market.ts';
import { ledgerTotal, runOf, type With } from '../state/state.ts';
import { notice, type Step } from '../state/turn.ts';

/** The market that values the coin of this one; null if the portfolio lacks the coin. */
function valuedBy({ settings: { portfolio }, markets }: With<'settings' | 'markets'>, { run }: Market): Market | null {
  const { base: coin } = run.instrument;
  if (!portfolio?.shares.has(coin)) return null;
  for (const market of markets.values()) {
    const { base, quote } = market.run.instrument;
    if (base === coin && quote === portfolio.quote) return market;
  }
  return null;
}

/** Whether the portfolio concerns the market: it values its coin, or its purchases count in the bound. */
function hasPlace(state: With<'settings' | 'markets'>, market: Market): boolean {
  const valuing = valuedBy(state, market);
  return valuing?.symbol === market.symbol || (valuing !== null && state.settings.portfolio?.maxExposure !== null);
}

const valuingMarkets = (state: With<'settings' | 'markets'>): Market[] =>
  [...state.markets.values()].filter((market) => valuedBy(state, market)?.symbol === market.symbol);

/**
 * A coin of the portfolio whose price is not known yet, so that no share can be computed; null if all are known. A coin
 * with no holdings and no bids takes no room at any price.
 */
export function unvaluedCoin(state: With<'settings' | 'durable' | 'markets'>, market: Market): InstrumentSymbol | null {
  if (!hasPlace(state, market)) return null;
  const own = market.run.instrument.base;
  for (const other of valuingMarkets(state)) {
    if (other.symbol === market.symbol || trustedPrice(state, other) !== null) continue;
    const { asset, held, bids } = coinOf(state, other, ZERO);
    // Before the ledger is opened the holdings are unknown.
    if (!state.durable.books.opened || held.gt(0) || bids.gt(0) || asset === own) return other.symbol;
  }
  return null;
}

/**
 * The coins of the portfolio without the symbol's own orders: its own coin counts only bids of other symbols, and has
 * no price if its own reference price values it. Empty if the symbol has no place in the portfolio, or a coin is
 * unvalued.
 */
export function coinsBeside(state: With<'settings' | 'durable' | 'markets'>, market: Market): readonly Coin[] {
  if (!hasPlace(state, market) || unvaluedCoin(state, market) !== null) return NONE;
  return valuingMarkets(state).map((each) => {
    const price = each.symbol === market.symbol ? ZERO : (trustedPrice(state, each)?.price ?? ZERO);
    return coinOf(state, each, price, market);
  });
}

const NONE: readonly Coin[] = [];

/**
 * The share that the account leaves to the symbol's coin at its reference price; null without a portfolio, without the
 * coin in it, or while another coin is unvalued. A symbol quoted in another asset only has a bound.
 */
export function placeOf(
  state: With<'settings' | 'durable'>,
  market: Market,
  { beside, reference }: { readonly beside: readonly Coin[]; readonly reference: Decimal },
): { readonly target: Decimal | null; readonly mostBase: Decimal | null } | null {
  const { portfolio } = state.settings;
  const { base, quote } = market.run.instrument;
  const known = beside.find(({ asset }) => asset === base);
  if (portfolio === null || known === undefined) return null;
  const isValuing = quote === portfolio.quote;
  const own = isValuing ? { ...known, price: reference } : known;
  const coins = beside.map((coin) => (coin === known ? own : coin));
  const place = placeInPortfolio(portfolio, {
    coins,
    quoteHeld: ledgerTotal(state.durable.books, portfolio.quote),
    own,
  });
  return { ...place, target: isValuing ? place.target : null };
}

/** `besides`: the market whose own bids are excluded. */
function coinOf(state: With<'durable' | 'markets'>, valuing: Market, price: Decimal, besides?: Market): Coin {
  const { base: asset } = valuing.run.instrument;
  let bids: Decimal = ZERO;
  for (const intent of state.durable.orders.intents.values()) {
    if (intent.side !== 'buy' || intent.symbol === besides?.symbol || !mayBeLive(intent)) continue;
    if (runOf(state, intent.symbol).instrument.base === asset) bids = bids.add(remainingOf(intent));
  }
  return { asset, held: ledgerTotal(state.durable.books, asset), bids, price };
}

// How long the cash lasts: each sale locks the withheld tax, and sustained turnover eventually locks all of it.

const HOURS_PER_DAY = 24;
/** The warning is repeated after this long while it lasts. */
const TOLD_EVERY_MS = 6 * HOUR;

/** The runway of one quote asset. */
export interface CashRunway {
  /** Withheld from own sales within the last hour. */
  readonly withheldLastHour: Decimal;
  /** Days until the withheld tax equals all cash, at the turnover of the last hour; null if nothing was withheld. */
  readonly days: number | null;
}

export function cashRunwayOf(state: With<'durable' | 'markets' | 'clock'>, asset: Asset, now: EpochMs): CashRunway {
  const since = now + (state.clock?.offsetMs ?? 0) - HOUR;
  let withheld: Decimal = ZERO;
  for (const [symbol, { run }] of state.markets) {
    if (run.instrument.quote !== asset) continue;
    for (const { at, side, notional } of marketIn(state.durable, symbol).risk.fillParts)
      if (side === 'sell' && at > since) withheld = withheld.add(notional.mul(run.costs.tdsRatio));
  }
  const days = withheld.isZero()
    ? null
    : ledgerTotal(state.durable.books, asset).div(withheld).div(HOURS_PER_DAY).toNumber();
  return { withheldLastHour: withheld, days };
}

/** Warns if the cash of an asset lasts fewer days than `cashRunwayDays`. */
export function watchCash(turn: Step<'settings' | 'session' | 'clock'>): void {
  const { state, now, events } = turn;
  if (!events.some((event) => event.type === 'fill' && event.payload.fill.side === 'sell')) return;
  const assets = new Set([...state.markets.values()].map(({ run }) => run.instrument.quote));
  for (const asset of assets) {
    const { days, withheldLastHour } = cashRunwayOf(state, asset, now);
    if (days === null || days >= state.settings.cashRunwayDays) continue;
    if (now - (state.session.cashToldAt.get(asset) ?? Number.NEGATIVE_INFINITY) < TOLD_EVERY_MS) continue;
    state.session.cashToldAt.set(asset, now);
    const amount = shownPlain(withheldLastHour, asset);
    const message =
      `Tax of ${amount} ${asset} was withheld within an hour. At this turnover the cash lasts for ${days.toFixed(1)} ` +
      `days, and it should last ${state.settings.cashRunwayDays}. Quote less or wider, or add cash.`;
    notice(turn, { level: 'warn', op: 'cash-runway', message });
  }
}
