// The query of a request, decoded, every name with all its values.

export type Query = ReadonlyMap<string, readonly string[]>;

/** Decodes `a=1&b=2`; `null` when a percent sign is not followed by what it promises. `+` is a space, as in forms. */
export function parseQuery(raw: string): Query | null {
  const query = new Map<string, string[]>();
  for (const pair of raw === '' ? [] : raw.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decode(cut < 0 ? pair : pair.slice(0, cut));
    const value = decode(cut < 0 ? '' : pair.slice(cut + 1));
    if (name === null || value === null) return null;
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

function decode(text: string): string | null {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** A parameter's value; several values are joined by a comma, which no parameter's format allows. */
export function parameter(query: Query, name: string): string | undefined {
  const values = query.get(name);
  return values?.length === 1 ? values[0] : values?.join(',');
}

/** The signature, whose name is compared without regard to case (specification 5.4). */
export function signatureOf(query: Query): string | undefined {
  const exact = parameter(query, 'signature');
  if (exact !== undefined) return exact;
  for (const name of query.keys()) if (isSignatureName(name)) return parameter(query, name);
  return undefined;
}

export function isSignatureName(name: string): boolean {
  return name.length === 9 && name.toLowerCase() === 'signature';
}
