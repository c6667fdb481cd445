// The client's settings out of the configuration.
import type { ClientSettings } from '../client/exchange-client.ts';
import type { ApiKeys } from './keys.ts';

import { PROGRAM, VERSION } from './program.ts';
import type { Settings } from './settings/types.ts';

export function clientSettings({ venue }: Settings, keys: ApiKeys): ClientSettings {
  const { baseUrl, legacyBaseUrl, apiKeyHeader, deadlines, signature } = venue;
  return {
    baseUrl,
    ...(legacyBaseUrl === null ? {} : { legacyBaseUrl }),
    apiKeyHeader,
    ...keys,
    signatureIn: signature.header === undefined ? 'query' : { header: signature.header },
    emptyValues: signature.emptyValues,
    percentEncoding: signature.percentEncoding,
    userAgent: `${PROGRAM}/${VERSION}`,
    // A page of exactly 20 or 50 rows may be cut (Q4); nothing shows that this venue's never is.
    openOrdersUncapped: false,
    deadlineMs: { read: deadlines.readMs, create: deadlines.createMs, cancel: deadlines.cancelMs },
  };
}

export function baseUrlsOf({ venue }: Settings): string[] {
  return venue.legacyBaseUrl === null ? [venue.baseUrl] : [venue.baseUrl, venue.legacyBaseUrl];
}
