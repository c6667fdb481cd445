// The markets of a sandbox: some that are known by name, any other by the price it starts from.
import { bitcoinLikeWalk, type SyntheticMarket, THIN_BOOK_FLOW } from '../../crowd/synthetic-settings.ts';
import { type Decimal, decimal, parseDecimal } from '../../domain/decimal.ts';
import { type Instrument, parseSymbol } from '../../domain/instrument.ts';
import { refusal } from '../settings/exchange-options.ts';

/** Start price in quote per base, price step, quantity step. */
const KNOWN: Readonly<Record<string, readonly [price: string, tick: string, lot: string]>> = {
  'BTC/INR': ['5500000', '1', '0.00001'],
  'ETH/INR': ['300000', '1', '0.0001'],
  'SOL/INR': ['14000', '0.1', '0.001'],
  'XRP/INR': ['200', '0.01', '0.1'],
  'USDT/INR': ['88', '0.01', '0.01'],
  'BTC/USDT': ['62500', '0.1', '0.00001'],
  'ETH/USDT': ['3400', '0.01', '0.0001'],
};
export const SANDBOX_SYMBOLS: readonly string[] = ['BTC/INR', 'ETH/INR', 'SOL/INR', 'USDT/INR'];

/** What one unit of a quote asset is worth in rupees, about: orders and minimum are as large in every market. */
const WORTH: Readonly<Record<string, number>> = { INR: 1, USDT: 88, USDC: 88, USD: 88, BTC: 5_500_000, ETH: 300_000 };
const MIN_NOTIONAL_INR = 100;
/** Digits of a price before its step, where nobody says otherwise. */
const PRICE_DIGITS = 6;
const DECIMALS_MAX = 8;

/** More than twenty prices on each side, even after somebody took a few. */
const FLOW = { ...THIN_BOOK_FLOW, takersPerSecond: 0.3, limitOrdersPerSecond: 1, minimumLevels: 30 };

/** `BTC/INR,DOGE/INR=12.5`, as `option` of the command line was given it, as markets. Throws `StartError` (64). */
export function sandboxMarkets(text: string, option = '--symbols'): readonly SyntheticMarket[] {
  const markets = text.split(',').map((each) => marketOf(each.trim(), option));
  const symbols = markets.map(({ instrument }) => instrument.symbol);
  const twice = symbols.find((symbol, index) => symbols.indexOf(symbol) < index);
  if (twice !== undefined) throw refusal(`${option}: ${twice} stands there twice.`);
  return markets;
}

function marketOf(text: string, option: string): SyntheticMarket {
  const [symbol = '', price, ...rest] = text.split('=');
  const assets = parseSymbol(symbol);
  if (assets === null || rest.length > 0) {
    throw refusal(`${option}: "${text}" is not a symbol such as BTC/INR, nor one with a price such as DOGE/INR=12.5.`);
  }
  const worth = WORTH[assets.quote] ?? 1;
  const known = KNOWN[symbol];
  const start = price === undefined ? decimal(known?.[0] ?? unknown(symbol, option)) : priceOf(text, price, option);
  const steps =
    known && price === undefined
      ? { tickSize: decimal(known[1]), lotSize: decimal(known[2]) }
      : { tickSize: tenTo(start, -PRICE_DIGITS + 1), lotSize: tenTo(decimal(10).div(start.mul(worth)), 0) };
  const minNotional = worth === 1 ? decimal(MIN_NOTIONAL_INR) : tenTo(decimal(MIN_NOTIONAL_INR / worth), 0);
  const instrument: Instrument = { symbol, ...assets, ...steps, minNotional };
  const { meanLimitNotional, meanTakerNotional, meanInformedNotional } = FLOW;
  const flow = {
    ...FLOW,
    meanLimitNotional: meanLimitNotional / worth,
    meanTakerNotional: meanTakerNotional / worth,
    meanInformedNotional: meanInformedNotional / worth,
  };
  return { instrument, latent: bitcoinLikeWalk(start.toNumber()), flow };
}

function unknown(symbol: string, option: string): never {
  const known = Object.keys(KNOWN).join(', ');
  throw refusal(
    `${option}: ${symbol} wants a price to start from, such as ${symbol}=100; without one there are ${known}.`,
  );
}

function priceOf(text: string, given: string, option: string): Decimal {
  const price = parseDecimal(given);
  if (price?.gte('0.00001') && price.lte('1000000000')) return price;
  throw refusal(`${option}: "${text}" has no price from 0.00001 to 1000000000 after its equals sign.`);
}

/** The power of ten of a number's first digit, moved by `digits`; not finer than amounts are. */
function tenTo(value: Decimal, digits: number): Decimal {
  const exponent = Math.floor(Math.log10(value.toNumber())) + digits;
  return decimal(10).pow(Math.max(exponent, -DECIMALS_MAX));
}
