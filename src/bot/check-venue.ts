// The second half of `check`: whether the exchange is there, what its clock says, what the key may do, and whether the configured trading
// rules fit what is seen. Reads only.
import { plain } from '../domain/decimal.ts';
import type { Fill } from '../domain/fill.ts';
import type { Instrument } from '../domain/instrument.ts';
import { type OrderBook, spreadBps, touchOf } from '../domain/order-book.ts';
import { isOnLot, isOnTick } from '../domain/rounding.ts';
import type { RunSettings } from '../trader/settings.ts';
import { LIST_LIMIT_MAX } from '../venue/endpoints.ts';
import type { Completed } from '../venue/outcomes.ts';
import type { ApiKeys } from './keys.ts';
import type { Settings } from './settings/types.ts';
import { openVenueSession, type VenueSession } from './venue-session.ts';

/** One thing that was looked at. `wrong` keeps the bot from quoting as configured. */
export interface Finding {
  readonly what: string;
  readonly verdict: 'good' | 'note' | 'wrong';
  /** A sentence. */
  readonly detail: string;
}

/** Asks for symbols, books, wallet, open orders and own trades, at the configured pace. The first finding says whether it answers at all. */
export async function checkVenue(settings: Settings, keys: ApiKeys): Promise<Finding[]> {
  const session = openVenueSession(settings, keys);
  try {
    const reached = await session.ask({ kind: 'symbols' });
    if (reached.kind !== 'symbols' || reached.outcome.kind !== 'read') return [wrong('exchange', whyNot(reached))];
    const listed = reached.outcome.read.rows;
    const took = reached.facts.receivedAt - reached.facts.sentAt;
    const findings = [good('exchange', `It answers in ${took} ms and lists ${listed.length} symbols.`)];
    for (const run of settings.trader.runs) findings.push(...(await checkMarket(session, run, listed)));
    findings.push(clockFinding(settings, session), ...(await checkAccount(session, settings)));
    return findings;
  } finally {
    session.close();
  }
}

async function checkMarket(
  session: VenueSession,
  { instrument }: RunSettings,
  listed: readonly string[],
): Promise<Finding[]> {
  const { symbol } = instrument;
  if (!listed.includes(symbol)) return [wrong(symbol, 'The exchange does not list it.')];
  const seen = await session.ask({ kind: 'order-book', symbol, limit: LIST_LIMIT_MAX });
  if (seen.kind !== 'order-book' || seen.outcome.kind !== 'read')
    return [wrong(symbol, `Its book can not be read: ${whyNot(seen)}`)];
  const book = seen.outcome.read.rows;
  const touch = touchOf(book);
  const market = touch
    ? good(
        symbol,
        `Bid ${plain(touch.bid.price)}, ask ${plain(touch.ask.price)}: ${spreadBps(touch).toDecimalPlaces(1).toFixed()} bps wide.`,
      )
    : note(symbol, 'A side of its book is empty or it is crossed: there would be no quotes now.');
  return [market, ruleFinding(book, instrument)];
}

/** What rests in the book obeys the exchange's rules: a price or size off the configured steps proves the configuration wrong. */
function ruleFinding({ bids, asks }: OrderBook, instrument: Instrument): Finding {
  const { symbol, tickSize, lotSize } = instrument;
  const levels = [...bids, ...asks];
  const offTick = levels.find(({ price }) => !isOnTick(price, instrument));
  if (offTick)
    return wrong(
      `${symbol} rules`,
      `A price of ${plain(offTick.price)} rests in the book: it is not a multiple of tick size ${plain(tickSize)}.`,
    );
  const offLot = levels.find(({ quantity }) => !isOnLot(quantity, instrument));
  if (offLot)
    return wrong(
      `${symbol} rules`,
      `A quantity of ${plain(offLot.quantity)} rests in the book: it is not a multiple of lot size ${plain(lotSize)}.`,
    );
  return good(
    `${symbol} rules`,
    `All ${levels.length} levels fit tick size ${plain(tickSize)} and lot size ${plain(lotSize)}.`,
  );
}

function clockFinding({ trader }: Settings, session: VenueSession): Finding {
  const known = session.clock();
  if (known === null)
    return wrong(
      'clock',
      'The exchange sends no Date header: its clock can not be known, and nothing would be created.',
    );
  const { offsetMs, uncertaintyMs } = known;
  const words = `The exchange's clock is ${Math.round(offsetMs)} ms ahead of ours, known to ${Math.round(uncertaintyMs)} ms.`;
  return uncertaintyMs > trader.assumptions.maxClockUncertaintyMs
    ? note('clock', `${words} More answers will narrow it.`)
    : good('clock', words);
}

async function checkAccount(session: VenueSession, settings: Settings): Promise<Finding[]> {
  const wallet = await session.ask({ kind: 'wallet', stamp: session.stamp() });
  if (wallet.kind !== 'wallet' || wallet.outcome.kind !== 'read') return [wrong('key: wallet', whyNot(wallet))];
  const held = wallet.outcome.read.rows.filter(({ free, locked }) => free.gt(0) || locked.gt(0));
  const balances = held.map(({ asset, free, locked }) => `${plain(free.add(locked))} ${asset}`).join(', ');
  const findings = [good('key: wallet', balances === '' ? 'The wallet is empty.' : `It holds ${balances}.`)];
  const orders = await session.ask({ kind: 'open-orders', stamp: session.stamp() });
  if (orders.kind !== 'open-orders' || orders.outcome.kind !== 'read')
    findings.push(wrong('key: orders', whyNot(orders)));
  else {
    const count = orders.outcome.read.rows.length;
    findings.push(
      count === 0
        ? good('key: orders', 'No order is open.')
        : note('key: orders', `${count} orders are open. The bot leaves alone what its journal does not hold.`),
    );
  }
  for (const run of settings.trader.runs) findings.push(await checkTrades(session, run));
  return findings;
}

async function checkTrades(session: VenueSession, run: RunSettings): Promise<Finding> {
  const { symbol } = run.instrument;
  const trades = await session.ask({
    kind: 'spot-trades',
    symbol,
    filter: { by: 'symbol' },
    limit: LIST_LIMIT_MAX,
    stamp: session.stamp(),
  });
  if (trades.kind !== 'spot-trades' || trades.outcome.kind !== 'read')
    return wrong(`key: trades of ${symbol}`, whyNot(trades));
  const fills = trades.outcome.read.rows;
  const dearer = fills.find((fill) => isDearer(fill, run));
  if (dearer) {
    const ratio = dearer.commission.div(dearer.quoteQuantity).mul(100).toDecimalPlaces(4);
    return wrong(
      `fees of ${symbol}`,
      `Trade ${dearer.tradeId} cost ${plain(ratio)} %, more than the configured fee with its tax.`,
    );
  }
  return good(
    `key: trades of ${symbol}`,
    fills.length === 0
      ? 'No own trade yet; fees can not be compared.'
      : `${fills.length} own trades, none dearer than configured.`,
  );
}

function isDearer(
  { liquidity, commission, commissionAsset, quoteQuantity }: Fill,
  { costs, instrument }: RunSettings,
): boolean {
  if (commissionAsset !== instrument.quote || !quoteQuantity.gt(0)) return false;
  const ratio = liquidity === 'maker' ? costs.makerFeeRatio : costs.takerFeeRatio;
  const rounding = 1e-8;
  return commission.gt(quoteQuantity.mul(ratio).add(rounding));
}

const good = (what: string, detail: string): Finding => ({ what, verdict: 'good', detail });
const note = (what: string, detail: string): Finding => ({ what, verdict: 'note', detail });
const wrong = (what: string, detail: string): Finding => ({ what, verdict: 'wrong', detail });

function whyNot({ outcome }: Completed): string {
  switch (outcome.kind) {
    case 'rejected':
      return `It answers ${outcome.code}: ${outcome.msg}`;
    case 'throttled':
      return `It answers HTTP ${outcome.status}: too many requests, or closed for the moment.`;
    case 'failed':
    case 'unknown':
    case 'not-sent':
      return outcome.fault.detail;
    default:
      return `Its answer was unexpected (${outcome.kind}).`;
  }
}
