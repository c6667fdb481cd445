// A strategy that failed, as a value: its message, and the place in its own file.

/** The strategy gave no quotes: it threw, or what it returned is no list of quotes. */
export interface StrategyFailure {
  readonly kind: 'strategy-failed';
  /** The strategy's name. */
  readonly strategy: string;
  readonly message: string;
  /** `strategies/mine.ts:12`; null where nothing says where it was. */
  readonly place: string | null;
}

/** One sentence, the same for `run`, `plan`, `backtest` and the configuration's complaints. */
export function failureText({ strategy, message, place }: StrategyFailure): string {
  const at = place === null ? '' : ` (${place})`;
  return `The strategy "${strategy}" failed${at}: ${message.endsWith('.') ? message : `${message}.`}`;
}

/** Longer texts of a strategy are cut: they end up in the journal, on the page and in the log. */
const LONGEST_MESSAGE = 300;

/** What was thrown as text. Even asking for the text is user code. */
export function thrownText(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? errorText(thrown) : `${String(thrown)} was thrown`;
    return oneLine(text.replaceAll(`${ROOT}/`, ''));
  } catch {
    return 'what was thrown has no text';
  }
}

const errorText = ({ name, message }: Error): string =>
  name === 'Error' && message !== '' ? message : `${name}: ${message}`;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)} …` : line;
}

const HERE = 'src/quoting/strategy-call';
/** The project's folder: places are named from there, so that no message holds a machine's paths. */
const ROOT = import.meta.dirname.slice(0, -HERE.length - 1);
const FRAME = /(?:file:\/\/)?(\/[^():]*):(\d+):\d+\)?$/;

/**
 * The innermost frame of the strategy's own file. Frames from the call of the strategy outwards are ours; those
 * further in than its file belong to what it called.
 */
export function placeOf(thrown: unknown): string | null {
  try {
    const places = framesOf(thrown);
    const end = places.findIndex((place) => place.startsWith(`${HERE}/`));
    const within = end < 0 ? places : places.slice(0, end);
    return within.find((place) => place.startsWith('strategies/')) ?? within[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Innermost first, as `file:line` from the project's folder; of a strategy elsewhere from the folder above, of any
 * other file only its name. Node's own are left out.
 */
function framesOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  return String(thrown.stack)
    .split('\n')
    .flatMap((line) => {
      const [, file, number] = FRAME.exec(line.trim()) ?? [];
      return file === undefined ? [] : [`${fromRoot(decodeURI(file))}:${number}`];
    });
}

const OWN_STRATEGY = /\/(strategies\/[^/]+)$/;

function fromRoot(file: string): string {
  if (file.startsWith(`${ROOT}/`)) return file.slice(ROOT.length + 1);
  return OWN_STRATEGY.exec(file)?.[1] ?? file.slice(file.lastIndexOf('/') + 1);
}
