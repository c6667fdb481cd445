// The account that a command is about: mode, exchange, configuration and the place of the key, for its text and its
// JSON. Never the key.
import type { KeySource, Settings } from '../settings/types.ts';
import { paperKeysFile } from './keys.ts';

export type AccountNamed = ReturnType<typeof accountNamed>;

type Named = Pick<Settings, 'mode' | 'venue' | 'files' | 'stateFolder' | 'keys'>;

/**
 * `exchange`: the base address of its API; `account`: by the place of its key. `keys`: if it is not the bot's key, as
 * the watchdog may have its own.
 */
export function accountNamed(settings: Named, keys: KeySource | null = settings.keys) {
  const { mode, venue, files, stateFolder } = settings;
  return { mode, exchange: venue.baseUrl, files, stateFolder, account: accountWords(stateFolder, keys) };
}

function accountWords(stateFolder: string, keys: KeySource | null): string {
  if (keys === null) return `key in ${paperKeysFile(stateFolder)}`;
  return keys.kind === 'file'
    ? `key in ${keys.path}`
    : `key in the environment variables ${keys.key} and ${keys.secret}`;
}

/** The first line of a command's output. */
export function accountLine(named: AccountNamed): string {
  return `${accountTitle(named)}, configuration ${named.files.join(' ')}, account of the ${named.account}.`;
}

/** Without a path of this machine, for documents that are handed on. */
export const accountTitle = ({ mode, exchange }: Pick<AccountNamed, 'mode' | 'exchange'>): string =>
  `${mode === 'live' ? 'LIVE, real money' : 'PAPER, no real money'}: exchange ${exchange}`;
