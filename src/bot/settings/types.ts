// Named types of the settings for the rest of the program.
import type { Settings } from './resolve.ts';

export type { KeySource, SecretSource, Settings } from './resolve.ts';

export type PaperExchangeSettings = NonNullable<Settings['paper']>;
export type CrowdSettings = PaperExchangeSettings['crowd'];
export type TapeFilesSettings = Extract<CrowdSettings, { kind: 'tape' }>['tapes'][number];
export type ReferenceSettings = NonNullable<Settings['reference']>;
export type WebSettings = Settings['web'];
export type TlsFiles = NonNullable<WebSettings['tls']>;
