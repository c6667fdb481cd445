// Reads a list row by row: what can't be understood is said, never left out in silence.
import { fail, ok, type Result } from '../../domain/result.ts';
import { isObject, type Parsed, type RawObject, shown } from './fields.ts';

type RowParser<T> = (row: RawObject) => Result<T>;

/** Every row that `parse` understands. The reason names the first row that it does not, and how many more there are. */
export function parseRows<T>(body: unknown, parse: RowParser<T>): Result<Parsed<readonly T[]>> {
  return parseList(body, (value) => (isObject(value) ? parse(value) : fail(`it is ${shown(value)}, not an object`)));
}

/** The same for a list of any values. */
export function parseList<T>(body: unknown, parse: (value: unknown) => Result<T>): Result<Parsed<readonly T[]>> {
  if (!Array.isArray(body)) return fail(`The answer is ${shown(body)}, not a list.`);
  const rows: T[] = [];
  const problems = new Problems();
  for (const [index, value] of body.entries()) {
    const row = parse(value);
    if (row.ok) rows.push(row.value);
    else problems.add(`Row ${index + 1} of ${body.length}: ${row.error}`);
  }
  return ok(problems.of(rows));
}

/** What is wrong with the rows of an answer: the first is named, the others are counted. */
export class Problems {
  #first: string | null = null;
  #more = 0;

  add(problem: string): void {
    if (this.#first === null) this.#first = problem;
    else this.#more += 1;
  }

  /** The rows with what is wrong with them as one sentence. */
  of<T>(rows: T): Parsed<T> {
    if (this.#first === null) return { rows };
    return { rows, incompleteBecause: `${this.#first}${this.#more === 0 ? '' : `; and ${this.#more} more`}.` };
  }
}

/** Adds one more reason to a page. */
export function alsoIncomplete<T>(page: Parsed<T>, reason: string): Parsed<T> {
  const before = page.incompleteBecause;
  return { rows: page.rows, incompleteBecause: before === undefined ? reason : `${before} ${reason}` };
}

/** What was asked for, and what a row says that it is about. */
export interface Question<T> {
  /** Nothing is checked where nothing was asked for. */
  readonly asked: string | undefined;
  readonly about: (row: T) => string;
  /** `order `: what stands before the name in the sentence. */
  readonly what?: string;
  /** `trades of`: what the answer holds instead. */
  readonly holds: string;
}

/** The page, which is not complete where a row is about something else: it answers another question. */
export function answering<T>(page: Parsed<readonly T[]>, question: Question<T>): Parsed<readonly T[]> {
  const { asked, about, what = '', holds } = question;
  const other = asked === undefined ? undefined : page.rows.find((row) => about(row) !== asked);
  if (other === undefined) return page;
  return alsoIncomplete(page, `Asked for ${what}${asked}, the answer holds ${holds} ${about(other)}.`);
}

/**
 * The entries of a map, one by one; `what` names a key in a sentence. A map of which nothing is understood is no such
 * map.
 */
export function parseEntries<T>(
  body: unknown,
  what: string,
  parse: (key: string, row: RawObject) => Result<T>,
): Result<Parsed<readonly T[]>> {
  if (!isObject(body)) return fail(`The answer is ${shown(body)}, not a map.`);
  const rows: T[] = [];
  const problems = new Problems();
  for (const [key, value] of Object.entries(body)) {
    const row = isObject(value) ? parse(key, value) : fail(`it is ${shown(value)}, not an object`);
    if (row.ok) rows.push(row.value);
    else problems.add(`${what} ${shown(key)}: ${row.error}`);
  }
  const parsed = problems.of<readonly T[]>(rows);
  return rows.length === 0 && parsed.incompleteBecause !== undefined ? fail(parsed.incompleteBecause) : ok(parsed);
}
