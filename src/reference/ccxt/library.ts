// The package ccxt, which speaks the public interfaces of many exchanges. It is no dependency of this program: who
// configures a reference installs it.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** How a person installs it: the version that the tests run against. */
export const INSTALL_CCXT = 'npm install --no-save ccxt@4.5.84';

/** What of an exchange object of ccxt is used. Answers are judged where they are read. */
export interface CcxtExchange {
  timeout: number;
  readonly urls: { api?: unknown };
  readonly has: Record<string, unknown>;
  readonly options: Record<string, unknown>;
  /** By symbol; absent until its list has come. */
  readonly markets?: Readonly<Record<string, unknown>>;
  fetchTicker(symbol: string): Promise<unknown>;
  fetchOrderBook(symbol: string, limit: number): Promise<unknown>;
}

export interface Ccxt {
  readonly version: string;
  /** Ids of the exchanges that it knows. */
  readonly exchanges: readonly string[];
  /** `id` must be one of them. */
  create(id: string, settings: Readonly<Record<string, unknown>>): CcxtExchange;
}

/** What a person does about a package that is not there. */
export const missingCcxt = (folder: string): string =>
  `The package ccxt is missing in ${folder}, and \`reference\` needs it: ${INSTALL_CCXT}`;

/** The file of the package as a module in `folder` would find it; null where it is not installed. */
export function findCcxt(folder: string): string | null {
  try {
    return createRequire(path.join(folder, 'package.json')).resolve('ccxt');
  } catch {
    return null;
  }
}

/** Takes a third of a second and 100 MB. Null where the file is not ccxt as it is known here. */
export async function loadCcxt(file: string): Promise<Ccxt | null> {
  // The name is not known before: neither compiler nor linter look for a package that is not installed.
  const loaded: unknown = await import(pathToFileURL(file).href);
  const library = isRecord(loaded) && isRecord(loaded.default) ? loaded.default : loaded;
  if (!isRecord(library) || !Array.isArray(library.exchanges)) return null;
  const exchanges = library.exchanges.filter((id): id is string => typeof id === 'string');
  return {
    version: String(library.version),
    exchanges,
    create: (id, settings) => construct(library[id], settings),
  };
}

/** The type is what ccxt documents; its answers are not trusted. */
function construct(exchange: unknown, settings: Readonly<Record<string, unknown>>): CcxtExchange {
  const Exchange = exchange as new (settings: Readonly<Record<string, unknown>>) => CcxtExchange;
  return new Exchange(settings);
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  (typeof value === 'object' || typeof value === 'function') && value !== null;
