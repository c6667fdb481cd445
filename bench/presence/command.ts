// The command line of `npm run bench:presence`.
import { readArguments } from '../../simulation/plan/arguments.ts';
import { MINUTE } from '../../src/domain/time.ts';
import { CONDITIONS } from './conditions.ts';
import { type RunOrder, WARM_UP_MS } from './play-condition.ts';

export const USAGE =
  'npm run bench:presence -- [--seeds FROM..TO] [--only NAME]… [--minutes N] [--workers 1|2] ' +
  '[--json FILE] [--keep] [--reasons]';

export interface Command {
  readonly orders: readonly RunOrder[];
  readonly workers: number;
  readonly minutes: number;
  /** Where all results are written; null writes none. */
  readonly json: string | null;
  /** What it comes to is kept as what later runs are compared with. */
  readonly keep: boolean;
  /** Also says what the bot itself counts as lost, by reason. */
  readonly reasons: boolean;
}

const MOST_WORKERS = 2;

/** The command, or one sentence about what can't be read. */
export function readCommand(args: readonly string[]): Command | string {
  const read = readArguments({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '0..19' },
      only: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string', default: '60' },
      workers: { type: 'string', default: String(MOST_WORKERS) },
      json: { type: 'string' },
      keep: { type: 'boolean', default: false },
      reasons: { type: 'boolean', default: false },
    },
  });
  if (!read.ok) return read.error;
  const { seeds, only, minutes: text, workers: count, json, keep, reasons } = read.value.values;
  const range = /^(\d+)\.\.(\d+)$/.exec(seeds);
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  if (range === null || from > to)
    return `--seeds ${seeds}: two whole numbers with two points between, the lower first.`;
  const names = CONDITIONS.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) return `--only ${unknown}: one of ${names.join(', ')}.`;
  const [minutes, workers] = [Number(text), Number(count)];
  const least = WARM_UP_MS / MINUTE;
  if (!(minutes > least && minutes <= 1_440)) return `--minutes ${text}: a number above ${least}, at most 1440.`;
  if (!(Number.isInteger(workers) && workers >= 1 && workers <= MOST_WORKERS))
    return `--workers ${count}: 1 or ${MOST_WORKERS}.`;
  const chosen = names.filter((name) => only.length === 0 || only.includes(name));
  const orders = chosen.flatMap((condition) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      condition,
      seed: from + index,
      durationMs: minutes * MINUTE,
    })),
  );
  return { orders, workers, minutes, json: json ?? null, keep, reasons };
}
