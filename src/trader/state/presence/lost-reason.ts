// Why a side of a symbol was not quoted: one word for each second of it. Page, `status`, log, metrics and reports take
// these words.

/** The gravest first: where several hold at once, the first one is it. */
export const LOST_REASONS = [
  'latched',
  'stopping',
  'halted',
  'paused',
  'outside',
  'exchange-silent',
  'refused',
  'starting',
  'account',
  'clock',
  'book-age',
  'orders-age',
  'unlisted',
  'no-price',
  'resting',
  'unknown',
  'counting',
  'locked',
  'limits',
  'inventory',
  'message-rate',
  'funds',
  'not-wanted',
  'leaving',
  'off-price',
  'placing',
  'lane',
] as const;
export type LostReason = (typeof LOST_REASONS)[number];

/** For people, to stand behind a number of seconds. */
export const LOST_WORDS: Readonly<Record<LostReason, string>> = {
  latched: 'kill latch set',
  stopping: 'stopping',
  halted: 'halted',
  paused: 'paused',
  outside: 'held back from outside (watchdog, disk)',
  'exchange-silent': 'exchange not answering, or refusing',
  refused: 'exchange refusing requests (keys, maintenance)',
  starting: 'starting',
  account: 'wallet and orders being checked',
  clock: 'clock of the exchange in doubt',
  'book-age': 'book too old',
  'orders-age': 'list of own orders too old',
  unlisted: 'market not listed',
  'no-price': 'no price that is trusted',
  resting: 'resting after creates that came to nothing',
  unknown: 'outcome of a create not known',
  counting: 'filled, as it seems, and not counted yet',
  locked: 'locked by a protection or a person',
  limits: 'refused by limits',
  inventory: 'inventory at its bound',
  'message-rate': 'own limit of messages reached',
  funds: 'funds too small',
  'not-wanted': 'no quote wanted',
  leaving: 'waiting for room behind leaving orders',
  'off-price': 'orders too far from the price',
  placing: 'order on its way',
  lane: 'waiting for a turn on the lane',
};

const RANK: ReadonlyMap<LostReason, number> = new Map(LOST_REASONS.map((reason, index) => [reason, index]));

export const gravest = (reasons: readonly LostReason[]): LostReason | null =>
  reasons.reduce<LostReason | null>(
    (worst, each) => (worst === null || rankOf(each) < rankOf(worst) ? each : worst),
    null,
  );

const rankOf = (reason: LostReason): number => RANK.get(reason) ?? LOST_REASONS.length;
