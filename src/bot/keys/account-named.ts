// Whose account a command speaks about: mode, exchange, configuration and where the key is, for its text and its JSON.
// Never the key.

import type { KeySource, Mode, Settings } from '../settings/types.ts';
import { paperKeysFile } from './keys.ts';

export interface AccountNamed {
  readonly mode: Mode;
  /** The address of its interface. */
  readonly exchange: string;
  readonly files: readonly string[];
  readonly stateFolder: string;
  /** By the place of its key. */
  readonly account: string;
}

type Named = Pick<Settings, 'mode' | 'venue' | 'files' | 'stateFolder' | 'keys'>;

/** `keys`: where another key than the bot's is used, as the watchdog may. */
export function accountNamed(settings: Named, keys: KeySource | null = settings.keys): AccountNamed {
  const { mode, venue, files, stateFolder } = settings;
  return { mode, exchange: venue.baseUrl, files, stateFolder, account: accountWords(stateFolder, keys) };
}

function accountWords(stateFolder: string, keys: KeySource | null): string {
  if (keys === null) return `key in ${paperKeysFile(stateFolder)}`;
  return keys.kind === 'file'
    ? `key in ${keys.path}`
    : `key in the environment variables ${keys.key} and ${keys.secret}`;
}

/** The first line of what a command says. */
export function accountLine({ mode, exchange, files, account }: AccountNamed): string {
  const money = mode === 'live' ? 'LIVE, real money' : 'PAPER, no real money';
  return `${money}: exchange ${exchange}, configuration ${files.join(' ')}, account of the ${account}.`;
}
