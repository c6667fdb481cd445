// The two ways the paper exchange behaves before a configuration says otherwise: as specified, or as a live service was
// seen.
import { FIELD_QUIRKS, type Quirks, SPEC_QUIRKS } from '../wire/quirks.ts';
import type { RateLimits } from '../wire/rate-limit.ts';

export type ProfileName = 'spec' | 'field';

/** Quirks and rate limits together. */
export interface Profile {
  readonly quirks: Quirks;
  readonly rateLimits: RateLimits;
}

/** The specification gives no numbers: ten requests per second for each scope. */
const SPEC_RATE_LIMITS: RateLimits = {
  public: [{ requests: 10, perMs: 1_000 }],
  private: [{ requests: 10, perMs: 1_000 }],
  legacy: [{ requests: 10, perMs: 1_000 }],
};

/** `field` is N1–N7 of the field notes; N6 and N7 are how the exchange is built. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  spec: { quirks: SPEC_QUIRKS, rateLimits: SPEC_RATE_LIMITS },
  field: { quirks: FIELD_QUIRKS, rateLimits: { ...SPEC_RATE_LIMITS, public: [{ requests: 1, perMs: 2_500 }] } },
};

/** A profile with single quirks and single scopes' limits replaced. */
export function profileWith(
  name: ProfileName,
  changes: { readonly quirks?: Partial<Quirks>; readonly rateLimits?: Partial<RateLimits> },
): Profile {
  const { quirks, rateLimits } = PROFILES[name];
  return { quirks: { ...quirks, ...changes.quirks }, rateLimits: { ...rateLimits, ...changes.rateLimits } };
}
