// The commands to all accounts or to one: those of a bot's page, for all symbols and both sides.
import { COMMANDS } from '../steer/commands.js';

/** @import { Command, CommandName, Subject } from '../steer/commands.js' */

/**
 * The subject of its question is an account, in the place of the symbol.
 * @param {CommandName} name
 * @param {string} [explain]
 * @returns {(subject: Subject) => Command}
 */
const ofAccounts = (name, explain) => (subject) => {
  const { symbol: account } = subject;
  const command = COMMANDS[name]({ ...subject, symbol: null });
  return {
    ...command,
    title: `${command.label}: ${account ?? 'all accounts'}`,
    explain: explain ?? command.explain,
    fields: command.fields.filter((field) => field.name !== 'side'),
    word: account ?? command.word,
    request: (values, preview) => Object.assign(command.request(values, preview), { account }),
  };
};

export const FLEET_COMMANDS = {
  pause: ofAccounts('pause'),
  resume: ofAccounts(
    'resume',
    'Removes locks, and quotes again. A halt is lifted at the bot’s own page, which shows it.',
  ),
  stop: ofAccounts('stop'),
  'cancel-all': ofAccounts('cancel-all'),
};
