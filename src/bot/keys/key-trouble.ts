// Explains a refusal of the key, with advice for its owner.
import type { Permission } from '../../venue/endpoints.ts';
import type { RefusalKind } from '../../venue/refusals.ts';

export interface KeyTrouble {
  /** `whole`: no private request will work. `permission`: only requests of this permission fail. */
  readonly reach: 'whole' | 'permission';
  /** Meaning and remedy, in sentences. */
  readonly advice: string;
}

/** `null` for a refusal that is not about the key. The advice names the header that carries the key. */
export function keyTrouble(
  refusal: RefusalKind | undefined,
  permission: Permission,
  apiKeyHeader: string,
): KeyTrouble | null {
  const advice = refusal && ADVICE[refusal]?.(permission, apiKeyHeader);
  return advice === undefined ? null : { reach: refusal === 'permission' ? 'permission' : 'whole', advice };
}

const ADVICE: Readonly<Partial<Record<RefusalKind, (permission: Permission, apiKeyHeader: string) => string>>> = {
  'no-key': (_, header) =>
    `The exchange sees no key in the request: is ${header} (venue.apiKeyHeader) the header's real name?`,
  address: () =>
    'The key is bound to other IP addresses than the one this machine is seen with: add that one to the ' +
    'whitelist of the key, or run from a listed address.',
  signature: () =>
    'The signature is refused: the secret does not belong to this key, or the exchange signs otherwise than ' +
    'venue.signature says; `quotekeeper probe` tries the other form.',
  permission: (permission) =>
    `The key lacks the permission for ${permission}: ` +
    'grant it where the key was made, or make a new key that has it.',
  account: () =>
    'The exchange knows no account for the key: it was deleted, or its account was closed; make a new key.',
  key: () =>
    'The exchange does not know the key, or not from this address, or not for anything: look whether it is ' +
    'copied whole, still exists, and lists this address.',
};
