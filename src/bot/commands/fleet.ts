// `fleet`: all accounts of one database, seen and steered as one.
import type { Command } from 'commander';
import { inColumns } from '../base/columns.ts';
import { EXIT } from '../base/exit-codes.ts';
import { duration } from '../base/message.ts';
import { type AccountView, type Fleet, lookAt, openFleetOf, steeredLines, steerFleet } from '../fleet/fleet-control.ts';
import type { SteerRequest } from '../steer/command.ts';
import { personHere } from '../steer/control-socket.ts';
import type { CommandContext } from './configuration-argument.ts';
import { addFleetPage } from './fleet-page.ts';
import { spanOfTime } from './steer.ts';

interface Options {
  readonly json?: boolean;
  readonly for?: number;
  readonly reason?: string;
  readonly yes?: boolean;
}

export function addFleet(context: CommandContext): void {
  const fleet = context.program
    .command('fleet')
    .summary('see and steer all accounts of one database')
    .description('Looks at, or steers, every account of a database. Each process answers; who does not is named.');
  const add = (name: string, summary: string): Command =>
    fleetCommand(fleet, name, summary).option('--json', 'print JSON');
  add('status', 'show what each account does').action((files: string[], options: Options) =>
    withFleet(context, files, (opened) => tellStatus(context, opened, options)),
  );
  const steering = (name: string, summary: string, request: (options: Options) => SteerRequest): Command =>
    add(name, summary).action((files: string[], options: Options) =>
      withFleet(context, files, (opened) => steer(context, opened, { request: request(options), ...options })),
    );
  const by = personHere();
  steering('pause', 'cancel the orders of all accounts, and quote nothing until they are resumed', (options) => ({
    ...{ command: 'pause', symbol: null, side: null, by },
    ...{ forMs: options.for ?? null, reason: options.reason ?? '' },
  }))
    .requiredOption('--reason <sentence>', 'why, for the journal and the page')
    .option('--for <time>', 'until it resumes by itself: 90s, 10m, 2h or 1d', spanOfTime);
  steering('resume', 'let all accounts quote again, after you have looked at why they do not', () => ({
    ...{ command: 'resume', symbol: null, side: null, price: null, halt: null, by },
  }));
  steering('stop', 'stop every bot and every standby', () => ({ command: 'stop', by }));
  steering(
    'cancel-all',
    'latch every account: each bot cancels, verifies, ends, and starts only after `rearm`',
    () => ({
      ...{ command: 'cancel-all', by },
    }),
  ).requiredOption('--yes', 'you mean it: nothing is quoted until each account is re-armed');
  addFleetPage(context, fleetCommand(fleet, 'page', 'show all accounts on one page, and steer them there'));
}

const fleetCommand = (fleet: Command, name: string, summary: string): Command =>
  fleet
    .command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .argument('<config...>', 'the account named behind a file, or all in its `accounts`; else all of the database')
    .addHelpText('after', `\nExample:\n  quotekeeper fleet ${name} config/fleet.yaml`);

async function withFleet(
  { io }: CommandContext,
  files: readonly string[],
  work: (fleet: Fleet) => void | Promise<void>,
): Promise<void> {
  const fleet = await openFleetOf(files, io.environment);
  try {
    await work(fleet);
  } finally {
    fleet.database.close();
  }
}

const COLUMNS = ['account', 'process', 'host', 'state', 'presence', 'profit', 'day loss', 'seen'];

function tellStatus({ io, finish }: CommandContext, fleet: Fleet, { json = false }: Options): void {
  const accounts = lookAt(fleet);
  const shares = Object.fromEntries(fleet.database.shares());
  finish(EXIT.done);
  if (json) return io.out(JSON.stringify({ accounts, shares }));
  const troubles = accounts.flatMap(({ account, trouble }) => (trouble === null ? [] : [`${account}: ${trouble}`]));
  const reserved = Object.entries(shares).map(([resource, used]) => `reserved of ${resource}: ${used}`);
  const table = inColumns([COLUMNS, ...accounts.flatMap(rowsOf)]);
  io.out([...troubles, ...(troubles.length > 0 ? [''] : []), ...table, ...reserved].join('\n'));
}

function rowsOf({ account, processes }: AccountView): string[][] {
  if (processes.length === 0) return [[account, '–', '–', 'never seen']];
  return processes.map(({ role, holder, agoMs, isSilent, status }) => {
    const symbols = status?.symbols ?? [];
    const word = status?.word ?? 'of another version';
    const shares = symbols.flatMap(({ presence }) => (presence === null ? [] : [presence]));
    const share = shares.length === 0 ? '' : `${((100 * sumOf(shares)) / shares.length).toFixed(1)} %`;
    const losses = symbols.flatMap(({ dayLoss }) => dayLoss ?? []);
    return [
      ...[account, role, holder, isSilent ? `silent, was ${word}` : word],
      ...[share, symbols.map(({ profit }) => profit).join(', '), losses.join(', '), `${duration(agoMs)} ago`],
    ];
  });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

interface Steering extends Options {
  readonly request: SteerRequest;
}

/** Exits with 0 if every account's bot has done it, else with 69. */
async function steer({ io, finish }: CommandContext, fleet: Fleet, options: Steering): Promise<void> {
  const { request, json = false } = options;
  const steered = await steerFleet(fleet, { request, account: null });
  const { isDone, answers, missing } = steeredLines(steered, request);
  finish(isDone ? EXIT.done : EXIT.unavailable);
  if (json) return io.out(JSON.stringify(steered));
  for (const line of answers) io.out(line);
  for (const line of missing) io.err(line);
}
