// For pm2: `npx pm2 start ecosystem.config.cjs`. One bot, in its own process, from its sources. Another configuration than
// that of the paper exchange is named by a variable: `QUOTEKEEPER_CONFIG=config/live.yaml npx pm2 start ecosystem.config.cjs`.
const path = require('node:path');

const config = process.env.QUOTEKEEPER_CONFIG ?? 'config/paper.yaml';

module.exports = {
  apps: [
    {
      name: 'quotekeeper',
      cwd: __dirname,
      script: path.join(__dirname, 'src/bot/main.ts'),
      args: ['run', config],
      interpreter: path.join(__dirname, 'node_modules/.bin/node'),
      interpreter_args: '--disable-warning=ExperimentalWarning',

      // One instance, never a cluster: two bots on one account would fight. A lock in the state folder refuses a second.
      exec_mode: 'fork',
      instances: 1,

      // The bot says `ready` after its first clean reconciliation. Where that takes longer, pm2 goes on; the page says what is missing.
      wait_ready: true,
      listen_timeout: 180_000,

      // On stop: SIGINT, then the bot cancels its orders and verifies that none is left. pm2's own 1.6 s would kill it
      // half way. `quotekeeper check` prints the bound that follows from your configuration (some 300 s for one symbol on an
      // exchange of which nothing is known, 35 s for each further one): keep this well above it.
      kill_timeout: 600_000,
      // The signal goes to the bot alone.
      treekill: false,

      // A crash is followed by a start with a growing pause; one that lasted a minute resets it.
      autorestart: true,
      exp_backoff_restart_delay: 1_000,
      min_uptime: '60s',
      // pm2 would give up after 16 short lives: an exchange that is down for some minutes must not leave the bot down.
      max_restarts: 10_000,
      // Kill latch set, configuration invalid: starting again would not help. Not 0: pm2 takes a death by a signal (out of
      // memory, kill -9) for it, and would leave the orders alone on the exchange. To stop the bot, `npx pm2 stop quotekeeper`.
      stop_exit_codes: [77, 78],

      // The program's log has its own times.
      time: false,
      merge_logs: true,
    },
  ],
};
