// Options of `exchange`: the behavior that replaces a configuration's, and all of a sandbox, which has none.
import path from 'node:path';
import { bitcoinLikeWalk, type SyntheticMarket, THIN_BOOK_FLOW } from '../../crowd/synthetic-settings.ts';
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from '../../crowd/types.ts';
import { type Decimal, decimal, parseDecimal } from '../../domain/decimal.ts';
import { type Instrument, parseSymbol } from '../../domain/instrument.ts';
import { FEES_ACCOUNT, TAX_ACCOUNT } from '../../matching/engine.ts';
import { refusalsOf } from '../../paper/control/sentences.ts';
import { isAssetText } from '../../paper/state/back-office.ts';
import { PROFILES, type ProfileName, profileWith } from '../../paper/state/settings.ts';
import { isQuirkName, QUIRK_NAMES, type Quirks, quirkChangesSchema, quirkOfText } from '../../paper/wire/quirks.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { CONTROL_PORT_DEFAULT } from '../settings/paper-section.ts';
import type { Settings } from '../settings/types.ts';

/** `--account` and `--balance` in the order of the command line: a balance belongs to the account before it. */
export type AccountWord = { readonly kind: 'account' | 'balance'; readonly text: string };

/** As commander parses them. */
export interface BehaviorOptions {
  /** Replaces a configuration's profile, quirks and rate limits. */
  readonly profile?: ProfileName;
  /** `name=value`: single quirks on top of the profile. */
  readonly quirk?: readonly string[];
  /** A port; `true` means the configured one, or the default. */
  readonly control?: string | true;
}

/** The account options are kept separately to preserve their order. */
export interface SandboxOptions extends BehaviorOptions {
  readonly port?: string;
  readonly symbols?: string;
  readonly state?: string;
}

export type Balances = Readonly<Record<string, Decimal>>;

export interface SandboxAccount {
  readonly name: string;
  readonly balances: Balances;
}

export interface Sandbox {
  readonly port: number;
  readonly controlPort: number | null;
  readonly profile: ProfileName;
  readonly quirks: Quirks;
  readonly markets: readonly SyntheticMarket[];
  readonly assetDecimals: number;
  readonly accounts: readonly SandboxAccount[];
  /** Absolute; `null` stores nothing. */
  readonly folder: string | null;
}

const PORT_DEFAULT = 8788;
const NAME_DEFAULT = 'owner';
const BALANCES_DEFAULT: Balances = { INR: decimal('5000000'), BTC: decimal('0.5'), ETH: decimal('8') };
const RESERVED: readonly string[] = [CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, FEES_ACCOUNT, TAX_ACCOUNT];
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** Decimals of the smallest unit, unless tick and lot size require a smaller one. */
const ASSET_DECIMALS = 8;

/** Throws `StartError` (64) for invalid options. */
export function sandboxOf(options: SandboxOptions, words: readonly AccountWord[]): Sandbox {
  const { profile = 'spec', quirk = [], port, control, state, symbols = SANDBOX_SYMBOLS.join(',') } = options;
  const markets = sandboxMarkets(symbols);
  const assetDecimals = Math.max(
    ASSET_DECIMALS,
    ...markets.map(({ instrument: { tickSize, lotSize } }) => tickSize.decimalPlaces() + lotSize.decimalPlaces()),
  );
  return {
    port: port === undefined ? PORT_DEFAULT : portOf('--port', port),
    controlPort: controlPortOf(control),
    profile,
    quirks: Object.assign({}, PROFILES[profile].quirks, ...quirk.map(quirkOf)),
    markets,
    assetDecimals,
    accounts: accountsOf(words, assetDecimals),
    folder: state === undefined ? null : path.resolve(state),
  };
}

/** The settings with the command line's behavior. Throws `StartError` (64) for invalid options. */
export function withBehavior(settings: Settings, { profile, quirk = [], control }: BehaviorOptions): Settings {
  const { paper } = settings;
  if (paper === null) return settings;
  const behavior = profile === undefined ? paper : { ...paper, profile, ...profileWith(profile, {}) };
  const quirks: Quirks = Object.assign({}, behavior.quirks, ...quirk.map(quirkOf));
  const port = control === true ? (paper.control?.port ?? CONTROL_PORT_DEFAULT) : controlPortOf(control);
  return { ...settings, paper: { ...behavior, quirks, control: port === null ? paper.control : { port } } };
}

function controlPortOf(control: string | true | undefined): number | null {
  if (control === undefined) return null;
  return control === true ? CONTROL_PORT_DEFAULT : portOf('--control', control);
}

function accountsOf(words: readonly AccountWord[], decimals: number): readonly SandboxAccount[] {
  const accounts: { name: string; balances: Balances | null }[] = [];
  if (words[0]?.kind !== 'account') accounts.push({ name: NAME_DEFAULT, balances: null });
  for (const { kind, text } of words) {
    const last = accounts.at(-1);
    if (kind === 'account') accounts.push({ name: nameOf(text, accounts), balances: null });
    else if (last) last.balances = withBalances(last.balances ?? {}, text, decimals);
  }
  return accounts.map(({ name, balances }) => ({ name, balances: balances ?? BALANCES_DEFAULT }));
}

function nameOf(text: string, before: readonly { readonly name: string }[]): string {
  if (!NAME.test(text)) {
    throw refusal(`--account: "${text}" is not a name such as alice: small letters, digits, hyphens, 40 at most.`);
  }
  if (RESERVED.includes(text)) throw refusal(`--account: ${text} is a name that the exchange itself uses.`);
  if (before.some(({ name }) => name === text)) throw refusal(`--account: ${text} stands there twice.`);
  return text;
}

function withBalances(before: Balances, text: string, decimals: number): Balances {
  const balances: Record<string, Decimal> = { ...before };
  for (const pair of text.split(',')) {
    const [asset = '', given = '', ...rest] = pair.trim().split('=');
    const amount = parseDecimal(given);
    if (!isAssetText(asset) || amount === null || amount.isNegative() || rest.length > 0) {
      throw refusal(`--balance: "${pair}" is not an asset and an amount such as INR=1000000.`);
    }
    if (asset in balances) throw refusal(`--balance: ${asset} stands there twice for one account.`);
    if (amount.decimalPlaces() > decimals) {
      throw refusal(`--balance: "${pair}" has more decimals than the ${decimals} that an amount can have.`);
    }
    balances[asset] = amount;
  }
  return balances;
}

// The markets of a sandbox: some are known by name, any other by its start price.

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
const SANDBOX_SYMBOLS: readonly string[] = ['BTC/INR', 'ETH/INR', 'SOL/INR', 'USDT/INR'];

/**
 * Approximate value of one unit of a quote asset in rupees, so that orders and minimum are equally large in every
 * market.
 */
const WORTH: Readonly<Record<string, number>> = { INR: 1, USDT: 88, USDC: 88, USD: 88, BTC: 5_500_000, ETH: 300_000 };
const MIN_NOTIONAL_INR = 100;
/** Default number of significant digits of a price. */
const PRICE_DIGITS = 6;
const DECIMALS_MAX = 8;

/** More than twenty prices on each side, even after a few were taken. */
const FLOW = { ...THIN_BOOK_FLOW, takersPerSecond: 0.3, limitOrdersPerSecond: 1, minimumLevels: 30 };

/** Parses `BTC/INR,DOGE/INR=12.5`, given with `option`. Throws `StartError` (64). */
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
  const flow = {
    ...FLOW,
    meanLimitNotional: FLOW.meanLimitNotional / worth,
    meanTakerNotional: FLOW.meanTakerNotional / worth,
    meanInformedNotional: FLOW.meanInformedNotional / worth,
  };
  return { instrument, latent: bitcoinLikeWalk(start.toNumber()), flow };
}

function unknown(symbol: string, option: string): never {
  const known = Object.keys(KNOWN).join(', ');
  throw refusal(`${option}: ${symbol} needs a start price, such as ${symbol}=100; without one there are ${known}.`);
}

function priceOf(text: string, given: string, option: string): Decimal {
  const price = parseDecimal(given);
  if (price?.gte('0.00001') && price.lte('1000000000')) return price;
  throw refusal(`${option}: "${text}" has no price from 0.00001 to 1000000000 after its equals sign.`);
}

/** The power of ten of a number's first digit, shifted by `digits`; never finer than amounts are. */
function tenTo(value: Decimal, digits: number): Decimal {
  const exponent = Math.floor(Math.log10(value.toNumber())) + digits;
  return decimal(10).pow(Math.max(exponent, -DECIMALS_MAX));
}

/** Quirks that differ from the profile's: `codeAs=number`. */
export function changedQuirks({ profile, quirks }: Pick<Sandbox, 'profile' | 'quirks'>): readonly string[] {
  return QUIRK_NAMES.filter((name) => quirks[name] !== PROFILES[profile].quirks[name]).map(
    (name) => `${name}=${quirks[name]}`,
  );
}

function quirkOf(text: string): Partial<Quirks> {
  const cut = text.indexOf('=');
  const name = cut < 0 ? text : text.slice(0, cut);
  if (!isQuirkName(name)) throw refusal(`--quirk: there is no "${name}"; there are ${QUIRK_NAMES.join(', ')}.`);
  if (cut < 0) throw refusal(`--quirk: ${name} needs a value: --quirk ${name}=value.`);
  const given = { [name]: quirkOfText(text.slice(cut + 1)) };
  const judged = quirkChangesSchema.safeParse(given);
  if (judged.success) return judged.data;
  throw refusal(
    refusalsOf(judged.error.issues, given)
      .map(({ sentence }) => `--quirk ${sentence}`)
      .join(' '),
  );
}

function portOf(option: string, text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw refusal(`${option}: "${text}" is not a port, a whole number from 0 to 65535.`);
}

const refusal = (sentence: string): StartError => new StartError(EXIT.usage, sentence);
