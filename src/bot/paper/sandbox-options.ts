// What the command line of `exchange` says of a sandbox: its accounts, markets, port and folder.
import path from 'node:path';
import type { SyntheticMarket } from '../../crowd/synthetic-settings.ts';
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from '../../crowd/types.ts';
import { type Decimal, decimal, parseDecimal } from '../../domain/decimal.ts';
import { FEES_ACCOUNT, TAX_ACCOUNT } from '../../matching/engine.ts';
import { isAssetText } from '../../paper/state/back-office.ts';
import { PROFILES, type ProfileName } from '../../paper/state/settings.ts';
import type { Quirks } from '../../paper/wire/quirks.ts';
import { type ExchangeOptions, portOf, refusal, withQuirks } from '../settings/exchange-options.ts';
import { CONTROL_PORT_DEFAULT } from '../settings/paper-parts.ts';
import { SANDBOX_SYMBOLS, sandboxMarkets } from './sandbox-markets.ts';

/** `--account` and `--balance` in the order of the command line: a balance belongs to the account before it. */
export type AccountWord = { readonly kind: 'account' | 'balance'; readonly text: string };

/** As commander gives them; the words of accounts are kept apart, for their order. */
export interface SandboxOptions extends ExchangeOptions {
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
  /** Absolute; `null` keeps nothing. */
  readonly folder: string | null;
}

const PORT_DEFAULT = 8788;
const NAME_DEFAULT = 'owner';
const BALANCES_DEFAULT: Balances = { INR: decimal('5000000'), BTC: decimal('0.5'), ETH: decimal('8') };
const RESERVED: readonly string[] = [CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT, FEES_ACCOUNT, TAX_ACCOUNT];
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
/** Decimals of the smallest unit, where tick and lot ask for no smaller one. */
const ASSET_DECIMALS = 8;

/** Throws `StartError` (64) for what is not understood. */
export function sandboxOf(options: SandboxOptions, words: readonly AccountWord[]): Sandbox {
  const { profile = 'spec', port, control, state, symbols = SANDBOX_SYMBOLS.join(',') } = options;
  const markets = sandboxMarkets(symbols);
  const assetDecimals = Math.max(
    ASSET_DECIMALS,
    ...markets.map(({ instrument: { tickSize, lotSize } }) => tickSize.decimalPlaces() + lotSize.decimalPlaces()),
  );
  return {
    port: port === undefined ? PORT_DEFAULT : portOf('--port', port),
    controlPort: controlPortOf(control),
    profile,
    quirks: withQuirks(PROFILES[profile].quirks, options),
    markets,
    assetDecimals,
    accounts: accountsOf(words, assetDecimals),
    folder: state === undefined ? null : path.resolve(state),
  };
}

function controlPortOf(control: string | true | undefined): number | null {
  if (control === undefined) return null;
  return control === true ? CONTROL_PORT_DEFAULT : portOf('--control', control);
}

function accountsOf(words: readonly AccountWord[], decimals: number): readonly SandboxAccount[] {
  const accounts: { name: string; balances: Balances | null }[] = [];
  for (const { kind, text } of words) {
    if (kind === 'account') accounts.push({ name: nameOf(text, accounts), balances: null });
    else {
      if (accounts.length === 0) accounts.push({ name: NAME_DEFAULT, balances: null });
      const last = accounts.at(-1);
      if (last) last.balances = withBalances(last.balances ?? {}, text, decimals);
    }
  }
  if (accounts.length === 0) accounts.push({ name: NAME_DEFAULT, balances: null });
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
