// What was measured of the lists' lags, kept over a restart, and for `check` and `plan`. Without it they are measured
// anew.
import path from 'node:path';
import { z } from 'zod';
import { LAG_KINDS, type MeasuredLags, SAMPLES_KEPT } from '../../trader/state/lags.ts';
import { writeDurably } from '../base/durable-file.ts';
import { readStateJson } from '../base/private-file.ts';

/** Whose lists they are: another exchange's, or another paper exchange's, say nothing of ours. */
export interface LagsOf {
  readonly baseUrl: string;
  readonly paperInstance: string | null;
}

const ms = z.number().min(0);
const moment = z.number();
const sampleSchema = z.tuple([moment, ms, ms]).transform(([at, atLeastMs, atMostMs]) => ({ at, atLeastMs, atMostMs }));
const samplesSchema = z.array(sampleSchema).max(SAMPLES_KEPT);
const lagsSchema = z.object({
  baseUrl: z.string(),
  paperInstance: z.string().nullable(),
  /** Each `[at, at least, at most]` in milliseconds, oldest first. */
  samples: z.object({
    listed: samplesSchema,
    gone: samplesSchema,
    trades: samplesSchema,
    wallet: samplesSchema,
  }),
  broken: z.object({ kind: z.enum(LAG_KINDS), at: moment, atLeastMs: ms }).nullable(),
});

export const lagsFile = (stateFolder: string): string => path.join(stateFolder, 'lags.json');

/** On the disk when it returns. Throws what the system throws. */
export function writeLags(stateFolder: string, { samples, broken }: MeasuredLags, of: LagsOf): void {
  const rows = LAG_KINDS.map((kind) => [
    kind,
    samples[kind].map(({ at, atLeastMs, atMostMs }) => [at, atLeastMs, atMostMs]),
  ]);
  const { baseUrl, paperInstance } = of;
  const text = JSON.stringify({ baseUrl, paperInstance, broken, samples: Object.fromEntries(rows) });
  writeDurably(lagsFile(stateFolder), `${text}\n`);
}

/**
 * Null where there is none, none that can be read, or one of another exchange. `paperInstance` is not compared where it
 * is not given.
 */
export function readLags(stateFolder: string, of: Pick<LagsOf, 'baseUrl'> & Partial<LagsOf>): MeasuredLags | null {
  const read = readStateJson('file of lags', lagsFile(stateFolder), lagsSchema);
  if (read === null || read.baseUrl !== of.baseUrl) return null;
  if (of.paperInstance !== undefined && read.paperInstance !== of.paperInstance) return null;
  return { samples: read.samples, broken: read.broken };
}
