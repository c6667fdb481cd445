// A first configuration: a shipped example, changed where an answer was given, with its comments.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SyntheticMarket } from '../../crowd/synthetic-settings.ts';
import { type Decimal, decimal, maxOf, ONE, plain, ZERO } from '../../domain/decimal.ts';
import { invariant } from '../../domain/invariant.ts';
import { makeFolder } from '../base/durable-file.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { PROGRAM_FOLDER } from '../base/program.ts';
import { systemCode } from '../base/system-error.ts';
import { editedYaml, keysAt, writtenAt, type YamlPath } from '../settings/edit-yaml.ts';
import { knownStrategies } from '../settings/parameters.ts';
import { projectRootOf } from '../settings/resolve.ts';
import { loadSettings } from '../settings/settings.ts';
import type { Settings } from '../settings/types.ts';
import { type Mode, refused, type Wanted } from './wanted.ts';

const EXAMPLES = path.join(PROGRAM_FOLDER, 'config');
const EXAMPLE = { paper: 'paper.yaml', live: 'live.example.yaml' } as const;
const exampleOf = (mode: Mode): string => readFileSync(path.join(EXAMPLES, EXAMPLE[mode]), 'utf8');
/** The examples' own names in their comments. */
const OWN_NAME = /config\/(?:paper|live)\.yaml/g;

/** Where the text will be stored. */
interface Place {
  readonly file: string;
  /** As written in the configuration: absolute, or relative to its project folder. */
  readonly state: string;
}

/** Throws `StartError` (64) if the strategy can't start with these answers. */
async function firstConfiguration(wanted: Wanted, place: Place): Promise<string> {
  const example = exampleOf(wanted.mode);
  const runs = await runsText(example, wanted);
  const text = replaced(example, blockAt(example, ['runs']).span, runs);
  return headed(wanted.mode === 'paper' ? paperText(text, wanted, place) : liveText(text, wanted, place), place);
}

/** Inserts the file's own name and the schema's path into the head, for editors. */
const headed = (text: string, { file }: Place): string =>
  text
    .replace('$schema=schema.json', () => `$schema=${path.join(EXAMPLES, 'schema.json')}`)
    .replaceAll(OWN_NAME, () => file)
    .replaceAll('./quotekeeper ', 'quotekeeper ')
    .replace('Copy it, fill in', 'Fill in');

function paperText(text: string, { markets }: Wanted, { state }: Place): string {
  const crowd = ['paper', 'crowd', 'markets'];
  const { span, first } = blockAt(text, crowd);
  const listed = markets.map((market) =>
    withValues(first, [
      [[0, 'symbol'], market.instrument.symbol],
      [[0, 'startPrice'], plain(priceOf(market))],
    ]),
  );
  const withMarkets = replaced(text, span, listed.join(''));
  const balances = blockAt(withMarkets, ['paper', 'openingBalances']).span;
  const opening = [...openingBalances(text, markets)].map(([asset, amount]) => `    ${asset}: ${plain(amount)}\n`);
  return withValues(replaced(withMarkets, balances, opening.join('')), [[['state'], yamlText(state)]]);
}

/** For each base as much as the example has of BTC, by value; for each quote asset as much as it has of INR. */
function openingBalances(text: string, markets: readonly SyntheticMarket[]): ReadonlyMap<string, Decimal> {
  const amountAt = (asset: string): Decimal => decimal(valueText(text, ['paper', 'openingBalances', asset]));
  const opening = new Map<string, Decimal>();
  const atLeast = (asset: string, amount: Decimal): void =>
    void opening.set(asset, maxOf(amount, opening.get(asset) ?? ZERO));
  for (const market of markets) atLeast(market.instrument.quote, amountAt('INR').mul(worthOf(market)));
  for (const market of markets) atLeast(market.instrument.base, amountAt('BTC').mul(unitsFor(market, worthOf(market))));
  return new Map([...opening].map(([asset, amount]) => [asset, rounded(amount)]));
}

function liveText(text: string, { keysFile, watchdogKeysFile, baseUrl }: Wanted, { state }: Place): string {
  const log = valueText(text, ['log', 'file']).replace(/^state\/live/, () => state);
  // Without their arrows: a value that was answered is no placeholder.
  const answered = new RegExp(`((?:maxDayLoss${baseUrl === null ? '' : '|baseUrl'}): .*)← `, 'g');
  const changed = withValues(text, [
    [['state'], yamlText(state)],
    [['log', 'file'], yamlText(log)],
    ...(baseUrl === null ? [] : [[['venue', 'baseUrl'], yamlText(baseUrl)] as const]),
  ]).replace(answered, '$1');
  const ofWatchdog = / {2}# keys: .*\n/;
  const withWatchdog =
    watchdogKeysFile === null
      ? changed
      : changed.replace(ofWatchdog, () => `  keys:\n    file: ${yamlText(watchdogKeysFile)}\n`);
  if (keysFile === null) return withWatchdog;
  const { span } = blockAt(withWatchdog, ['keys']);
  return replaced(withWatchdog, span, `  file: ${yamlText(keysFile)}\n`);
}

/** The strategies of the program. `lacking`: required parameters that no answer and no example gives. */
export async function strategyChoices(mode: Mode) {
  const given = keysAt(exampleOf(mode), ['runs', 0, 'params']);
  return (await knownStrategies()).map(({ name, shape }) => {
    const lacking = (shape.required ?? []).filter((key) => !given.includes(key));
    return { name, purpose: shape.description ?? '', known: Object.keys(shape.properties ?? {}), lacking };
  });
}

export type StrategyChoices = Awaited<ReturnType<typeof strategyChoices>>;

/** Throws `StartError` (64) if there is none of this name, or a first configuration can't have it. */
export function chosenStrategy(choices: StrategyChoices, wanted: string): StrategyChoices[number] {
  const choice = choices.find(({ name }) => name === wanted);
  if (choice === undefined) {
    const names = choices.map(({ name }) => name).join(', ');
    throw refused(`--strategy: there is no ${JSON.stringify(wanted)}; there are ${names}.`);
  }
  if (choice.lacking.length === 0) return choice;
  const way = 'Begin with fixed-spread, and change the file by docs/strategies.md.';
  throw refused(`--strategy: ${wanted} wants ${choice.lacking.join(', ')}, which cannot be said here. ${way}`);
}

async function runsText(example: string, wanted: Wanted): Promise<string> {
  const { first } = blockAt(example, ['runs']);
  const { known } = chosenStrategy(await strategyChoices(wanted.mode), wanted.strategy);
  if (wanted.halfSpreadBps !== null && !known.includes('halfSpreadBps'))
    throw refused(`--half-spread-bps: ${wanted.strategy} works its distances out; leave it out.`);
  const unknown = keysAt(first, [0, 'params']).filter((name) => !known.includes(name));
  const own = unknown.reduce((text, name) => withoutLine(text, [0, 'params', name]), first);
  return wanted.markets.map((market) => commented(runText(own, market, wanted), market)).join('\n');
}

function runText(example: string, market: SyntheticMarket, wanted: Wanted): string {
  const { instrument } = market;
  const changes: Change[] = [
    [[0, 'symbol'], instrument.symbol],
    [[0, 'instrument', 'tickSize'], plain(instrument.tickSize)],
    [[0, 'instrument', 'lotSize'], plain(instrument.lotSize)],
    [[0, 'instrument', 'minNotional'], plain(instrument.minNotional)],
    [[0, 'strategy'], wanted.strategy],
    ...(wanted.halfSpreadBps ? [[[0, 'params', 'halfSpreadBps'], plain(wanted.halfSpreadBps)] as const] : []),
    ...amounts(example, market, wanted),
  ];
  const kept = changes.filter(([at]) => hasValue(example, at));
  return withValues(example, kept);
}

const ORDER_AMOUNTS: readonly YamlPath[] = [
  ['params', 'orderSizeStep'],
  ['quoting', 'budget', 'maxQuote'],
  ['limits', 'maxOrderNotional'],
  ['limits', 'maxOpenNotional'],
];
const ORDER_QUANTITIES: readonly YamlPath[] = [
  ['quoting', 'budget', 'maxBase'],
  ['limits', 'maxOrderQuantity'],
];
const LOSSES: readonly YamlPath[] = [
  ['limits', 'maxSessionLoss'],
  ['limits', 'maxDayLoss'],
  ['limits', 'maxDrawdown'],
];

/**
 * The example's amounts, converted to this market and these answers: limits scale with the order size, loss limits with
 * the day's loss.
 */
function amounts(example: string, market: SyntheticMarket, { orderSize, maxDayLoss, markets }: Wanted): Change[] {
  const of = (at: YamlPath): Decimal => decimal(valueText(example, [0, ...at]));
  const there = (paths: readonly YamlPath[]) => paths.filter((at) => hasValue(example, [0, ...at]));
  const worth = worthOf(market);
  const size = orderSize === null ? worth : orderSize.div(of(['params', 'orderSize']));
  const loss = maxDayLoss === null ? worth : maxDayLoss.div(of(['limits', 'maxDayLoss']));
  const alike = markets.filter(({ instrument }) => instrument.quote === market.instrument.quote).length;
  const change = (at: YamlPath, amount: Decimal): Change => [[0, ...at], plain(amount)];
  const scaled = (paths: readonly YamlPath[], factor: Decimal): Change[] =>
    there(paths).map((at) => change(at, rounded(of(at).mul(factor))));
  const overAll = of(['limits', 'maxOpenNotional']).mul(size).mul(alike);
  return [
    change(['params', 'orderSize'], orderSize ?? rounded(of(['params', 'orderSize']).mul(size))),
    ...scaled(ORDER_AMOUNTS, size),
    ...scaled(ORDER_QUANTITIES, unitsFor(market, size)),
    ...scaled([['limits', 'maxInventoryBase']], unitsFor(market, maxOf(size, worth))),
    ...there([['limits', 'maxOpenNotionalOverAll']]).map((at) => change(at, rounded(overAll))),
    ...there(LOSSES).map((at) => change(at, roundedDown(of(at).mul(loss)))),
    ...(maxDayLoss === null ? [] : [change(['limits', 'maxDayLoss'], maxDayLoss)]),
  ];
}

/** The example's BTC/INR price, for which its quantities were chosen, and its smallest order. */
const EXAMPLE_PRICE = decimal(5_500_000);
const EXAMPLE_MINIMUM = decimal(100);

const priceOf = ({ latent }: SyntheticMarket): Decimal => ('startPrice' in latent ? decimal(latent.startPrice) : ONE);

/** Units of the quote asset per rupee of the example, approximately. */
const worthOf = ({ instrument }: SyntheticMarket): Decimal => instrument.minNotional.div(EXAMPLE_MINIMUM);

/** Factor for quantities of the example's BTC, if amounts of quote were multiplied by `factor`. */
const unitsFor = (market: SyntheticMarket, factor: Decimal): Decimal => EXAMPLE_PRICE.div(priceOf(market)).mul(factor);

/** Two digits are enough for a limit; rounds up, so that whatever fits in the example fits here. */
const rounded = (amount: Decimal): Decimal => withoutDust(amount).toSignificantDigits(2, 0);

/** Rounds down: a loss limit never exceeds the requested one. */
const roundedDown = (amount: Decimal): Decimal => withoutDust(amount).toSignificantDigits(2, 1);

/** A quotient's error in its fortieth digit must not count as a step. */
const withoutDust = (amount: Decimal): Decimal => amount.toSignificantDigits(20);

/** Replaces the example's assets in comments by the market's. */
const commented = (text: string, { instrument }: SyntheticMarket): string =>
  text.replace(/#.*$/gm, (comment) =>
    comment.replace(/\bBTC\b/g, () => instrument.base).replace(/\bINR\b/g, () => instrument.quote),
  );

/** As a YAML scalar: JSON strings are valid YAML. */
const yamlText = (text: string): string => (/^[A-Za-z/.][\w./:-]*$/.test(text) ? text : JSON.stringify(text));

// Changes to a YAML text that keep everything else: comments, order, spelling of numbers.

type Change = readonly [path: YamlPath, text: string];

/** `text` with single existing values changed. */
const withValues = (text: string, changes: readonly Change[]): string =>
  changes.reduce((changed, [at, value]) => editedYaml(changed, at, value) ?? changed, text);

/** The text of the value at `path`. */
function valueText(text: string, at: YamlPath): string {
  const value = writtenAt(text, at);
  invariant(value !== null, `There is no ${at.join('.')} to begin from.`);
  return value.written;
}

const hasValue = (text: string, at: YamlPath): boolean => writtenAt(text, at) !== null;

/** `text` without the line of a key. */
function withoutLine(text: string, at: YamlPath): string {
  const value = writtenAt(text, at);
  return value === null ? text : replaced(text, lineOf(text, value.at), '');
}

/** All lines of the section or list at `path`, and those of a list's first entry. */
function blockAt(text: string, at: YamlPath): { readonly span: Span; readonly first: string } {
  const { at: begin, written } = writtenAt(text, at) ?? { at: 0, written: '' };
  const { start } = lineOf(text, begin);
  const { end } = lineOf(text, begin + written.trimEnd().length - 1);
  const second = writtenAt(text, [...at, 1]);
  const firstEnd = second === null ? end : lineOf(text, second.at).start;
  return { span: { start, end }, first: `${text.slice(start, firstEnd).trimEnd()}\n` };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** `text` with the lines of `span` replaced. */
const replaced = (text: string, { start, end }: Span, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

function lineOf(text: string, offset: number): Span {
  const end = text.indexOf('\n', offset);
  return { start: text.lastIndexOf('\n', offset - 1) + 1, end: end < 0 ? text.length : end + 1 };
}

// Runs the program's own checks on a first configuration, and writes it, never over an existing file.

interface Target {
  readonly folder: string;
  /** File name without its extension; the mode if left out. */
  readonly name?: string | undefined;
}

/** The path of a new file. Throws `StartError`: 64 if the name is none, 73 if the file exists already. */
export function freeFile(mode: string, { folder, name = mode }: Target): string {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw refused(`--name: ${JSON.stringify(name)} is not a name of letters, digits, dots, dashes, such as live.`);
  const file = path.join(folder, `${name}.yaml`);
  if (!existsSync(file)) return file;
  const way = 'Take another --name or folder, or move it away first';
  throw new StartError(EXIT.stateUnusable, `${file} is there already, and nothing is overwritten. ${way}.`);
}

/**
 * Throws `StartError`: 64 if the answers make no valid configuration (then nothing is written), 73 if the file exists
 * already or can't be created.
 */
export async function writeConfiguration(wanted: Wanted, target: Target): Promise<Settings> {
  const file = freeFile(wanted.mode, target);
  const root = projectRootOf(path.resolve(file));
  const state = wanted.state === null ? `state/${path.basename(file, '.yaml')}` : path.resolve(wanted.state);
  const absolute = (given: string | null): string | null => (given === null ? null : path.resolve(given));
  const paths = { keysFile: absolute(wanted.keysFile), watchdogKeysFile: absolute(wanted.watchdogKeysFile) };
  const text = await firstConfiguration({ ...wanted, ...paths }, { file, state });
  const settings = await loadSettings([file], {}, () => text).catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error;
    const lines = error.message.replaceAll(`${file}:`, 'line ');
    throw refused(`That makes no configuration, and nothing was written for ${root}:\n${lines}`);
  });
  try {
    makeFolder(path.dirname(file), 0o777);
    // Never overwrites a file, even one created a moment ago.
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw new StartError(EXIT.stateUnusable, `${file} cannot be written (${systemCode(error)}).`);
  }
  return settings;
}
