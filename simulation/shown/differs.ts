// Says that the bot shows something else than what is so.

/** `shown` and `so` are compared as they are. */
export type Differs = (what: string, shown: unknown, so: unknown) => void;
