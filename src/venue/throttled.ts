// Which answers say that the exchange wants fewer requests, or none for a while.

const THROTTLED: ReadonlySet<number> = new Set([429, 503, 504]);

/** By the status of an answer; false where none came (specification §7.4). */
export const isThrottled = (status: number | null | undefined): boolean =>
  status !== null && status !== undefined && THROTTLED.has(status);
