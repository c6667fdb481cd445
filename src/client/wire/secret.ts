// Key material that can't be printed: only the signer and the header writer read it.
import { createHash, timingSafeEqual } from 'node:crypto';
import { invariant } from '../../domain/invariant.ts';

const MASK = '[secret]';
/**
 * The name under which Node looks for an object's own way to be inspected; written out, so that node:util is not
 * needed.
 */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Holds one key or secret. Every way of turning it into text gives `[secret]`; copies and spreads of it are empty. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    invariant(text.length > 0, 'A secret is empty.');
    this.#text = text;
  }

  /** The material itself. Only for signing a request and for the header that carries the key. */
  reveal(): string {
    return this.#text;
  }

  /** Compares in constant time. */
  equals(other: Secret): boolean {
    return timingSafeEqual(digest(this.#text), digest(other.#text));
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  [INSPECT](): string {
    return MASK;
  }
}
