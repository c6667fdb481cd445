// For pm2: `npx pm2 start ecosystem.config.cjs`. One bot and its watchdog, each in its own process, from their sources.
// Another configuration than that of the paper exchange is named by a variable:
// `QUOTEKEEPER_CONFIG=config/live.yaml npx pm2 start ecosystem.config.cjs`. Of a file with several accounts all run, or
// those of `QUOTEKEEPER_ACCOUNTS=alice,bob`.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { parse } = require('yaml');

const config = process.env.QUOTEKEEPER_CONFIG ?? 'config/paper.yaml';
const name = nameOf(path.resolve(__dirname, config));

/** The accounts of a file, by their names; null where it is of one. What is wrong with a file the program says. */
function accountsIn(file) {
  try {
    const { accounts } = parse(readFileSync(file, 'utf8'));
    const here = process.env.QUOTEKEEPER_ACCOUNTS?.split(',');
    return accounts === undefined ? null : Object.keys(accounts).filter((each) => here?.includes(each) ?? true);
  } catch {
    return null;
  }
}

/**
 * `quotekeeper-live` for config/live.yaml. pm2 goes by the name alone: two configurations with one name would replace
 * each other's bot. So a file that lies elsewhere has six characters more, which stand for its path.
 */
function nameOf(file) {
  const words = path
    .basename(file)
    .replace(/\.ya?ml$/i, '')
    .replace(/[^\w.-]/g, '-');
  const isOurs = path.dirname(file) === path.join(__dirname, 'config');
  return `quotekeeper-${words}${isOurs ? '' : `-${createHash('sha256').update(file).digest('hex').slice(0, 6)}`}`;
}

/** What both have in common. */
const program = {
  cwd: __dirname,
  script: path.join(__dirname, 'src/bot/main.ts'),
  interpreter: path.join(__dirname, 'node_modules/.bin/node'),
  // SIGUSR1 must not open a debugger's port.
  interpreter_args: '--disable-warning=ExperimentalWarning --disable-sigusr1',

  // One instance, never a cluster: two bots on one account would fight. A lock in the state folder refuses a second, of
  // either.
  exec_mode: 'fork',
  instances: 1,

  // On stop: SIGINT, then the bot cancels its orders and verifies that none is left; a watchdog that acts finishes
  // first. pm2's own 1.6 s would kill them half way. `quotekeeper check` prints both bounds that follow from your
  // configuration (the bot's: some 300 s for one symbol on an exchange of which nothing is known, 35 s for each further
  // one): keep this well above them.
  kill_timeout: 600_000,
  // The signal goes to the program alone.
  treekill: false,

  // A crash is followed by a start with a growing pause; one that lasted a minute resets it.
  autorestart: true,
  exp_backoff_restart_delay: 1_000,
  min_uptime: '60s',
  // pm2 would give up after 16 short lives: an exchange that is down for some minutes must not leave the bot down.
  max_restarts: 10_000,
  // Kill latch set, configuration invalid: starting again would not help. Not 0: pm2 takes a death by a signal (out of
  // memory, kill -9) for it, and would leave the orders alone on the exchange. To stop both, name both to
  // `npx pm2 stop`.
  stop_exit_codes: [77, 78],

  // The program's log has its own times.
  time: false,
  merge_logs: true,
};

/** `args`: behind the configuration. */
const pair = (app, named, ...args) => [
  {
    ...program,
    name: app,
    args: ['run', named, ...args],
    // The bot says `ready` after its first clean reconciliation, also where it only waits for its watchdog: that may
    // be what pm2 starts next. Where it takes longer, pm2 goes on; the page says what is missing.
    wait_ready: true,
    listen_timeout: 30_000,
  },
  {
    ...program,
    name: `${app}-watchdog`,
    args: ['watchdog', named],
    // Says `ready` when it watches.
    wait_ready: true,
    listen_timeout: 30_000,
  },
];

module.exports = {
  apps:
    accountsIn(path.resolve(__dirname, config))?.flatMap((account) =>
      // Another host may have the account: then this one waits.
      pair(`${name}-${account}`, `${config}#${account}`, '--standby'),
    ) ?? pair(name, config),
};
