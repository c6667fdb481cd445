// `rearm`: a person looked at why the bot killed itself and lets it quote again.

import { realClock } from '../../ports/clock.ts';
import { EXIT } from '../base/exit-codes.ts';
import { proofUnderLatch } from '../dead-man/proof.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { type KillLatch, killLatchFile, readKillLatch, removeKillLatch } from '../state-folder/kill-latch.ts';
import { ownOrdersFile, readOwnOrders } from '../state-folder/own-orders-file.ts';
import { latchWords } from '../status/status-words.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext } from './configuration-argument.ts';

interface Options {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addRearm({ program, io, finish }: CommandContext): void {
  program
    .command('rearm')
    .summary('remove the kill latch after looking at its reason')
    .description('Shows why the kill latch is set, and with --yes removes it, so that the bot may quote again.')
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--yes', 'remove it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper rearm config/live.yaml --yes')
    .action(async (files: string[], { yes = false, json = false }: Options) => {
      const settings = await accountSettingsOf(files, { command: 'rearm', io });
      const { stateFolder } = settings;
      const named = accountNamed(settings);
      const latch = readKillLatch(stateFolder);
      const isSet = latch !== null && !yes;
      const { orders, damaged } = readOwnOrders(ownOrdersFile(stateFolder));
      const mayBeOpen = orders.open.size;
      const isProved = latch !== null && mayBeOpen === 0 && damaged === null;
      const proof = isProved ? proofUnderLatch(stateFolder) : null;
      if (latch !== null && yes) removeKillLatch(stateFolder, realClock.now());
      const told = sentence({ stateFolder, latch, yes, mayBeOpen, damaged, proof });
      const answer = { ...named, latched: isSet, ...latch, mayBeOpen, damaged, proof };
      io.out(json ? JSON.stringify(answer) : `${accountLine(named)}\n${told}`);
      finish(isSet ? EXIT.killLatched : EXIT.done);
    });
}

interface Rearming {
  readonly stateFolder: string;
  readonly latch: KillLatch | null;
  readonly yes: boolean;
  /** Orders that the file of own orders names. */
  readonly mayBeOpen: number;
  readonly damaged: string | null;
  /** That none is open; null where that is not proved. */
  readonly proof: string | null;
}

function sentence({ stateFolder, latch, yes, mayBeOpen, damaged, proof }: Rearming): string {
  if (latch === null) return `No kill latch is set in ${stateFolder}.`;
  const remedy = yes
    ? 'It is removed; the bot may quote again.'
    : `When that is dealt with, run the same command with --yes to remove ${killLatchFile(stateFolder)}.`;
  const open = `${mayBeOpen} orders of the bot are not proved gone: \`quotekeeper cancel-all\` does that.`;
  const left = [...(damaged === null ? [] : [damaged]), ...(mayBeOpen === 0 ? [] : [open])];
  return [latchWords(latch), ...left, ...(proof === null ? [] : [proof]), remedy].join('\n');
}
