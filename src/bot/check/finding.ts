// What `check` looked at and what it thinks of it.

/** One thing that was looked at. `wrong` keeps the bot from quoting as configured. */
export interface Finding {
  readonly what: string;
  readonly verdict: 'good' | 'note' | 'wrong';
  /** A sentence. */
  readonly detail: string;
}

export const good = (what: string, detail: string): Finding => ({ what, verdict: 'good', detail });
export const note = (what: string, detail: string): Finding => ({ what, verdict: 'note', detail });
export const wrong = (what: string, detail: string): Finding => ({ what, verdict: 'wrong', detail });
