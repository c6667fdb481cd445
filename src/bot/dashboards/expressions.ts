// The parts that expressions are made of: metrics of the bots and symbols that are chosen at the top of a dashboard.

const CHOSEN_BOTS = 'job="quotekeeper", instance=~"$instance"';
const CHOSEN_SYMBOLS = `${CHOSEN_BOTS}, symbol=~"$symbol"`;

const selected = (name: string, matchers: readonly string[]): string =>
  matchers.length === 0 ? name : `${name}{${matchers.join(', ')}}`;

/** A metric of the bot, by its name without the prefix. */
export const bot = (name: string, ...matchers: readonly string[]): string =>
  selected(`quotekeeper_${name}`, [CHOSEN_BOTS, ...matchers]);

/** A metric of the chosen symbols. */
export const market = (name: string, ...matchers: readonly string[]): string =>
  selected(`quotekeeper_${name}`, [CHOSEN_SYMBOLS, ...matchers]);

/** What config/prometheus-alerts.yaml records, by its name without the prefix. */
export const recorded = (name: string, ...matchers: readonly string[]): string =>
  selected(`quotekeeper:${name}`, [CHOSEN_BOTS, ...matchers]);

export const recordedOfMarket = (name: string, ...matchers: readonly string[]): string =>
  selected(`quotekeeper:${name}`, [CHOSEN_SYMBOLS, ...matchers]);

/** What Prometheus says of its own scrapes and alerts. */
export const ofPrometheus = (name: 'up' | 'ALERTS' | 'process_start_time_seconds', ...matchers: readonly string[]) =>
  selected(name, [CHOSEN_BOTS, ...matchers]);

/** What the process says of itself. */
export const ofProcess = (name: `process_${string}` | `nodejs_${string}`): string => selected(name, [CHOSEN_BOTS]);

/** By the node exporter's textfile collector, which knows no bot: of all watchdogs. */
export const ofWatchdog = (name: string, ...matchers: readonly string[]): string =>
  selected(`quotekeeper_watchdog_${name}`, matchers);

export const perSecond = (counter: string): string => `rate(${counter}[$__rate_interval])`;

export const within = (counter: string, time: string): string => `increase(${counter}[${time}])`;

export const sumBy = (labels: string, expression: string): string => `sum by (${labels}) (${expression})`;

/** `histogram`: the metric's name without the prefix; `labels`: what is told apart. */
export const quantile = (share: number, histogram: string, labels: string): string =>
  `histogram_quantile(${share}, ${sumBy(`${labels}, le`, perSecond(bot(`${histogram}_bucket`)))})`;
