// The secrets that this process knows: scrubbed from all text that leaves it and detected in what a person types.
import { echoesOf, maskOf, unescaped } from '../../client/wire/secret.ts';

const SECRET_MARK = '[secret]';
/** Matches a signature by its name anywhere: in an address, in JSON, in JSON inside JSON. */
const SIGNATURE = /(signature(?:%3D|[\\"'\s]*[:=][\\"'\s]*))[0-9a-f]{16,}/gi;
/** Shorter secrets would mask innocent words; no key is that short. */
const SHORTEST_SECRET = 8;
/** This many consecutive letters and digits of a random secret can't be a coincidence. */
const TELLING_PART = 16;
/** Fewest runs (words, capitals, numbers) in such a part. Random ones have 7 to 9 on average, made-up names 1 to 4. */
const FEWEST_RUNS = 5;
const RUN = /\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+/gu;

export function createSecrets() {
  const known = new Set<string>();
  let mask = maskOf([]);
  const parts = new Set<string>();
  return {
    register(text: string): void {
      if (text.length < SHORTEST_SECRET) return;
      known.add(text);
      mask = maskOf([...known]);
      // The host of an address is no secret.
      const secret = text.replace(/^https?:\/\/[^/]*/, '');
      const echoes = randomParts(secret).length === 0 ? [] : echoesOf(secret);
      for (const part of echoes.flatMap(randomParts)) parts.add(part.toLowerCase());
    },
    /** Replaces each secret by `[secret]`, in every form in which text may hold it. */
    scrub: (text: string): string => mask(text).replace(SIGNATURE, `$1${SECRET_MARK}`),
    /**
     * Returns whether text reveals a random secret or a large part of one: in any case, spaced, escaped or encoded.
     * Never true for a secret made of plain words, since folders or symbols may have the same name.
     */
    areIn(text: string): boolean {
      const read = [text, unescaped(text)].map((each) => bare(each).toLowerCase());
      return [...parts].some((part) => read.some((each) => each.includes(part)));
    },
  };
}

function randomParts(text: string): string[] {
  const letters = bare(text);
  const count = Math.max(0, letters.length - TELLING_PART + 1);
  const all = Array.from({ length: count }, (_, index) => letters.slice(index, index + TELLING_PART));
  return all.filter((part) => (part.match(RUN)?.length ?? 0) >= FEWEST_RUNS);
}

/** Only letters and digits: separators can't hide a secret. */
const bare = (text: string): string => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
