// What the rest of the program gets from a configuration: checked, complete, typed.

import type { LaneSettings } from '../../client/pace/lane.ts';
import type { SyntheticMarket } from '../../crowd/synthetic-settings.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { Profile } from '../../paper/state/settings.ts';
import type { ReferencePlan } from '../../reference/ccxt/watch.ts';
import type { TraderSettings } from '../../trader/state/settings.ts';
import type { WatchConfiguration } from '../../watchdog/watch-settings.ts';
import type { LogSettings } from '../base/log.ts';
import type { Configuration, CostsSection, RunSection } from './configuration-schema.ts';
import type { NotifySection } from './notify/notify-section.ts';
import type { PaperSection } from './paper-section.ts';

export type Mode = 'paper' | 'live';

/** What the command line may say about a configuration. */
export interface Overrides {
  /** Recordings instead of those of the configuration's only tape, relative to the current folder. */
  readonly tapeTrades?: readonly string[];
  readonly tapeBooks?: readonly string[];
  /** The recordings begin again when they end. */
  readonly loop?: boolean;
  /** Another state folder than the configuration's, relative to the current folder. */
  readonly state?: string;
}

/** Where the API key comes from. */
export type KeySource =
  | { readonly kind: 'environment'; readonly key: string; readonly secret: string }
  /** Absolute path. */
  | { readonly kind: 'file'; readonly path: string };

/** Where any other secret comes from. */
export type SecretSource =
  | { readonly kind: 'environment'; readonly name: string }
  /** Absolute path. */
  | { readonly kind: 'file'; readonly path: string };

export interface VenueSettings extends Omit<Configuration['venue'], 'baseUrl' | 'legacyBaseUrl'> {
  /** Without a slash at the end. In paper mode the address of the paper exchange as configured. */
  readonly baseUrl: string;
  readonly legacyBaseUrl: string | null;
  /** Longest wait for a whole answer. */
  readonly timeoutMs: DurationMs;
}

/** Ratios with the tax on the fee included. */
export interface ChargedRatios {
  readonly makerFeeRatio: Decimal;
  readonly takerFeeRatio: Decimal;
  readonly tdsRatio: Decimal;
}

export interface TapeFilesSettings extends Omit<TapeSection, 'trades' | 'books'> {
  /** Absolute paths. */
  readonly trades: readonly string[];
  readonly books: readonly string[];
}
type TapeSection = Extract<PaperSection['crowd'], { kind: 'tape' }>['tapes'][number];

export interface SyntheticMarketSettings extends Omit<SyntheticMarket, 'instrument'> {
  readonly symbol: InstrumentSymbol;
}

export type CrowdSettings =
  | { readonly kind: 'synthetic'; readonly markets: readonly SyntheticMarketSettings[] }
  | {
      readonly kind: 'tape';
      readonly tapes: readonly TapeFilesSettings[];
      readonly cancelAheadRatio: number;
      readonly loop: boolean;
    };

/** A key of an account that is not the bot's. */
export interface PaperKeyFile extends Omit<PaperSection['accounts'][number]['keys'][number], 'file'> {
  /** Absolute. */
  readonly file: string;
}

export interface PaperAccountSettings extends Omit<PaperSection['accounts'][number], 'keys'> {
  readonly keys: readonly PaperKeyFile[];
}

export interface PaperExchangeSettings
  extends Omit<PaperSection, 'fees' | 'crowd' | 'accounts' | keyof Profile>,
    Profile {
  readonly crowd: CrowdSettings;
  /** Beside the bot's own. */
  readonly accounts: readonly PaperAccountSettings[];
  readonly charges: ChargedRatios;
  /** Absolute path of the file that keeps the exchange between two starts. */
  readonly stateFile: string;
}

export interface WatchdogSettings extends Omit<WatchConfiguration['watchdog'], 'keys'> {
  readonly mode: Configuration['watchdog']['mode'];
  /** `null`: those of the bot. */
  readonly keys: KeySource | null;
}

export interface ReferenceSettings extends ReferencePlan {
  /** Absolute. The first whose node_modules, or one above it, holds ccxt counts. */
  readonly packageFolders: readonly string[];
}

/** Absolute paths. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Where the page is, and how a browser reaches it. */
export interface WebSettings {
  readonly host: string;
  readonly port: number;
  /** What a browser calls it; null where it is reached by the names of this machine alone. */
  readonly origin: string | null;
  readonly tls: TlsFiles | null;
  /** Whether a proxy stands before it that browsers reach by HTTPS. */
  readonly behindProxy: boolean;
}

export interface Settings {
  readonly mode: Mode;
  /** The configuration files, as they were named. */
  readonly files: readonly string[];
  /** Their texts, by those names. */
  readonly texts: ReadonlyMap<string, string>;
  readonly projectRoot: string;
  /** What the command line said instead of the files, for a process that is started with the same. */
  readonly overrides: Overrides;
  /** Absolute. */
  readonly stateFolder: string;
  readonly venue: VenueSettings;
  /** `null` in paper mode: the program makes its own. */
  readonly keys: KeySource | null;
  readonly lanes: { readonly public: LaneSettings; readonly private: LaneSettings };
  readonly trader: TraderSettings;
  /** `timeZone` is also that of the day whose summary is written. */
  readonly statement: Configuration['statement'] & { readonly timeZone: string };
  readonly watchdog: WatchdogSettings;
  /** As it is written, paths of files relative to `projectRoot`. Null where nobody is told. */
  readonly notify: NotifySection | null;
  readonly web: WebSettings;
  readonly log: LogSettings;
  /** Null where no other exchange is asked. */
  readonly reference: ReferenceSettings | null;
  /** Only in paper mode. */
  readonly paper: PaperExchangeSettings | null;
  /** The runs as they were written, in the order of `trader.runs`. */
  readonly runSections: readonly RunSection[];
  /** The costs as they were written, of every run that has none of its own. */
  readonly costs: CostsSection;
}
