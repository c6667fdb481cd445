// Reads the configured recordings from disk, with warnings about them.
import { spanOf } from '../../crowd/tape-crowd.ts';
import type { Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import { type LoadedTape, loadTape, recordingWarnings } from '../../tape/load-tape.ts';
import { TapeError } from '../../tape/table-file.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { paperInstruments } from '../settings/derived.ts';
import type { CrowdSettings, Settings, TapeFilesSettings } from '../settings/types.ts';

export interface Recording extends LoadedTape {
  /** The symbol under which it is played. */
  readonly symbol: InstrumentSymbol;
  readonly warnings: readonly string[];
}

/** Throws `StartError` (65) for an unreadable recording: file, line, value and what was expected. */
export async function readRecordings(
  crowd: CrowdSettings,
  instruments: readonly Instrument[],
): Promise<readonly Recording[]> {
  if (crowd.kind !== 'tape') return [];
  try {
    const loaded = await Promise.all(crowd.tapes.map((files) => load(files, instruments)));
    const played = spanOf(loaded.map(({ tape }) => tape));
    return loaded.map(({ recordedSymbol, ...recording }) => ({
      ...recording,
      warnings: recordingWarnings(recording, recordedSymbol, played),
    }));
  } catch (error) {
    throw error instanceof TapeError ? new StartError(EXIT.unreadableData, error.message) : error;
  }
}

/** The recordings of a configuration; none without a paper exchange. */
export async function recordingsOf(settings: Settings): Promise<readonly Recording[]> {
  const { paper } = settings;
  return paper === null ? [] : readRecordings(paper.crowd, paperInstruments({ ...settings, paper }));
}

/** A longer silence is reported as a gap; a row may be up to a second older than the one before it. */
const NO_GAP = { maxBookSilenceMs: 10 * SECOND, maxTradeSilenceMs: MINUTE, maxBackwardMs: SECOND } as const;

async function load(
  { symbol, recordedSymbol: written, ...files }: TapeFilesSettings,
  instruments: readonly Instrument[],
): Promise<Omit<Recording, 'warnings'> & { readonly recordedSymbol: string | null }> {
  const instrument = instrumentOf(symbol, instruments);
  const recordedSymbol = written ?? null;
  return { ...(await loadTape({ ...files, ...NO_GAP, instrument, recordedSymbol })), symbol, recordedSymbol };
}

/** The rules of a symbol that the simulated traders trade. */
export function instrumentOf(symbol: InstrumentSymbol, instruments: readonly Instrument[]): Instrument {
  const instrument = instruments.find((each) => each.symbol === symbol);
  invariant(instrument !== undefined, `The crowd trades ${symbol}, whose rules nobody gives.`);
  return instrument;
}

export const warningsOf = (recordings: readonly Recording[]): readonly string[] =>
  recordings.flatMap(({ warnings }) => warnings);

/** The time of their first row; `null` if there is none. */
export const beginningOf = (recordings: readonly Recording[]): EpochMs | null =>
  spanOf(recordings.map(({ tape }) => tape))?.firstAt ?? null;
