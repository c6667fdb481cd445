// The command lines of the simulator: an invalid one gives a sentence, not a stack trace.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { fail, ok, type Result } from '../../src/domain/result.ts';
import { faultOf } from '../faults/catalogue.ts';
import type { FaultId } from '../faults/fault-kinds.ts';
import { PROFILE_NAMES, type ProfileName } from '../profile/profile.ts';

/** Like `parseArgs`; the error names the unknown option, or the missing value. */
export function readArguments<T extends ParseArgsConfig>(config: T): Result<ReturnType<typeof parseArgs<T>>, string> {
  try {
    return ok(parseArgs(config));
  } catch (error) {
    if (error instanceof TypeError) return fail(error.message);
    throw error;
  }
}

export function readProfile(name: string): Result<ProfileName, string> {
  const known = PROFILE_NAMES.find((each) => each === name);
  return known === undefined ? fail(`--profile ${name}: known are ${PROFILE_NAMES.join(', ')}.`) : ok(known);
}

/** In the form of a usage line. */
export const PROFILE_USAGE = `[--profile ${PROFILE_NAMES.join(' | ')}]`;

/** Comma-separated ids, or `none`; undefined to let the seeds draw. */
export function readFaults(list: string | undefined): Result<{ readonly faults?: readonly FaultId[] }, string> {
  if (list === undefined) return ok({});
  const ids = list === 'none' ? [] : list.split(',');
  const odd = ids.find((id) => faultOf(id)?.injection == null);
  return odd === undefined
    ? ok({ faults: ids as FaultId[] })
    : fail(`--faults ${odd}: no fault of the catalogue that the simulator injects.`);
}

/** `2/3`: every third seed from the second on; all if absent. */
export function readPart(part: string | undefined): Result<<T>(all: readonly T[]) => readonly T[], string> {
  if (part === undefined) return ok((all) => all);
  const [, which = 0, of = 0] = /^(\d+)\/(\d+)$/.exec(part)?.map(Number) ?? [];
  if (which < 1 || which > of) return fail(`--part ${part}: 1/3, 2/3 and 3/3 are three parts of it.`);
  return ok((all) => all.filter((_, index) => index % of === which - 1));
}

/** `0..19`: from the first to the last, inclusive. */
export function readSeeds(range: string): Result<{ readonly from: number; readonly to: number }, string> {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(range)?.map(Number) ?? [];
  if (from === undefined || to === undefined)
    return fail(`--seeds ${range}: two whole numbers with two points between.`);
  return from <= to ? ok({ from, to }) : fail(`--seeds ${range}: no seed lies between; the lower one comes first.`);
}
