// Time in the market in words. Page, `status`, log and reports take them from here.
import { type DurationMs, HOUR, MINUTE, SECOND } from '../../domain/time.ts';
import { countedMs, type TimeShare, type TimeShares } from '../../trader/presence/presence-view.ts';
import { LOST_WORDS } from '../../trader/state/time-account.ts';
import type { StatusSnapshot, SymbolView } from '../../trader/status/snapshot.ts';
import { duration } from './status-words.ts';

/** What the page and `status` say of a symbol. */
export interface PresenceSentence {
  readonly symbol: string;
  readonly sentence: string;
}

/** Of the last hour, of each symbol of which anything was counted. */
export function presenceSentences({ symbols }: Pick<StatusSnapshot, 'symbols'>): readonly PresenceSentence[] {
  return symbols.flatMap(({ symbol, presence: { lastHour } }) => {
    const ms = countedMs(lastHour.both);
    const span = ms >= HOUR - MINUTE ? 'the last hour' : `the last ${duration(ms)}`;
    return ms < SECOND ? [] : [{ symbol, sentence: presenceSentence(lastHour, span) }];
  });
}

/** `span`: what all that was counted is called. */
export function presenceSentence({ buy, sell, both }: TimeShares, span: string): string {
  const sides = `bid ${percentOf(buy)}, ask ${percentOf(sell)}`;
  const lost = lostWords(both);
  return `Two-sided and fresh ${percentOf(both)} of ${span} (${sides})${lost === '' ? '' : `; lost: ${lost}`}.`;
}

/** So many reasons are named. */
const REASONS_SHOWN = 3;
/** Less is not worth a word. */
const LEAST_MS: DurationMs = SECOND / 2;

/** `32 s book too old, 2 s order on its way`; empty where next to nothing was lost. */
export function lostWords({ lost }: TimeShare): string {
  const named = lost.filter(({ ms }) => ms >= LEAST_MS).slice(0, REASONS_SHOWN);
  const words = named.map(({ reason, ms }) => `${duration(ms)} ${LOST_WORDS[reason]}`);
  const others = lost.slice(named.length).reduce((sum, { ms }) => sum + ms, 0);
  return [...words, ...(others >= LEAST_MS ? [`${duration(others)} for other reasons`] : [])].join(', ');
}

/** Rounded down: what lost a moment is not 100 %. */
export function percentOf(share: TimeShare): string {
  const all = countedMs(share);
  return all === 0 ? '–' : `${(Math.floor((1_000 * share.freshMs) / all) / 10).toFixed(1)} %`;
}

/** A heading and a line per symbol, for a report. */
export function presenceTable(symbols: readonly Pick<SymbolView, 'symbol' | 'presence'>[]): string[] {
  const rows = symbols.map(({ symbol, presence: { sinceStart } }) => {
    const { buy, sell, both } = sinceStart;
    return [symbol, percentOf(both), percentOf(buy), percentOf(sell), lostWords(both)];
  });
  const all = [['fresh quotes', 'two-sided', 'bid', 'ask', 'two-sided lost to'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map(([name = '', ...cells]) => {
    const numbers = cells.slice(0, 3).map((cell, index) => cell.padStart(widths[index + 1] ?? 0));
    return [name.padEnd(widths[0] ?? 0), ...numbers, cells[3] ?? ''].join('  ').trimEnd();
  });
}
