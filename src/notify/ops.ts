// The names of what is told, for `only` and `except` of a channel: a name that is mistyped there would keep a person
// from being called. A test holds the list to the sources.

/** Of the bot, in the order of the alphabet. */
const OF_THE_BOT = `
  acceptance-named accepted adopted attributed book-frozen book-incomplete cancel cancel-ineffective cash-runway
  clock-confirmed clock-disproved clock-moved clock-set closed closing contract-broken control-closed creates-throttled
  date-outvoted day-ended difference difference-accepted difference-unjudged duplicate-order emergency-cancel
  exchange-answers exchange-awaited exchange-found external-fill external-flow fatal fee-elsewhere fence fill
  fill-dearer flows-unread foreign-order journal-moved journal-put-aside key-refused lag-bound-broken
  lags-not-kept lane-restored lane-slowed last-status latched late-fill lease-failed lease-withheld left-resting locked
  log-not-reopened log-reopened maintenance maintenance-over market-added market-listed market-opened market-unlisted
  mass-close memory-failed memory-put-aside memory-written not-placed not-responding not-sent not-taken-over
  nothing-asked notify-failed opened order-differs order-questioned orders-incomplete orders-questioned overfill
  page-certificate page-sign-in-refused page-signed-in page-token paused read-failed read-lags ready reconciled
  recording recording-ended
  recovered reference reference-answers reference-fails reference-jumped refused rejected reopened responding resting
  run-revised self-trade signal-refused soft-rejected started steered steering-failed stopping strategy-quote
  stray-order summary suspense suspense-settled symbol-halted symbol-resumed taken-over times-off told-to-stop
  trade-corrected
  trade-missing trade-reversed trades-backfill trades-backfill-ended trades-backfill-failed trades-gap trades-incomplete
  trades-look-back trades-look-refused unknown unlocked wallet-incomplete wallet-inexact watchdog-awaited watchdog-lives
  watchdog-missing web-failed web-open web-refused
`;

/** Of the watchdog, beside those that are called the same. */
const OF_THE_WATCHDOG = `
  bot-ended bot-gone bot-is-gone bot-lives bot-stays clearing ended flat forget-failed gave-up key-replaced killing
  latch-failed latch-set latch-taken-off lease-expired not-rearmed nothing-open rearmed watchdog-stalled
`;

export const KNOWN_OPS: ReadonlySet<string> = new Set(`${OF_THE_BOT} ${OF_THE_WATCHDOG}`.trim().split(/\s+/));
