// Named types of the settings for the rest of the program.
import type { KeySource, Settings } from './resolve.ts';

export type { KeySource, Settings } from './resolve.ts';

/** The source of any other secret: a variable, or a file by its absolute path. */
export type SecretSource =
  | { readonly kind: 'environment'; readonly name: string }
  | Extract<KeySource, { kind: 'file' }>;

export type PaperExchangeSettings = NonNullable<Settings['paper']>;
export type CrowdSettings = PaperExchangeSettings['crowd'];
export type TapeFilesSettings = Extract<CrowdSettings, { kind: 'tape' }>['tapes'][number];
export type ReferenceSettings = NonNullable<Settings['reference']>;
export type WebSettings = Settings['web'];
export type TlsFiles = NonNullable<WebSettings['tls']>;
