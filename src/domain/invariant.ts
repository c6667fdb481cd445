// Bugs throw here and nowhere else: they are never handled; the process stops quoting, cancels and exits.

class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

/** Throws when the program contradicts itself. The message is a sentence with the values. */
export function invariant(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantViolation(typeof message === 'string' ? message : message());
}

/** The end of an exhaustive switch: a new case in a union becomes a compile error here. */
export function assertNever(value: never): never {
  throw new InvariantViolation(`Unexpected case ${JSON.stringify(value)}.`);
}
