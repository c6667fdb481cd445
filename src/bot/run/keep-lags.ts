// Keeps what is measured of the lists' lags in the state folder, once a minute where there is news, and at the end.
// That an assumption is wrong is kept at once: a bot that is killed must not forget it.
import { MINUTE, SECOND } from '../../domain/time.ts';
import type { Lags } from '../../trader/state/lags.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { type LagsOf, lagsFile, writeLags } from '../state-folder/lags-file.ts';

const LOOK_EVERY_MS = SECOND;
const KEEP_EVERY_MS = MINUTE;

export interface KeepLags {
  readonly stateFolder: string;
  readonly of: LagsOf;
  readonly lags: () => Lags;
  readonly log: Log;
}

/** A disk that fails here costs what was measured and nothing else: that is said once, and it is tried again. */
export function keepLags({ stateFolder, of, lags, log }: KeepLags): { end(): void } {
  let kept = wrongOf(lags());
  let keptVersion: number | null = null;
  let looks = 0;
  let failed = false;
  const keep = (): void => {
    const { version } = lags();
    const wrong = wrongOf(lags());
    if (version === keptVersion && wrong === kept) return;
    try {
      writeLags(stateFolder, lags(), of);
      [kept, keptVersion] = [wrong, version];
      failed = false;
    } catch (error) {
      if (failed) return;
      failed = true;
      const message =
        `The file ${lagsFile(stateFolder)} cannot be written (${systemCode(error)}): what is measured of the ` +
        `lists' lags is lost at the end unless the disk takes it before.`;
      log.logEvent({ op: 'lags-not-kept', level: 'warn', message });
    }
  };
  const look = (): void => {
    looks += 1;
    if (looks % (KEEP_EVERY_MS / LOOK_EVERY_MS) === 0 || wrongOf(lags()) !== kept) keep();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    end: () => {
      clearInterval(timer);
      keep();
    },
  };
}

/** When what was assumed was last seen to be wrong. */
const wrongOf = ({ broken }: Lags): string => `${broken?.at}`;
