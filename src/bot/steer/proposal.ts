// Works out the effect of changed parameters on the running bot without changing anything. `set` edits the text of the
// configuration, `reload` takes the files as they are; from there on both are the same.
import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { invariant } from '../../domain/invariant.ts';
import { type Slot, slotOf } from '../../domain/order.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { canonicalText } from '../../journal/canonical.ts';
import { decisionOf } from '../../trader/decision/decide.ts';
import type { Durable } from '../../trader/durable/durable.ts';
import { changeText, type ParameterChange } from '../../trader/durable/revision.ts';
import { changesTo, decisionUnder, revisionOf, whyNotRevised } from '../../trader/observe/revise-run.ts';
import type { Decision, Market } from '../../trader/state/market.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import { marketOf, symbolsOf, type TraderState, type With } from '../../trader/state/state.ts';
import { StartError } from '../base/exit-codes.ts';
import { editedYaml, runPath, type YamlPath } from '../settings/edit-yaml.ts';
import { splitName } from '../settings/located.ts';
import { loadRunsWithin, loadSettings } from '../settings/settings.ts';
import type { Settings } from '../settings/types.ts';
import { linesOfCells, type MoneyCells, moneyCells, type QuoteInMoney, quoteInMoney } from '../status/quote-money.ts';

/** Texts of the configuration's files, in their order, each under the name that the person gave it. */
export type Texts = ReadonlyMap<string, string>;

export interface Proposal {
  /** Covers both the proposal and the state it starts from: if either differs, so does the id. */
  readonly id: string;
  readonly texts: Texts;
  /** Runs with changed parameters. */
  readonly runs: readonly RunSettings[];
  /** Other differences between these files and the bot's start, by their names in the configuration. */
  readonly wantsRestart: readonly string[];
}

interface Edit {
  readonly symbol: string;
  readonly changes: readonly RunEdit[];
  /** Only in memory: then a run that several accounts share may be edited, too. */
  readonly temporary: boolean;
}

/** The texts with the edits of one symbol. */
export function editedTexts(texts: Texts, { symbol, changes, temporary }: Edit): Result<Texts> {
  for (const [named, text] of texts) {
    const { account } = splitName(named);
    const own = account === null ? [] : [['accounts', account]];
    for (const section of account === null || temporary ? [...own, []] : own) {
      const edited = editRun(text, symbol, changes, section);
      if (!edited.ok) return edited;
      if (edited.value !== null) return ok(new Map([...texts, [named, edited.value]]));
    }
  }
  const shared = [...texts.keys()].some((named) => splitName(named).account !== null);
  const remedy = shared ? ' What all accounts share is changed by hand, and by `reload`; or use --temporary.' : '';
  return fail(`${[...texts.keys()].join(', ')}: no run of ${symbol} is written there.${remedy}`);
}

/**
 * `where`: what happens to the files, which is part of the confirmation. Fails with one sentence per reason why the bot
 * could not continue with these texts.
 */
export async function proposal(
  running: Settings,
  state: () => TraderState,
  { texts, where }: { readonly texts: Texts; readonly where: string },
): Promise<Result<Proposal>> {
  const { files, overrides } = running;
  const loaded = await refusedOr(() => loadSettings(files, overrides, (file) => texts.get(file) ?? ''));
  if (!loaded.ok) return loaded;
  const { runs } = loaded.value.trader;
  const wantsRestart = otherDifferences(running, loaded.value);
  const symbols = runs.map(({ instrument }) => instrument.symbol);
  if (symbols.join() !== symbolsOf(state()).join())
    return fail(`Runs can't be added, removed or put in another order while the bot runs (${symbols.join(', ')}).`);
  const fitting = wantsRestart.length === 0 ? loaded : await runsWithin(running, { texts, wantsRestart });
  if (!fitting.ok) return fitting;
  // From here on within one turn: the compared state is the one that gets changed.
  const now = state();
  const ofRun = ({ instrument }: RunSettings): Market => marketOf(now, instrument.symbol);
  const changed = runs.filter((run) => changesTo(ofRun(run), run).length > 0);
  const whyNot = changed.map((run) => whyNotRevised(ofRun(run), run)).filter((why) => why !== null);
  if (whyNot.length > 0) return fail(whyNot.join(' '));
  const id = idOf([...texts, where], symbols, now.durable);
  return ok({ id, texts, runs: changed, wantsRestart });
}

/** A run may need a section that waits for a restart, such as the exchanges for an external price. */
async function runsWithin(
  running: Settings,
  { texts, wantsRestart }: Pick<Proposal, 'texts' | 'wantsRestart'>,
): Promise<Result<Settings>> {
  const within = await refusedOr(() => loadRunsWithin(running, texts));
  if (within.ok) return within;
  return fail(`Until a restart applies the changes in ${wantsRestart.join(', ')}: ${within.error}`);
}

async function refusedOr(load: () => Promise<Settings>): Promise<Result<Settings>> {
  try {
    return ok(await load());
  } catch (error) {
    if (error instanceof StartError) return fail(error.message);
    throw error;
  }
}

function idOf(what: readonly unknown[], symbols: readonly string[], durable: Durable): string {
  const revisions = symbols.map((symbol) => [symbol, revisionOf(durable, symbol)]);
  return createHash('sha256')
    .update(JSON.stringify([what, revisions]))
    .digest('hex')
    .slice(0, 12);
}

/** Sections of the configuration that differ, by their names in the settings. */
function otherDifferences(running: Settings, loaded: Settings): string[] {
  const { trader: ofRunning, runSections: _was, costs: _cost, texts: _before, ...rest } = running;
  const { trader: ofLoaded, runSections: _is, costs: _costs, texts: _then, ...others } = loaded;
  const differing = <T extends object>(a: T, b: T): string[] =>
    Object.keys({ ...a, ...b }).filter((key) => canonicalText(a[key as keyof T]) !== canonicalText(b[key as keyof T]));
  return [...differing({ ...ofRunning, runs: [] }, { ...ofLoaded, runs: [] }), ...differing(rest, others)];
}

/** The preview shown to a person before anything is applied. `where`: what happens to the files, one sentence. */
export function shownProposal(
  { id, runs, wantsRestart }: Proposal,
  state: TraderState,
  { now, where }: { readonly now: EpochMs; readonly where: string },
) {
  const previews = runs.map((run) => previewOf(state, run, now));
  const later =
    wantsRestart.length === 0 ? [] : [`Not applied, as they need a restart: changes in ${wantsRestart.join(', ')}.`];
  const parts = [...previews.flatMap((preview) => preview.parts), ...later, where];
  // `id` comes back with the confirmation; `lines` are the parts for a terminal.
  return { id, runs: previews, wantsRestart, parts, lines: linesOf(parts) };
}

/** Changes that are not among the edits of a `set`: of other symbols, or of other paths. */
export function unnamedChanges(
  { runs }: Proposal,
  state: With<'markets'>,
  named: { readonly symbol: string; readonly paths: readonly string[] },
): string[] {
  const isNamed = (symbol: string, { path }: ParameterChange): boolean =>
    symbol === named.symbol && named.paths.some((each) => path === each || path.startsWith(`${each}.`));
  return runs.flatMap((run) => {
    const { symbol } = run.instrument;
    const others = changesTo(marketOf(state, symbol), run).filter((change) => !isNamed(symbol, change));
    return others.map((change) => `${symbol} ${changeText(change)}`);
  });
}

// A change of one run in money: the resulting orders and quotes.

/** A sentence, or the quotes in money. */
export type PreviewPart = string | MoneyCells;

/** The same for a terminal, one line each. */
export const linesOf = (parts: readonly PreviewPart[]): string[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [part] : linesOfCells(part)));

export function previewOf(state: TraderState, run: RunSettings, now: EpochMs) {
  const { symbol, base, quote } = run.instrument;
  // Ignores the minimum age: an order too young to be replaced moves a little later.
  const decided = decisionUnder(state, { ...run, refresh: { ...run.refresh, refreshMs: 0 } }, now);
  const market = marketOf(state, symbol);
  const before = quotesOf(decisionOf(state, market, now), market.run);
  const after = quotesOf(decided, run);
  const slots = [...new Set([...before.keys(), ...after.keys()])].sort();
  /** Current and resulting quotes; null for a level without one. */
  const quotes = slots.map((slot) => ({ now: before.get(slot) ?? null, wouldBe: after.get(slot) ?? null }));
  const noQuote = [decided.reason, decided.result?.noQuote.buy ?? null, decided.result?.noQuote.sell ?? null];
  const denied = [...decided.denied.values()].map(({ message }) => message);
  const why = [...new Set([...noQuote.filter((each) => each !== null), ...denied])];
  const shown = { symbol, revision: revisionOf(state.durable, symbol), changes: changesTo(market, run) };
  const orders = ordersAfter(decided);
  const parts = [
    `${symbol}: revision ${shown.revision} becomes ${shown.revision + 1}`,
    ...shown.changes.map((change) => `  ${changeText(change)}`),
    `  orders: ${ordersText(orders)}`,
    ...(orders.kept > 0 && shown.changes.some(({ path }) => path.startsWith('limits.')) ? [LIMITS_WORDS] : []),
    ...(quotes.length === 0 ? [] : [moneyCells(quotes.map(sideBySide), { base, quote }, 'narrow')]),
    ...why.map((each) => `  no quote: ${each}`),
  ];
  return { ...shown, orders, quotes, why, parts };
}

const LIMITS_WORDS =
  '  limits: each order is held to them before it leaves; those that stay were placed by the limits of before, and ' +
  '`pause` takes them off.';

function quotesOf({ result, view }: Decision, { costs, instrument }: RunSettings): Map<Slot, QuoteInMoney> {
  const quotes = view === null ? [] : (result?.quotes ?? []);
  return new Map(
    quotes.map((quote) => {
      const reference = view?.referencePrice ?? quote.price;
      return [slotOf(quote), quoteInMoney(quote, { reference, costs, instrument })];
    }),
  );
}

/**
 * Effect on the orders of the book; `placed` are for levels that have none now. A cancel whose level is wanted
 * elsewhere makes room for the next order, so it counts as a move.
 */
function ordersAfter({ actions, cancels, result }: Decision) {
  const wanted = new Set((result?.quotes ?? []).map(slotOf));
  const count = (isMeant: (action: (typeof actions)[number]) => boolean): number => actions.filter(isMeant).length;
  const movedFirst = count(({ kind, slot }) => kind === 'cancel' && wanted.has(slot));
  return {
    kept: count(({ kind }) => kind === 'keep'),
    moved: count(({ kind }) => kind === 'replace') + movedFirst,
    // If nothing is quoted, the cancels are not among the actions.
    canceled: actions.length === 0 ? cancels.length : count(({ kind }) => kind === 'cancel') - movedFirst,
    placed: count(({ kind }) => kind === 'create'),
  };
}

const ordersText = ({ kept, moved, canceled, placed }: ReturnType<typeof ordersAfter>): string =>
  `${kept} stay, ${moved} move, ${canceled} canceled, ${placed} new`;

/** `5400000 → 5411000` in each cell that differs; a dash for a level without a quote. */
function sideBySide({ now, wouldBe }: Record<'now' | 'wouldBe', QuoteInMoney | null>): QuoteInMoney {
  const either = wouldBe ?? now;
  invariant(either !== null, 'A row of the preview has a quote on one side.');
  const entries = Object.entries(either).map(([key, value]) => {
    if (key === 'side' || key === 'level') return [key, value];
    const [was, is] = [now?.[key as keyof QuoteInMoney] ?? '–', wouldBe?.[key as keyof QuoteInMoney] ?? '–'];
    return [key, was === is ? is : `${was} → ${is}`];
  });
  return Object.fromEntries(entries) as QuoteInMoney;
}

// Changes values of one run in the text of a configuration file, and nothing else.

/** A dotted path below the run, and the value as YAML. */
export interface RunEdit {
  readonly path: string;
  readonly value: string;
}

const PATH = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)*$/;

/** The text with the edits; null if the file has no run of the symbol. Fails with a sentence. */
export function editRun(
  text: string,
  symbol: string,
  edits: readonly RunEdit[],
  section: YamlPath = [],
): Result<string | null> {
  let edited = text;
  for (const { path, value } of edits) {
    if (!PATH.test(path)) return fail(`${path}: a path such as params.halfSpreadBps was expected.`);
    if (!isInlineValue(value))
      return fail(`${path}: ${JSON.stringify(value)} is not a value that fits one line of the file.`);
    const run = runPath(edited, symbol, section);
    if (run === null) return ok(null);
    const next = editedYaml(edited, [...run, ...path.split('.')], value);
    if (next === null) return fail(`${path} has parts of its own: name one of them, as in ${path}.NAME=VALUE.`);
    edited = next;
  }
  return ok(edited);
}

/** One scalar, or a list or section on one line. */
function isInlineValue(value: string): boolean {
  if (value.trim() === '' || /[\r\n\t]/.test(value) || /(?:^|\s)#/.test(value)) return false;
  try {
    const parsed: unknown = parse(`{ key: ${value} }`);
    return typeof parsed === 'object' && parsed !== null && Object.keys(parsed).join() === 'key';
  } catch {
    return false;
  }
}
