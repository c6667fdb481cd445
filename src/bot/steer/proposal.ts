// What a change of parameters would make of the running bot: found out without changing anything. `set` edits the text
// of the configuration, `reload` takes the files as they are; from there on both are the same.
import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { canonicalText } from '../../journal/canonical.ts';
import { changeText, type ParameterChange } from '../../trader/durable/revision.ts';
import { changesTo, revisionOf, whyNotRevised } from '../../trader/observe/revise-run.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import { symbolsOf, type TraderState } from '../../trader/state/state.ts';
import { StartError } from '../base/exit-codes.ts';
import { loadRunsWithin, loadSettings } from '../settings/settings.ts';
import type { Settings } from '../settings/types.ts';
import { editRun, type RunEdit } from './edit-run.ts';
import { linesOf, type PreviewPart, previewOf, type RunPreview } from './preview.ts';

/** Texts of the configuration's files, in their order, each under the name that the person gave it. */
export type Texts = ReadonlyMap<string, string>;

export interface Proposal {
  /** Of what is proposed and of what it starts from: another one is another proposal. */
  readonly id: string;
  readonly texts: Texts;
  /** Those of which any parameter changes. */
  readonly runs: readonly RunSettings[];
  /** What else differs between these files and what the bot was started with, as it is named there. */
  readonly wantsRestart: readonly string[];
}

/** The texts with the edits of one symbol. */
export function editedTexts(texts: Texts, symbol: string, edits: readonly RunEdit[]): Result<Texts> {
  for (const [file, text] of texts) {
    const edited = editRun(text, symbol, edits);
    if (!edited.ok) return edited;
    if (edited.value !== null) return ok(new Map([...texts, [file, edited.value]]));
  }
  return fail(`${[...texts.keys()].join(', ')}: no run of ${symbol} is written there.`);
}

/**
 * `where`: what happens to the files, which is part of what is confirmed. Fails with one sentence for each reason why
 * the texts are no configuration that the bot could go on with.
 */
export async function proposal(
  running: Settings,
  state: () => TraderState,
  { texts, where }: { readonly texts: Texts; readonly where: string },
): Promise<Result<Proposal>> {
  const loaded = await settingsOf(running, texts);
  if (!loaded.ok) return loaded;
  const { runs } = loaded.value.trader;
  const wantsRestart = otherDifferences(running, loaded.value);
  const symbols = runs.map(({ instrument }) => instrument.symbol);
  if (symbols.join() !== symbolsOf(state()).join())
    return fail(`Runs can't be added, removed or put in another order while the bot runs (${symbols.join(', ')}).`);
  const fitting = wantsRestart.length === 0 ? loaded : await runsWithin(running, { texts, wantsRestart });
  if (!fitting.ok) return fitting;
  // From here on within one turn: the state that is compared is the one that is changed.
  const now = state();
  const changed = runs.filter((run) => changesTo(now, run).length > 0);
  const whyNot = changed.map((run) => whyNotRevised(now, run)).filter((why) => why !== null);
  if (whyNot.length > 0) return fail(whyNot.join(' '));
  const id = idOf([...texts, where], symbols, now);
  return ok({ id, texts, runs: changed, wantsRestart });
}

const settingsOf = ({ files, overrides }: Settings, texts: Texts): Promise<Result<Settings>> =>
  refusedOr(() => loadSettings(files, overrides, (file) => texts.get(file) ?? ''));

/** A run may want a section that waits for a restart, as an external price the exchanges that are asked for it. */
async function runsWithin(
  running: Settings,
  { texts, wantsRestart }: Pick<Proposal, 'texts' | 'wantsRestart'>,
): Promise<Result<Settings>> {
  const within = await refusedOr(() => loadRunsWithin(running, texts));
  if (within.ok) return within;
  return fail(`Before what differs in ${wantsRestart.join(', ')} is there, which wants a restart: ${within.error}`);
}

async function refusedOr(load: () => Promise<Settings>): Promise<Result<Settings>> {
  try {
    return ok(await load());
  } catch (error) {
    if (error instanceof StartError) return fail(error.message);
    throw error;
  }
}

function idOf(what: readonly unknown[], symbols: readonly string[], state: TraderState): string {
  const revisions = symbols.map((symbol) => [symbol, revisionOf(state, symbol)]);
  return createHash('sha256')
    .update(JSON.stringify([what, revisions]))
    .digest('hex')
    .slice(0, 12);
}

/** Sections of the configuration that are not the same, by the names that settings have for them. */
function otherDifferences(running: Settings, loaded: Settings): string[] {
  const { trader: ofRunning, runSections: _was, costs: _cost, texts: _before, ...rest } = running;
  const { trader: ofLoaded, runSections: _is, costs: _costs, texts: _then, ...others } = loaded;
  const differing = <T extends object>(a: T, b: T): string[] =>
    Object.keys({ ...a, ...b }).filter((key) => canonicalText(a[key as keyof T]) !== canonicalText(b[key as keyof T]));
  return [...differing({ ...ofRunning, runs: [] }, { ...ofLoaded, runs: [] }), ...differing(rest, others)];
}

/** What a person is shown before anything is applied. */
export interface Preview {
  /** To be given back with what confirms it. */
  readonly id: string;
  readonly runs: readonly RunPreview[];
  readonly wantsRestart: readonly string[];
  /** All of it for people, in the order in which it is read. */
  readonly parts: readonly PreviewPart[];
  /** The same for a terminal, a line each. */
  readonly lines: readonly string[];
}

/** `where`: what happens to the files, one sentence. */
export function shownProposal(
  { id, runs, wantsRestart }: Proposal,
  state: TraderState,
  { now, where }: { readonly now: EpochMs; readonly where: string },
): Preview {
  const previews = runs.map((run) => previewOf(state, run, now));
  const later =
    wantsRestart.length === 0
      ? []
      : [`Not applied, as it wants a restart: what differs in ${wantsRestart.join(', ')}.`];
  const parts = [...previews.flatMap((preview) => preview.parts), ...later, where];
  return { id, runs: previews, wantsRestart, parts, lines: linesOf(parts) };
}

/** Changes that the edits of a `set` do not name: of other symbols, or of other paths. */
export function unnamedChanges(
  { runs }: Proposal,
  state: TraderState,
  named: { readonly symbol: string; readonly paths: readonly string[] },
): string[] {
  const isNamed = (symbol: string, { path }: ParameterChange): boolean =>
    symbol === named.symbol && named.paths.some((each) => path === each || path.startsWith(`${each}.`));
  return runs.flatMap((run) =>
    changesTo(state, run)
      .filter((change) => !isNamed(run.instrument.symbol, change))
      .map((change) => `${run.instrument.symbol} ${changeText(change)}`),
  );
}
