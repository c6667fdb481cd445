// The log of a bot for whoever watches it on a terminal: the sentences without their fields, and without what the file tells better.
import { PinoPretty as pretty } from 'pino-pretty';

/** Orders come and go by the dozen, and what the greeting and the summary say is not said twice. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'accepted',
  'closed',
  'exchange-found',
  'started',
  'summary',
  'told-to-stop',
  'web-open',
]);

const TIME = { translateTime: 'SYS:HH:MM:ss', customPrettifiers: { time: String } } as const;

/** From a line of JSON to a line for a terminal, or `null` for one that is left out. */
export function createTerminalLines({ colorize }: { colorize: boolean }): (line: string) => string | null {
  const sentence = pretty.prettyFactory({
    ...TIME,
    colorize,
    ignore: 'level',
    hideObject: true,
    messageFormat: (record, messageKey, levelLabel, { colors }) => {
      const { symbol, level, [messageKey]: message } = record;
      const text = String(message ?? record.op);
      const prefix = typeof symbol === 'string' && !text.startsWith(symbol) ? `${symbol} ` : '';
      if (level === 'info') return `${prefix}${text}`;
      const label = level === 'warn' ? colors.yellow(levelLabel) : colors.red(levelLabel);
      return `${label} ${prefix}${text}`;
    },
  });
  // With every field: what ends the program must be seen even where the file can't be written.
  const full = pretty.prettyFactory({ ...TIME, colorize });
  return (line) => {
    const { level, op }: { level?: unknown; op?: unknown } = JSON.parse(line);
    if (level === 'fatal') return full(line) ?? '';
    return level === 'info' && typeof op === 'string' && LEFT_OUT.has(op) ? null : (sentence(line) ?? '');
  };
}
