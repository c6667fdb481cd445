// The client's settings out of the configuration.
import type { ClientSettings } from '../../client/exchange-client.ts';
import { MINUTE } from '../../domain/time.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import type { Settings } from '../settings/types.ts';
import type { ApiKeys } from './keys.ts';

export function clientSettings({ venue }: Settings, keys: ApiKeys): ClientSettings {
  const {
    baseUrl,
    legacyBaseUrl,
    legacyPaths,
    openOrdersUncapped,
    timeOffsetMinutes,
    apiKeyHeader,
    timeoutMs,
    signature,
  } = venue;
  return {
    baseUrl,
    ...(legacyBaseUrl === null ? {} : { legacyBaseUrl }),
    legacyPaths,
    apiKeyHeader,
    ...keys,
    signatureIn: signature.header === undefined ? 'query' : { header: signature.header },
    emptyValues: signature.emptyValues,
    percentEncoding: signature.percentEncoding,
    userAgent: `${PROGRAM}/${VERSION}`,
    openOrdersUncapped,
    timeOffsetsMs: Object.fromEntries(
      Object.entries(timeOffsetMinutes).map(([kind, minutes]) => [kind, minutes * MINUTE]),
    ),
    deadlineMs: { read: timeoutMs, create: timeoutMs, cancel: timeoutMs },
  };
}

export function baseUrlsOf({ venue }: Settings): string[] {
  return venue.legacyBaseUrl === null ? [venue.baseUrl] : [venue.baseUrl, venue.legacyBaseUrl];
}
