// Keeps what is measured of the lists' lags in the state folder, once a minute where there is news, and at the end.
import { MINUTE } from '../../domain/time.ts';
import type { Lags } from '../../trader/state/lags/lags.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { type LagsOf, lagsFile, writeLags } from '../state-folder/lags-file.ts';

const KEEP_EVERY_MS = MINUTE;

export interface KeepLags {
  readonly stateFolder: string;
  readonly of: LagsOf;
  readonly lags: () => Lags;
  readonly log: Log;
}

/** A disk that fails here costs what was measured and nothing else: that is said once. */
export function keepLags({ stateFolder, of, lags, log }: KeepLags): { end(): void } {
  let kept: string | null = null;
  let failed = false;
  const keep = (): void => {
    const { version, broken } = lags();
    const news = `${version} ${broken?.at}`;
    if (news === kept || failed) return;
    try {
      writeLags(stateFolder, lags(), of);
      kept = news;
    } catch (error) {
      failed = true;
      const message =
        `The file ${lagsFile(stateFolder)} cannot be written (${systemCode(error)}): what is measured of the ` +
        `lists' lags is lost at the end.`;
      log.logEvent({ op: 'lags-not-kept', level: 'warn', message });
    }
  };
  const timer = setInterval(keep, KEEP_EVERY_MS);
  timer.unref();
  return {
    end: () => {
      clearInterval(timer);
      keep();
    },
  };
}
