// Commands that people write in a chat: reads are answered at once, a change waits for a code. It waits in memory
// alone: a message that the server repeats to a later process finds nothing to confirm.
import { grouped, shownDecimals, ZERO } from '../../domain/decimal.ts';
import { plainText } from '../../domain/text.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import { clockText, timeText } from '../../domain/time-text.ts';
import { duration } from '../base/message.ts';
import type { ChatMessage } from '../notify/senders/telegram-chat.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { ownOrders, standingsOf } from '../status/headline.ts';
import { withNext } from '../status/status-table.ts';
import { ended, lockWords, profitLine, sinceWords, symbolLine, walletLine } from '../status/status-words.ts';
import type { SteerAnswer, SteerRequest } from '../steer/command.ts';

/** How old a message may be, and how long a code is valid. */
const VALID_MS: DurationMs = 2 * MINUTE;
const MOST_TRIES = 3;

export interface ChatCommandParts {
  readonly status: () => BotStatus;
  readonly steer: (request: SteerRequest) => Promise<SteerAnswer>;
  readonly newCode: () => string;
}

type Author = NonNullable<ChatMessage['author']>;

interface Change {
  readonly request: SteerRequest;
  /** What it will do. */
  readonly words: string;
}

interface Asked {
  readonly status: BotStatus;
  readonly by: string;
}

/** A change that waits for its code. */
interface Waiting extends Change {
  readonly name: string;
  /** The change as it would be asked for now. */
  readonly planned: () => string | Change;
  readonly code: string;
  readonly until: EpochMs;
  readonly triesLeft: number;
}

export function chatCommands({ status, steer, newCode }: ChatCommandParts) {
  /** One per person, by id: nobody else can drop it. */
  const waiting = new Map<number, Waiting>();

  function ask(change: Pick<Waiting, 'name' | 'planned' | keyof Change>, authorId: number, now: EpochMs) {
    const before = waiting.get(authorId);
    const replaced = before === undefined ? [] : [`/${before.name}, which waited for its code, is dropped.`];
    const [code, until] = [newCode(), now + VALID_MS];
    waiting.set(authorId, { ...change, code, until, triesLeft: MOST_TRIES });
    const how = `Nothing is done yet. To do it, reply ${code} until ${clockText(until)}.`;
    return { ...said([...replaced, change.words, how].join('\n')), asksForReply: true };
  }

  async function confirm(typed: string, authorId: number) {
    const asked = waiting.get(authorId);
    if (asked === undefined) return said('No command of yours waits for a code: nothing is done.');
    const { name, request, words, triesLeft } = asked;
    // First, so that the code serves once.
    waiting.delete(authorId);
    if (typed !== asked.code) {
      if (triesLeft > 1) waiting.set(authorId, { ...asked, triesLeft: triesLeft - 1 });
      const then = triesLeft === 1 ? `/${name} is dropped` : `/${name} still waits; tries left: ${triesLeft - 1}`;
      return said(`Wrong code: nothing is done, ${then}.`);
    }
    if (request.command === 'resume') {
      const planned = asked.planned();
      if (typeof planned === 'string') return said(planned);
      if (planned.words !== words)
        return said(`Nothing is done: the locks or halts have changed. Send /${name} again.`);
    }
    const answer = await steer(request);
    const lines = 'done' in answer ? answer.done : 'refused' in answer ? [`Refused: ${answer.refused}`] : [];
    const endsBot = 'done' in answer && (request.command === 'stop' || request.command === 'cancel-all');
    const proof = endsBot ? ['Nothing is proved yet; how it ends follows here.'] : [];
    return { ...said([...lines, ...proof].join('\n')), endsBot };
  }

  return {
    /** Null for what is no command and no code: people may talk to each other. */
    async reply({ text, author, sentAt }: ChatMessage, now: EpochMs, readsSince: EpochMs) {
      for (const [id, { until }] of waiting) if (now > until) waiting.delete(id);
      const [first = '', ...rest] = text.trim().split(/\s+/);
      const typed = /^\d[\d\s]*$/.test(text.trim()) ? [first, ...rest].join('') : null;
      const name = /^\/(\w{1,32})$/.exec(first)?.[1]?.toLowerCase() ?? null;
      if (typed === null && name === null) return null;
      if (sentAt < readsSince || now - sentAt > VALID_MS) {
        const age = duration(now - sentAt);
        return said(`Too old: sent ${age} before it was read. It is not done now; send it again if you want it.`);
      }
      if (author === null) return said('Write in your own name, not as a group or channel: nothing is done.');
      if (name === null) return confirm(typed ?? '', author.id);
      const planned = (): string | Change => planOf(name, rest, { status: status(), by: personOf(author) });
      const plan = planned();
      return typeof plan === 'string' ? said(plan) : ask({ name, planned, ...plan }, author.id, now);
    },
  };
}

/** `endsBot`: whether the bot ends by it. */
const said = (text: string) => ({ text, asksForReply: false, endsBot: false });

/** As the journal names the person; the id tells apart people who chose the same name. */
const personOf = ({ id, name }: Author): string => `${name.replace(/[^\w.-]/g, '_').slice(0, 32)}@telegram-${id}`;

/** The answer, or a change that needs a code. `rest`: the words after the command. */
function planOf(name: string, rest: readonly string[], { status, by }: Asked): string | Change {
  const known = status.trader.symbols;
  const symbol = rest.length === 0 ? null : rest.join(' ').toUpperCase();
  const symbols = known.filter((each) => symbol === null || each.symbol === symbol);
  const isWrong = symbol !== null && (symbols.length === 0 || !TAKES_SYMBOL.includes(name));
  if (isWrong && Object.hasOwn(HELP, name)) {
    const expected = TAKES_SYMBOL.includes(name) ? `one of ${namesOf(known)}, or nothing for all` : 'nothing';
    return `"${plainText(rest.join(' ').slice(0, 40))}" after /${name}: ${expected} was expected. Nothing is done.`;
  }
  switch (name) {
    case 'status':
      return statusText(status);
    case 'profit':
      return profitText(status);
    case 'pause': {
      const request = { command: name, symbol, side: null, forMs: null, reason: 'Paused by chat.', by } as const;
      const words = `${namesOf(symbols)}: orders are canceled, nothing is quoted until /resume, what is held stays.`;
      return { request, words };
    }
    case 'resume':
      return resumePlan(symbol, symbols, by);
    case 'stop':
      return { request: { command: name, by }, words: `${endWords(status)} A start takes a terminal.` };
    case 'cancelall': {
      const latch = 'The kill latch keeps it from starting until `quotekeeper rearm` at a terminal.';
      return { request: { command: 'cancel-all', by }, words: `${endWords(status)} ${latch}` };
    }
    default:
      return Object.entries(HELP)
        .map(([command, what]) => `/${command}: ${what}`)
        .join('\n');
  }
}

const TAKES_SYMBOL: readonly string[] = ['pause', 'resume'];
const HELP: Readonly<Record<string, string>> = {
  status: 'what the bot does',
  profit: 'its profit by symbol',
  pause: 'cancel and quote nothing; one symbol: /pause BTC/INR',
  resume: 'quote again',
  stop: 'cancel, prove that no order is left, end',
  cancelall: 'the same with the kill latch',
};

type Symbols = BotStatus['trader']['symbols'];

const namesOf = (symbols: Symbols): string => symbols.map(({ symbol }) => symbol).join(', ');

const endWords = ({ trader }: BotStatus): string =>
  `The bot cancels its orders (${ownOrders(standingsOf(trader).all)} now), proves that none is left, and ends. ` +
  "Orders that are not the bot's stay.";

/** Lifts only halts that it shows. */
function resumePlan(symbol: string | null, symbols: Symbols, by: string): string | Change {
  const lines = symbols.flatMap(({ symbol: name, risk: { halt, locks } }) => [
    ...(halt === null ? [] : [`${name} is halted as ${halt.code}: ${ended(halt.reason)}`]),
    ...locks.map((lock) => `${name}: ${ended(lockWords(lock))}`),
  ]);
  if (lines.length === 0) return `Neither paused nor halted: ${namesOf(symbols)}. Nothing is done.`;
  const shown = symbols.flatMap(({ symbol: name, risk: { halt } }) =>
    halt === null ? [] : [[name, { code: halt.code, since: halt.since ?? null }] as const],
  );
  const halt = shown.length === 0 ? null : Object.fromEntries(shown);
  const words = ['Removed, and quoted again:', ...lines].join('\n');
  return { request: { command: 'resume', symbol, side: null, price: null, halt, by }, words };
}

/** The bot in one sentence, with what to do about it. */
export const headlineText = ({ headline }: BotStatus): string =>
  withNext(`${headline.word}: ${headline.sentence}`, headline.next);

const headOf = ({ mode, trader }: BotStatus): string => `${mode}, ${timeText(trader.at)}`;

function statusText(status: BotStatus): string {
  const { attentions, trader } = status;
  return [
    headOf(status),
    headlineText(status),
    ...attentions.map(({ what, next }) => withNext(what, next)),
    ...trader.symbols.map((view) => symbolLine(view, trader)),
    walletLine(trader),
  ].join('\n');
}

/** Since each ledger was opened, with the sum of symbols that share a quote asset. */
function profitText(status: BotStatus): string {
  const { symbols } = status.trader;
  const sums = [...Map.groupBy(symbols, ({ quote }) => quote)].flatMap(([quote, views]) => {
    const sum = views.reduce((before, { pnl }) => before.add(pnl.total), ZERO);
    return views.length === 1 ? [] : [`In all: ${grouped(sum.toFixed(shownDecimals(quote)))} ${quote}`];
  });
  return [
    headOf(status),
    ...symbols.map((view) => `${view.symbol}${sinceWords(view)}: ${profitLine(view)}`),
    ...sums,
  ].join('\n');
}
