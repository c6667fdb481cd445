// `cancel-all`: cancels all of the bot's orders on the exchange, even while the bot is dead.
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import type { LeaseSeen } from '../postgres/postgres-place.ts';
import { accountLease, unlatchAccount } from '../postgres/shared-account.ts';
import { LEAST_TTL_MS, ttlWords } from '../settings/checks/checks.ts';
import type { Settings } from '../settings/types.ts';
import {
  type KillLatch,
  killLatchFile,
  proofUnderLatch,
  readKillLatch,
  removeKillLatch,
} from '../state-folder/kill-latch.ts';
import { ownOrdersFile, readOwnOrders } from '../state-folder/own-orders-file.ts';
import { latchWords } from '../status/status-words.ts';
import { askBot, personHere } from '../steer/control-socket.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext } from './configuration-argument.ts';
import { botMeant, tellAnswer } from './steer.ts';

interface CancelOptions {
  readonly everything?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addCancelAll({ program, io, finish }: CommandContext): void {
  program
    .command('cancel-all')
    .summary('cancel the open orders and verify it')
    .description(
      'Sets the kill latch, which stops a bot that runs, cancels the orders that the bot owns, again after the ' +
        'horizon of its last create, and proves by two complete lists that none is left. With ' +
        '`account.foreignOrders: refuse` it cancels every open order of the account, without --everything and ' +
        '--yes. Works while the bot is dead, by its file of own orders. Ends with 0 when that is proved, with 75 ' +
        'when something may be open. The latch stays until `rearm --yes`.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--everything', 'every open order of the account, whoever placed it')
    .option('--yes', 'cancel them, and prove that none is left; without it --everything lists them')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper cancel-all config/live.yaml')
    .action(async (files: string[], { everything = false, yes = false, json = false }: CancelOptions) => {
      const asked = { command: 'cancel-all', io };
      // Orders that are not the bot's can be found by the configuration alone.
      const { stateFolder, settings } = everything
        ? { stateFolder: '', settings: await accountSettingsOf(files, asked) }
        : await botMeant(files, asked);
      if (settings === null) {
        tellAnswer(io, await askBot(stateFolder, { command: 'cancel-all', by: personHere() }), { named: null, json });
        // The bot cancels and verifies; whether it succeeded is unknown here.
        return finish(EXIT.unknownRemains);
      }
      const { cancelAllOrders } = await import('../cancel-all/cancel-all-orders.ts');
      finish(await cancelAllOrders(settings, io, { everything, yes, json }));
    });
}

// `watchdog`: cancels the orders of a bot that fell silent.

export function addWatchdog({ program, io, finish }: CommandContext): void {
  program
    .command('watchdog')
    .summary('end a bot that falls silent and cancel its orders')
    .description(
      [
        'Watches the bot of the same configuration. When its loop shows no progress for watchdog.ttlMs',
        '(an exchange that does not answer is no lack of it): sets the kill latch, ends the bot, cancels its',
        'orders, cancels them again after the horizon of the last create, and proves by two complete lists that',
        'none is left. Ends with 77 then, with 75 when something unknown remains.',
      ].join(' '),
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--account', 'watch the account whose journal is in a database, whichever host has it; for one more host')
    .addHelpText('after', '\nExample:\n  quotekeeper watchdog config/live.yaml')
    .action(async (files: string[], { account = false }: { account?: boolean }) => {
      const settings = await accountSettingsOf(files, { command: 'watchdog', io });
      const { ttlMs } = settings.watchdog;
      if (ttlMs < LEAST_TTL_MS) throw new StartError(EXIT.configurationInvalid, `watchdog.ttlMs: ${ttlWords(ttlMs)}`);
      if (account) {
        const { watchAccount } = await import('../cancel-all/watch-account.ts');
        return finish(await watchAccount(settings, io));
      }
      const { watchBot } = await import('../dead-man/watch-bot.ts');
      finish(await watchBot(settings, io));
    });
}

// `rearm`: a person has looked at why the bot killed itself, and lets it quote again.

export function addRearm({ program, io, finish }: CommandContext): void {
  program
    .command('rearm')
    .summary('remove the kill latch after looking at its reason')
    .description('Shows why the kill latch is set, and with --yes removes it, so that the bot may quote again.')
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--yes', 'remove it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper rearm config/live.yaml --yes')
    .action(async (files: string[], { yes = false, json = false }: { yes?: boolean; json?: boolean }) => {
      const settings = await accountSettingsOf(files, { command: 'rearm', io });
      const { stateFolder } = settings;
      const named = accountNamed(settings);
      const latch = latchOf(settings, accountLease(settings, io.environment));
      const isSet = latch !== null && !yes;
      const remedy = yes
        ? 'It is removed; the bot may quote again.'
        : `When that is dealt with, run the same command with --yes to remove ${killLatchFile(stateFolder)}.`;
      const { orders, damaged } = readOwnOrders(ownOrdersFile(stateFolder));
      const mayBeOpen = orders.open.size;
      const isProved = latch !== null && mayBeOpen === 0 && damaged === null;
      const proof = isProved ? proofUnderLatch(stateFolder) : null;
      if (latch !== null && yes) {
        unlatchAccount(settings, io.environment, null);
        removeKillLatch(stateFolder, realClock.now());
      }
      const open = { mayBeOpen, damaged, proof };
      const told =
        latch === null ? `No kill latch is set in ${stateFolder}.` : latchLines(latch, open, remedy).join('\n');
      const answer = { ...named, latched: isSet, ...latch, ...open };
      io.out(json ? JSON.stringify(answer) : `${accountLine(named)}\n${told}`);
      finish(isSet ? EXIT.killLatched : EXIT.done);
    });
}

/** The state folder's, or the one that another host has set for the account. */
function latchOf({ stateFolder }: Settings, lease: LeaseSeen | null): KillLatch | null {
  const ours = readKillLatch(stateFolder);
  if (ours !== null || (lease?.latch ?? null) === null) return ours;
  return { reason: `On another host: ${lease?.latch}`, at: null, rearm: 'by-person', isReadable: true };
}

interface Open {
  /** Number of orders in the file of own orders. */
  readonly mayBeOpen: number;
  readonly damaged: string | null;
  /** States that no order is open; null if that is not proved. */
  readonly proof: string | null;
}

const latchLines = (latch: KillLatch, { mayBeOpen, damaged, proof }: Open, remedy: string): string[] => [
  latchWords(latch),
  ...(damaged === null ? [] : [damaged]),
  ...(mayBeOpen === 0
    ? []
    : [`${mayBeOpen} orders of the bot are not proved gone: \`quotekeeper cancel-all\` does that.`]),
  ...(proof === null ? [] : [proof]),
  remedy,
];
