// Whether two values hold the same data.

type Fields = Readonly<Record<string, unknown>>;

/**
 * Of primitives, lists, maps, sets of primitives, and objects of any class by their own fields. `isDeepStrictEqual`
 * also asks of each instance whether it is a key of `node:crypto`, and states are full of decimals: a desk's checks
 * cost more by that than all that is checked.
 */
export function sameData(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Map && other instanceof Map) return sameEntries(one, other);
  if (one instanceof Set && other instanceof Set) return sameMembers(one, other);
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && sameData((one as Fields)[name], (other as Fields)[name]));
}

function sameEntries(one: ReadonlyMap<unknown, unknown>, other: ReadonlyMap<unknown, unknown>): boolean {
  if (one.size !== other.size) return false;
  for (const [key, value] of one) if (!other.has(key) || !sameData(value, other.get(key))) return false;
  return true;
}

function sameMembers(one: ReadonlySet<unknown>, other: ReadonlySet<unknown>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}
