// Converts a state to text and back, exactly: used for snapshots and state hashes.
import { Decimal } from '../domain/decimal.ts';
import { invariant } from '../domain/invariant.ts';

// JSON with an extension: an object with one key that begins with `$` is a value that JSON lacks. In an ordinary
// object, such a key gets one more `$`. Maps and sets keep their order, because their owners rely on it; objects have
// no order, so their keys are sorted. Every value has one spelling: equal states have equal texts.
const UNDEFINED = '{"$undefined":0}';
const MAP = '$map';
const SET = '$set';
const DECIMAL = '$decimal';
const BIGINT = '$bigint';
const NUMBER = '$number';

/** Deeper than any state; a cyclic structure would never end. */
const DEEPEST = 64;

/**
 * Serializes any structure of plain objects, arrays, maps, sets, decimals, bigints, text, numbers, booleans, `null` and
 * `undefined`. Anything else (a date, a function, an instance of a class, a hole in an array) is a bug and throws with
 * its place.
 */
export function canonicalText(value: unknown): string {
  return textOf(value, []);
}

function textOf(value: unknown, place: string[]): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? String(value) : `{"${NUMBER}":"${numberName(value)}"}`;
    case 'undefined':
      return UNDEFINED;
    case 'bigint':
      return `{"${BIGINT}":"${value}"}`;
    case 'object':
      return value === null ? 'null' : structureText(value, place);
    default:
      return refuse(`a ${typeof value}`, place);
  }
}

const numberName = (value: number): string => (value === 0 ? '-0' : String(value));

function structureText(value: object, place: string[]): string {
  if (Decimal.isDecimal(value)) return `{"${DECIMAL}":"${value.valueOf()}"}`;
  if (place.length > DEEPEST) return refuse('a structure that is too deep, or holds itself,', place.slice(0, 8));
  if (Array.isArray(value)) return listText(value, place);
  if (value instanceof Map) return `{"${MAP}":${listText([...value], place)}}`;
  if (value instanceof Set) return `{"${SET}":${listText([...value], place)}}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return refuse('an instance of a class', place);
  return objectText(value as Readonly<Record<string, unknown>>, place);
}

function listText(values: readonly unknown[], place: string[]): string {
  const parts: string[] = [];
  for (let index = 0; index < values.length; index += 1) {
    place.push(String(index));
    parts.push(index in values ? textOf(values[index], place) : refuse('a hole', place));
    place.pop();
  }
  return `[${parts.join(',')}]`;
}

function objectText(value: Readonly<Record<string, unknown>>, place: string[]): string {
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    place.push(key);
    parts.push(`${JSON.stringify(key.startsWith('$') ? `$${key}` : key)}:${textOf(value[key], place)}`);
    place.pop();
  }
  return `{${parts.join(',')}}`;
}

function refuse(what: string, place: readonly string[]): never {
  invariant(false, `The state holds ${what} at '${place.join('.')}', which a snapshot does not keep.`);
}

/** The structure of a text written by `canonicalText`; its hash must have proved that. */
export function fromCanonicalText(text: string): unknown {
  return revived(JSON.parse(text));
}

function revived(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(revived);
  const keys = Object.keys(json);
  const [first] = keys;
  const fields = json as Readonly<Record<string, unknown>>;
  if (keys.length === 1 && first?.startsWith('$') && !first.startsWith('$$')) return special(first, fields[first]);
  const value: Record<string, unknown> = {};
  for (const key of keys) {
    const name = key.startsWith('$') ? key.slice(1) : key;
    // Assigning this one name would change the object's prototype and store nothing.
    if (name === '__proto__')
      Object.defineProperty(value, name, { value: revived(fields[key]), enumerable: true, writable: true });
    else value[name] = revived(fields[key]);
  }
  return value;
}

function special(kind: string, json: unknown): unknown {
  switch (kind) {
    case MAP:
      return new Map((revived(json) as [unknown, unknown][]).map(([key, value]) => [key, value]));
    case SET:
      return new Set(revived(json) as unknown[]);
    case DECIMAL:
      return new Decimal(json as string);
    case BIGINT:
      return BigInt(json as string);
    case NUMBER:
      return Number(json);
    case '$undefined':
      return undefined;
    default:
      invariant(false, `'${kind}' is no word of the snapshot's language.`);
  }
}
