// Turns the written configuration into settings: absolute paths, fees including tax, the parts of one mode.
import { hostname } from 'node:os';
import path from 'node:path';
import { bitcoinLikeWalk, THIN_BOOK_FLOW } from '../../crowd/synthetic-settings.ts';
import { ONE } from '../../domain/decimal.ts';
import { type Instrument, parseSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, MINUTE, SECOND } from '../../domain/time.ts';
import { profileWith } from '../../paper/state/settings.ts';
import type { RateLimits } from '../../paper/wire/rate-limit.ts';
import { effectiveTaxRatio } from '../../quoting/costs.ts';
import type { Portfolio } from '../../quoting/inventory.ts';
import { protectionsOf } from '../../quoting/protection-settings.ts';
import { limitsOf } from '../../quoting/risk/risk-limits.ts';
import type { Costs } from '../../quoting/strategy.ts';
import type { Rate, ReferenceGuards } from '../../reference/plan.ts';
import type { RunSettings, TraderSettings } from '../../trader/state/settings.ts';
import { IS_PACKAGE, PROGRAM_FOLDER } from '../base/program.ts';
import type { Configuration, CostsSection, RunSection } from './configuration-schema.ts';
import {
  ageLimitsOf,
  assumptionsOf,
  inFlightOf,
  messagesPerSecondOf,
  pollingOf,
  READ_SHARE_RATIO,
  watchOf,
} from './derived.ts';
import type { SecretSection } from './fields.ts';
import type { PaperSection } from './paper-section.ts';
import { type LoadedStrategy, ownCosts, parametersOf } from './parameters.ts';

/** Command-line options that override the configuration. */
export interface Overrides {
  /** Recordings that replace those of the configuration's only tape, relative to the current folder. */
  readonly tapeTrades?: readonly string[];
  readonly tapeBooks?: readonly string[];
  /** The recordings repeat when they end. */
  readonly loop?: boolean;
  /** A different state folder, relative to the current folder. */
  readonly state?: string;
}

/** The source of the API key. */
export type KeySource =
  | { readonly kind: 'environment'; readonly key: string; readonly secret: string }
  /** Absolute path. */
  | { readonly kind: 'file'; readonly path: string };

/** The source of any other secret: a variable, or a file by its absolute path. */
export type SecretSource =
  | { readonly kind: 'environment'; readonly name: string }
  | Extract<KeySource, { kind: 'file' }>;

/** Known facts besides the content of the files. */
export interface Resolving {
  readonly files: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  readonly projectRoot: string;
  /** Recordings are relative to the file that names them. */
  readonly tapeFolder: string;
  readonly overrides: Overrides;
}

type GuardsSection = NonNullable<Configuration['reference']>['symbols'][number]['guards'];

interface Written {
  readonly configuration: Configuration;
  /** In the order of the runs. */
  readonly strategies: readonly LoadedStrategy[];
}

/**
 * The folder above a folder named `config`, else the folder of the file. A file of an installed package belongs to the
 * folder in which the program is started, because the package's folder is replaced by the next installation.
 */
export function projectRootOf(file: string): string {
  const folder = path.dirname(file);
  if (IS_PACKAGE && folder === path.join(PROGRAM_FOLDER, 'config')) return process.cwd();
  return path.basename(folder) === 'config' ? path.dirname(folder) : folder;
}

export type Settings = ReturnType<typeof toSettings>;

/** The checked, complete, typed settings that the rest of the program uses. */
export function toSettings({ configuration, strategies }: Written, resolving: Resolving) {
  const { projectRoot, files, texts, overrides } = resolving;
  const { mode, timeZone, statement, web, lanes, log } = configuration;
  /** Absolute. */
  const stateFolder =
    overrides.state === undefined
      ? path.resolve(projectRoot, configuration.state ?? `state/${mode}`)
      : path.resolve(overrides.state);
  return {
    mode,
    /** The configuration files, as named. */
    files,
    /** Their texts, by those names. */
    texts,
    projectRoot,
    /** Command-line overrides, for a process that is started with the same ones. */
    overrides,
    stateFolder,
    venue: venueOf(configuration),
    /** `null` in paper mode: the program makes its own. */
    keys: keySourceOf(configuration.keys, projectRoot),
    lanes: { public: laneOf(lanes.public), private: laneOf(lanes.private) },
    trader: traderSettings(configuration, strategies),
    /** `timeZone` also defines the day of the daily summary. */
    statement: { ...statement, timeZone, taxRules: taxRulesFile(statement.taxRules, projectRoot) },
    watchdog: {
      ...watchOf(configuration),
      mode: configuration.watchdog.mode,
      /** `null`: the bot's own. */
      keys: keySourceOf(configuration.watchdog.keys, projectRoot),
    },
    /** As written, file paths relative to `projectRoot`. Null without notifications. */
    notify: configuration.notify ?? null,
    web: webOf(web, projectRoot),
    log:
      log.file === undefined ? { level: log.level } : { level: log.level, file: path.resolve(projectRoot, log.file) },
    paper: configuration.paper ? paperOf(configuration, configuration.paper, { ...resolving, stateFolder }) : null,
    /** `null`: the state folder's own, as in every other state folder (`--state`). */
    journal: overrides.state === undefined ? journalOf(configuration.journal, projectRoot) : null,
    fleet: fleetOf(configuration),
    reference: referenceOf(configuration.reference, projectRoot),
    /** The runs as written, in the order of `trader.runs`. */
    runSections: configuration.runs,
    /** The costs as written, for every run that has none of its own. */
    costs: configuration.costs,
  };
}

/** `india`: the file that comes with the program. */
function taxRulesFile(name: string | undefined, projectRoot: string): string | null {
  if (name === undefined) return null;
  return name === 'india' ? path.join(PROGRAM_FOLDER, 'config/tax-india.yaml') : path.resolve(projectRoot, name);
}

const laneOf = (lane: Configuration['lanes']['public']) => ({ ...lane, maxInFlight: inFlightOf(lane) });

function venueOf({ venue, paper, advanced: { timeoutMs } }: Configuration) {
  const local = paper ? `http://${urlHost(paper.host)}:${paper.port}` : null;
  return { ...venue, baseUrl: venue.baseUrl ?? local ?? '', timeoutMs };
}

/** How a browser reaches the page; `origin` is null if it is only reached by names of this machine. */
export function webOf({ origin, tls, ...web }: Configuration['web'], projectRoot: string) {
  const absolute = (file: string): string => path.resolve(projectRoot, file);
  const files = tls === undefined ? null : { certificate: absolute(tls.certificate), key: absolute(tls.key) };
  return { ...web, origin: origin ?? null, tls: files };
}

/** The costs of a market: its run's own, or the common ones if the run has none or no longer exists. */
export const costsIn = ({ runSections, costs }: Pick<Settings, 'runSections' | 'costs'>, symbol: string) =>
  ownCosts(runSections.find((run) => run.symbol === symbol)?.costs, costs);

/** The page's address for a browser, without a trailing slash. `bound`: the actual port. */
export const pageUrl = ({ origin, tls, host, port }: Settings['web'], bound = port): string =>
  origin ?? `${tls === null ? 'http' : 'https'}://${urlHost(host)}:${bound}`;

/** The host in a URL for a listening address: "all interfaces" becomes this machine's own. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

const journalOf = (section: Configuration['journal'], projectRoot: string) =>
  section.kind === 'sqlite' ? null : { ...section, url: secretSource(section.url, projectRoot) };

/** Limits over all accounts; null without them. */
function fleetOf({ fleet, accounts }: Configuration) {
  if (fleet === undefined) return null;
  return {
    maxBase: new Map(Object.entries(fleet.maxBase)),
    maxDayLoss: new Map(Object.entries(fleet.maxDayLoss)),
    requestsPerSecond: fleet.requestsPerSecond ?? null,
    address: fleet.address ?? hostname(),
    /** Who share them; null where the configuration does not name them. */
    accounts: accounts === undefined ? null : Object.keys(accounts),
  };
}

/** A file by its absolute path, or a variable. */
export const secretSource = (section: SecretSection, projectRoot: string): SecretSource =>
  'file' in section
    ? { kind: 'file', path: path.resolve(projectRoot, section.file) }
    : { kind: 'environment', name: section.environment };

function keySourceOf(keys: Configuration['keys'], projectRoot: string): KeySource | null {
  if (keys === undefined) return null;
  return 'file' in keys
    ? { kind: 'file', path: path.resolve(projectRoot, keys.file) }
    : { kind: 'environment', key: `${keys.environment}_KEY`, secret: `${keys.environment}_SECRET` };
}

/** Warns if tax withheld on sales would use up all cash within a week, at the last hour's turnover. */
const CASH_RUNWAY_DAYS = 7;
/** After three refusals of one kind in a row, a symbol rests for five minutes. */
const REJECTS = { maxConsecutiveRejects: 3, rejectPauseMs: 5 * MINUTE };

function traderSettings(configuration: Configuration, strategies: readonly LoadedStrategy[]): TraderSettings {
  const { account, lanes, messageRate, runs, portfolio } = configuration;
  return {
    runs: runs.map((run, index) => {
      const loaded = strategies[index];
      invariant(loaded !== undefined, `Run ${index} (${run.symbol}) has no strategy.`);
      return runSettings(run, loaded, configuration);
    }),
    foreignOrders: account.foreignOrders,
    portfolio: portfolio === undefined ? null : portfolioOf(portfolio, runs),
    cashRunwayDays: CASH_RUNWAY_DAYS,
    polling: pollingOf(configuration),
    ageLimits: ageLimitsOf({ ...configuration, symbols: runs.length }),
    assumptions: assumptionsOf(configuration),
    ...REJECTS,
    messageRate: { ...messageRate, maxPerSecond: messagesPerSecondOf(configuration) },
    requestsPerSecond: {
      public: lanes.public.requestsPerSecond,
      private: lanes.private.requestsPerSecond,
    },
    readShareRatio: READ_SHARE_RATIO,
  };
}

/** Everything is valued in an asset that quotes every coin with a share. */
export const portfolioQuotes = (shares: PortfolioSection['shares'], runs: readonly RunSection[]): readonly string[] => {
  const quotesOf = (coin: string): string[] =>
    runs.flatMap(({ symbol }) => (symbol.startsWith(`${coin}/`) ? [symbol.slice(coin.length + 1)] : []));
  const [first = [], ...others] = Object.keys(shares).map(quotesOf);
  return first.filter((quote) => others.every((quotes) => quotes.includes(quote)));
};

type PortfolioSection = NonNullable<Configuration['portfolio']>;

function portfolioOf(section: PortfolioSection, runs: readonly RunSection[]): Portfolio {
  const [quote = ''] = portfolioQuotes(section.shares, runs);
  return { ...section, quote, shares: new Map(Object.entries(section.shares)) };
}

function runSettings(
  run: RunSection,
  { strategy, params }: LoadedStrategy,
  { costs: common, timeZone }: Pick<Configuration, 'costs' | 'timeZone'>,
): RunSettings {
  const { referenceSource, refresh, limits, protections } = run;
  const written = ownCosts(run.costs, common);
  return {
    instrument: instrumentOf(run),
    strategy,
    params,
    referenceSource,
    ...(run.fixedReference && { fixedReference: run.fixedReference }),
    costs: costsOf(written),
    taxTreatment: written.taxTreatment,
    quoting: { ...run.quoting, timeZone },
    refresh,
    limits: limitsOf(limits),
    protections: protectionsOf(protections),
    parameters: parametersOf(run, params, common),
  };
}

function instrumentOf({ symbol, instrument }: RunSection): Instrument {
  const assets = parseSymbol(symbol);
  invariant(assets !== null, `${symbol} is not a symbol.`);
  return { symbol, ...assets, ...instrument };
}

function referenceOf(section: Configuration['reference'], projectRoot: string) {
  if (section === undefined) return null;
  const { pollMs } = section;
  return {
    ...section,
    timeoutMs: Math.max(SECOND, 2.5 * pollMs),
    // Twice what polling needs, leaving room for retries; per exchange.
    requestsPerSecond: (2 * SECOND) / Math.min(SECOND, pollMs),
    symbols: section.symbols.map(({ symbol, sources, guards }) => ({
      symbol,
      sources: sources.map((source) => ({ ...source, rates: source.rates.map(rateOf) })),
      guards: guardsOf(guards, pollMs),
    })),
    /** Absolute. The first one counts whose node_modules, or a parent's, contains ccxt. */
    packageFolders: [path.join(projectRoot, 'state/packages'), PROGRAM_FOLDER],
  };
}

type RateSection = NonNullable<Configuration['reference']>['symbols'][number]['sources'][number]['rates'][number];

const rateOf = (rate: RateSection): Rate => (rate.kind === 'exchange' ? { ...rate, read: 'ticker' } : rate);

/** Two late answers widen nothing. Then quotes widen by a basis point per second until the source is left out. */
function guardsOf({ minimumSources, stopBeyondBps }: GuardsSection, pollMs: DurationMs): ReferenceGuards {
  const age = { widenAfterMs: 3 * pollMs, staleMs: 10 * pollMs };
  return { minimumSources, ...age, widenBeyondBps: stopBeyondBps / 5, stopBeyondBps };
}

/** Fees including tax; of the tax on sales only the part that is a cost. */
function costsOf(costs: CostsSection): Costs {
  const { tdsRatio, taxTreatment: treatment, recoverableShareRatio: recoverableRatio } = costs;
  return { ...chargedRatios(costs), effectiveTaxRatio: effectiveTaxRatio({ tdsRatio, treatment, recoverableRatio }) };
}

/** Includes the tax on the fee. */
function chargedRatios({ feeTaxRatio, makerFeeRatio, takerFeeRatio, tdsRatio }: CostsSection) {
  const withTax = ONE.add(feeTaxRatio);
  return { makerFeeRatio: makerFeeRatio.mul(withTax), takerFeeRatio: takerFeeRatio.mul(withTax), tdsRatio };
}

function paperOf({ costs }: Configuration, paper: PaperSection, place: Resolving & { readonly stateFolder: string }) {
  const { crowd, accounts, quirks, rateLimits, ...rest } = paper;
  const { projectRoot } = place;
  return {
    ...rest,
    ...profileWith(paper.profile, { quirks, rateLimits: windowsOf(rateLimits) }),
    accounts: accounts.map((account) => ({
      ...account,
      keys: account.keys.map((key) => ({ ...key, file: path.resolve(projectRoot, key.file) })),
    })),
    crowd: crowdOf(crowd, place),
    charges: chargedRatios(costs),
    /** The exchange's state between two starts. */
    stateFile: path.join(place.stateFolder, 'paper-exchange.json'),
  };
}

/** The configured limits, each as a list of windows. */
function windowsOf(written: PaperSection['rateLimits']): Partial<RateLimits> {
  const windowOf = (perSecond: number) => {
    const requests = Math.max(1, Math.round(perSecond));
    return { requests, perMs: Math.round((requests * SECOND) / perSecond) };
  };
  return {
    ...(written.public && { public: [windowOf(written.public)] }),
    ...(written.private && { private: [windowOf(written.private)] }),
  };
}

function crowdOf(crowd: PaperSection['crowd'], { tapeFolder, overrides }: Resolving) {
  if (crowd.kind === 'synthetic') return { kind: crowd.kind, markets: crowd.markets.map(marketOf) };
  const absolute = (list: readonly string[]): string[] => list.map((file) => path.resolve(tapeFolder, file));
  const given = (list: readonly string[]): string[] => list.map((file) => path.resolve(file));
  const tapes = crowd.tapes.map((tape) => ({
    ...tape,
    trades: overrides.tapeTrades ? given(overrides.tapeTrades) : absolute(tape.trades),
    books: overrides.tapeBooks ? given(overrides.tapeBooks) : absolute(tape.books),
  }));
  return { kind: crowd.kind, tapes, cancelAheadRatio: crowd.cancelAheadRatio, loop: overrides.loop ?? false };
}

type MarketSection = Extract<PaperSection['crowd'], { kind: 'synthetic' }>['markets'][number];

/** The thin book with the configured values replaced. All traders' sizes keep their proportions. */
function marketOf({ symbol, startPrice, volatilityBpsPerSqrtSecond, flow }: MarketSection) {
  const sizeOf = (thin: number): number => (flow.meanTakerNotional * thin) / THIN_BOOK_FLOW.meanTakerNotional;
  return {
    symbol,
    latent: { ...bitcoinLikeWalk(startPrice), volatilityBpsPerSqrtSecond },
    flow: {
      ...THIN_BOOK_FLOW,
      ...flow,
      meanLimitNotional: sizeOf(THIN_BOOK_FLOW.meanLimitNotional),
      meanInformedNotional: sizeOf(THIN_BOOK_FLOW.meanInformedNotional),
      maximumOrders: Math.max(THIN_BOOK_FLOW.maximumOrders, 4 * flow.minimumLevels),
    },
  };
}
