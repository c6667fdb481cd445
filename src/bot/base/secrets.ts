// The secrets that this process knows: taken out of every text that leaves it, and recognized in what a person types.

export interface Secrets {
  register(text: string): void;
  /** Replaces each secret by `[secret]`, in every form that a text may hold it. */
  scrub(text: string): string;
  /** Whether a text gives away a secret or a large part of one: in any case, spaced, or with escaped characters. */
  areIn(text: string): boolean;
}

const SECRET_MARK = '[secret]';
/** A signature by its name, wherever it stands: in an address, in JSON, in JSON inside JSON. */
const SIGNATURE = /(signature(?:%3D|[\\"'\s]*[:=][\\"'\s]*))[0-9a-f]{16,}/gi;
/** Shorter texts would turn innocent words into marks; no key is that short. */
const SHORTEST_SECRET = 8;
/** So many letters and digits in a row, of a longer secret, are no accident. */
const TELLING_PART = 16;

export function createSecrets(): Secrets {
  const forms = new Set<string>();
  const parts = new Set<string>();
  return {
    register(text) {
      if (text.length < SHORTEST_SECRET) return;
      const once = JSON.stringify(text).slice(1, -1);
      const twice = JSON.stringify(once).slice(1, -1);
      const encoded = [encodeURIComponent(text), Buffer.from(text).toString('base64')];
      for (const form of [twice, once, text, ...encoded]) forms.add(form);
      // Everybody knows the host of an address.
      for (const part of tellingParts(bare(text.replace(/^https?:\/\/[^/]*/, '')))) parts.add(part);
    },
    scrub(text) {
      let clean = text;
      for (const form of forms) clean = clean.replaceAll(form, SECRET_MARK);
      return clean.replace(SIGNATURE, `$1${SECRET_MARK}`);
    },
    areIn(text) {
      const [plain, decoded] = [bare(text), bare(unescaped(text))];
      const hasForm = [...forms].some((form) => text.includes(form));
      return hasForm || [...parts].some((part) => plain.includes(part) || decoded.includes(part));
    },
  };
}

/** The whole of a short secret, every stretch of a longer one. Nothing where too little is left to tell it by. */
function tellingParts(text: string): string[] {
  if (text.length < SHORTEST_SECRET) return [];
  const count = Math.max(1, text.length - TELLING_PART + 1);
  return Array.from({ length: count }, (_, index) => text.slice(index, index + TELLING_PART));
}

/** Letters and digits alone: neither case nor anything that is put between them hides a secret. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Percent signs as in an address, and `\u` as in JSON; each may have been escaped once more. */
function unescaped(text: string): string {
  const once = text.replace(/%([0-9a-f]{2})|\\+u([0-9a-f]{4})/gi, (_all, byte: string, unit: string) =>
    String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
  );
  return once === text ? once : unescaped(once);
}
