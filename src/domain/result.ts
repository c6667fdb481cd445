// A value, or the reason why there is none.

export type Result<T, E = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const fail = <E>(error: E): Result<never, E> => ({ ok: false, error });

type ValueOf<R> = R extends { readonly ok: true; readonly value: infer T } ? T : never;
type ErrorOf<R> = R extends { readonly ok: false; readonly error: infer E } ? E : never;

/** All values by the same names; or the first reason why one is missing. */
export function allOf<R extends Readonly<Record<string, Result<unknown, unknown>>>>(
  results: R,
): Result<{ readonly [K in keyof R]: ValueOf<R[K]> }, ErrorOf<R[keyof R]>>;
export function allOf(results: Readonly<Record<string, Result<unknown, unknown>>>): Result<unknown, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, result] of Object.entries(results)) {
    if (!result.ok) return result;
    values[name] = result.value;
  }
  return ok(values);
}

/** Maps the value. */
export const mapped = <T, U, E>(result: Result<T, E>, change: (value: T) => U): Result<U, E> =>
  result.ok ? ok(change(result.value)) : result;
