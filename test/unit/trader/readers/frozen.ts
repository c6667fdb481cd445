// A copy of plain state that throws at each attempt to change it.

const CHANGING = ['set', 'add', 'delete', 'clear'] as const;

function locked<T extends Map<unknown, unknown> | Set<unknown>>(held: T): T {
  for (const name of CHANGING)
    if (name in held)
      Object.defineProperty(held, name, {
        value: () => {
          throw new Error(`Somebody called ${name} of what must only be read.`);
        },
      });
  return Object.freeze(held);
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Objects of classes (decimals) and functions are taken over as they are: they can't be changed. */
export function frozenCopy<T>(value: T, copies = new Map<object, unknown>()): T {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known as T;
  const keep = <C>(copy: C): C => {
    copies.set(value, copy);
    return copy;
  };
  const of = <V>(each: V): V => frozenCopy(each, copies);
  if (Array.isArray(value)) {
    const copy = keep<unknown[]>([]);
    copy.push(...value.map(of));
    return Object.freeze(copy) as T;
  }
  if (value instanceof Map) {
    const copy = keep(new Map());
    for (const [key, held] of value) copy.set(of(key), of(held));
    return locked(copy) as T;
  }
  if (value instanceof Set) {
    const copy = keep(new Set());
    for (const held of value) copy.add(of(held));
    return locked(copy) as T;
  }
  if (!isPlain(value)) return value;
  const copy = keep<Record<string, unknown>>({});
  for (const [name, held] of Object.entries(value)) copy[name] = of(held);
  return Object.freeze(copy) as T;
}
