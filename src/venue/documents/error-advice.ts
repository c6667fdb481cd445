// What a person should look at after an error code, for docs/errors.md: the part that no program can do.

const THEIRS =
  "Their failure. If it lasts: the exchange's status page. Quotes that need the answer are pulled meanwhile.";
const OUR_BUG = 'The bot builds no such request: report it with the log.';
const KEY_PAGE = "The key on the exchange's page";

/** One sentence or two for each documented code. */
export const ADVICE: Readonly<Record<number, string>> = {
  [-1125]: "The exchange's announcements. Orders rest meanwhile at old prices, and cancels are answered the same.",
  [-1404]: "`venue.baseUrl`, then the exchange's announcements: the route may be switched off or have moved.",
  [-1000]: THEIRS,
  [-1001]: '`venue.apiKeyHeader` and `venue.signature`: the exchange did not find key or signature where it looks.',
  [-1003]: '`lanes`: lower `requestsPerSecond`. Does another program use the same key or the same address?',
  [-1009]: '`venue.baseUrl`, a proxy in between that changes requests, a change of the interface.',
  [-1015]: `${KEY_PAGE}: its IP whitelist, and the address this machine now goes out from.`,
  [-1021]: 'The clock of this machine (`timedatectl`), and how long requests take; last `assumptions.recvWindowMs`.',
  [-1022]: 'The secret first; then `venue.signature`: empty values, percent-encoding.',
  [-1023]: '`assumptions.recvWindowMs`: the exchange takes 1 to 60,000.',
  [-1102]: OUR_BUG,
  [-1103]: OUR_BUG,
  [-1104]: OUR_BUG,
  [-1105]: OUR_BUG,
  [-1106]: 'The clock of this machine: it may stand far from the present.',
  [-1107]: 'The clock of this machine, then the log: a window that ends before it begins, or is too long.',
  [-1108]: OUR_BUG,
  [-1109]: OUR_BUG,
  [-1111]: 'How the asset is written in the configuration.',
  [-1112]: OUR_BUG,
  [-1113]: 'Whether the exchange still takes LIMIT orders in this symbol.',
  [-1114]: "`tickSize` of the run, and the exchange's price limits: `./quotekeeper check` compares with the book.",
  [-1115]: '`lotSize` and `minNotional` of the run, and whether the wallet holds enough.',
  [-1121]: 'Whether the symbol is still traded: the list of symbols, the status of its assets.',
  [-1122]: 'Whether the asset is still listed, and how the configuration writes it.',
  [-1123]: 'How the symbol is written in the configuration: `BASE/QUOTE`, upper case.',
  [-1124]: "The order id in the log: it should be the exchange's own, `1-<number>-1`.",
  [-2003]: `${KEY_PAGE}: its permissions. The bot needs wallet, orders and trades.`,
  [-2004]: 'The account: is it closed, locked or not yet verified?',
  [-2015]: `${KEY_PAGE}: does it exist, has it expired, is it for this address and these actions?`,
  [-3000]: `${KEY_PAGE}, then the exchange's status page: it could not find out whose request it was.`,
  [-4001]: THEIRS,
  [-5001]: THEIRS,
  [-5002]: THEIRS,
  [-5003]: THEIRS,
  [-5004]: 'No documented endpoint answers with it: the interface may have changed.',
  [-5005]: THEIRS,
  [-5006]: THEIRS,
  [-5007]: THEIRS,
  [-5008]: THEIRS,
  [-5009]: THEIRS,
  [-5010]: THEIRS,
  [-5011]: THEIRS,
  [-5012]: THEIRS,
  [-5013]:
    'Orders that are *unknown* on the page. If every order ends so: funds, `tickSize`, `lotSize`; some exchanges ' +
    'answer a bad order with it.',
  [-5014]: "The open orders on the exchange's own page. It may only mean that the order had closed before.",
  [-5015]: THEIRS,
};
