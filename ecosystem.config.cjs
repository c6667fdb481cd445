// For pm2: `npx pm2 start ecosystem.config.cjs`. One bot, in its own process, from its sources.
const path = require('node:path');

module.exports = {
  apps: [
    {
      name: 'quotekeeper',
      cwd: __dirname,
      script: path.join(__dirname, 'src/bot/main.ts'),
      args: 'run config/paper.yaml',
      interpreter: path.join(__dirname, 'node_modules/.bin/node'),
      interpreter_args: '--disable-warning=ExperimentalWarning',

      // One instance, never a cluster: two bots on one account would fight. A lock in the state folder refuses a second.
      exec_mode: 'fork',
      instances: 1,

      // The bot says `ready` after its first clean reconciliation, or when it waits for something that it names.
      wait_ready: true,
      listen_timeout: 180_000,

      // On stop: SIGINT, then the bot cancels its orders and verifies that none is left. pm2's own 1.6 s would kill it
      // half way. `quotekeeper check` prints the bound that follows from your configuration: keep this above it.
      kill_timeout: 300_000,
      // The signal goes to the bot alone.
      treekill: false,

      // A crash is followed by a start with a growing pause; one that lasted a minute resets it.
      autorestart: true,
      exp_backoff_restart_delay: 1_000,
      min_uptime: '60s',
      // Done, kill latch set, configuration invalid: starting again would not help.
      stop_exit_codes: [0, 77, 78],

      // The program's log has its own times.
      time: false,
      merge_logs: true,
    },
  ],
};
