// The secrets that this process knows: taken out of every text that leaves it, and recognized in what a person types.

export interface Secrets {
  register(text: string): void;
  /** Replaces each secret by `[secret]`, in every form that a text may hold it. */
  scrub(text: string): string;
  /**
   * Whether a text gives away a random secret or a large part of one: in any case, spaced, or with escaped characters.
   * Never true for a secret of plain words, which a folder or a symbol may be named by as well.
   */
  areIn(text: string): boolean;
}

const SECRET_MARK = '[secret]';
/** A signature by its name, wherever it stands: in an address, in JSON, in JSON inside JSON. */
const SIGNATURE = /(signature(?:%3D|[\\"'\s]*[:=][\\"'\s]*))[0-9a-f]{16,}/gi;
/** Shorter texts would turn innocent words into marks; no key is that short. */
const SHORTEST_SECRET = 8;
/** So many letters and digits of a random secret, in a row, are no accident. */
const TELLING_PART = 16;
/** Words, capitals and numbers in such a part. Random ones have 7 to 9 on average, made-up names 1 to 4. */
const FEWEST_RUNS = 5;
const RUN = /\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+/gu;

export function createSecrets(): Secrets {
  const forms = new Set<string>();
  const parts = new Set<string>();
  return {
    register(text) {
      if (text.length < SHORTEST_SECRET) return;
      const once = JSON.stringify(text).slice(1, -1);
      const twice = JSON.stringify(once).slice(1, -1);
      const encoded = { uri: encodeURIComponent(text), base64: Buffer.from(text).toString('base64') };
      for (const form of [twice, once, text, encoded.uri, encoded.base64]) forms.add(form);
      // Everybody knows the host of an address.
      const random = randomParts(bare(text.replace(/^https?:\/\/[^/]*/, '')));
      for (const part of random.length === 0 ? [] : [...random, bare(encoded.base64)]) parts.add(part.toLowerCase());
    },
    scrub(text) {
      let clean = text;
      for (const form of forms) clean = clean.replaceAll(form, SECRET_MARK);
      return clean.replace(SIGNATURE, `$1${SECRET_MARK}`);
    },
    areIn(text) {
      const read = [text, unescaped(text)].map((each) => bare(each).toLowerCase());
      return [...parts].some((part) => read.some((each) => each.includes(part)));
    },
  };
}

function randomParts(text: string): string[] {
  const count = Math.max(0, text.length - TELLING_PART + 1);
  const all = Array.from({ length: count }, (_, index) => text.slice(index, index + TELLING_PART));
  return all.filter((part) => (part.match(RUN)?.length ?? 0) >= FEWEST_RUNS);
}

/** Letters and digits alone: nothing that is put between them hides a secret. */
const bare = (text: string): string => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');

/** Percent signs as in an address, and `\u` as in JSON; each may have been escaped once more. */
function unescaped(text: string): string {
  const once = text.replace(/%([0-9a-f]{2})|\\+u([0-9a-f]{4})/gi, (_all, byte: string, unit: string) =>
    String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
  );
  return once === text ? once : unescaped(once);
}
