// Assembles the running bot: journal, client, page, trader. A failure ends the start with a sentence.
import { createGotTransport } from '../../client/transport/got-transport.ts';
import { invariant } from '../../domain/invariant.ts';
import type { LoopListener } from '../../loop/loop.ts';
import { startTrading, type Trading, type TradingSettings } from '../../loop/start-trading.ts';
import { realClock } from '../../ports/clock.ts';
import type { KillLatch } from '../../ports/lease.ts';
import { realRandom } from '../../ports/random.ts';
import type { Durable } from '../../trader/durable/durable.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { symbolsOf, type With } from '../../trader/state/state.ts';
import type { Notice } from '../../trader/state/turn.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import { tellStarter } from '../base/tell-starter.ts';
import { type Chat, startChat } from '../chat/chat.ts';
import { type DeadManSwitch, deadManSwitch } from '../dead-man/dead-man-switch.ts';
import { takeRearmNews } from '../dead-man/rearm.ts';
import { joinFleet } from '../fleet/fleet-duty.ts';
import { type ApiKeys, clientSettings } from '../keys/keys.ts';
import { openVenueSession } from '../keys/venue-session.ts';
import { type Memory, startMemory } from '../memory/start-memory.ts';
import { watchMarkouts } from '../metrics/markouts.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import type { Channels } from '../notify/channels.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { PaperProcess } from '../paper/paper-process.ts';
import type { Settings } from '../settings/types.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';
import { doubtOf } from '../state-folder/journal-witness.ts';
import { killLatchOf } from '../state-folder/kill-latch.ts';
import { forgetRestored } from '../state-folder/restored-mark.ts';
import { journalFor, translated, withWitness } from '../state-folder/state-folder.ts';
import { type BotStatus, botStatus, markoutSums, type SpentRequests, spentRequests } from '../status/bot-status.ts';
import type { Ending } from '../status/headline.ts';
import { answerCommand, openControl } from '../steer/control-socket.ts';
import { createSteering, type Steering, type SteeringParts } from '../steer/steering.ts';
import { readableTokens } from '../web/page-tokens.ts';
import { type BotPage, openPage } from './open-page.ts';
import { loadReference, startReference } from './reference-watch.ts';
import { repeatedNotices } from './repeated-notices.ts';
import { checkKey, watchListing } from './venue-check.ts';

/** How often counts of repeated notices are logged. */
const REPEATS_EVERY_MS = 5_000;

/** What a person said on the command line. */
export type StartChoices = Required<Pick<TradingSettings, 'resume' | 'acceptDifferences' | 'answer'>>;

export interface BotParts {
  readonly settings: Settings;
  readonly choices: StartChoices;
  /** The state folder's journal, held by this process. */
  readonly held: BotJournal;
  readonly log: Log;
  readonly channels: Channels;
  readonly notifier: Notifier;
  readonly paper: PaperProcess | null;
  readonly keys: ApiKeys;
}

/** What runs, for those who tell of it and end it: the loop, what it watches, and why it ends. */
export type RunningBot = Awaited<ReturnType<typeof startBot>>;

/** Throws `StartError`; then nothing that moves money was sent. */
export async function startBot(parts: BotParts) {
  const { settings, choices, held, log, notifier, paper, keys } = parts;
  for (const each of [keys.key, keys.secret]) log.registerSecret(each.reveal());
  const paperInstance = paper?.instanceId ?? null;
  await checkPaperKey(parts);
  const fleet = joinFleet(settings, held.fleet);
  const ccxt = await loadReference(settings.reference, log);
  const found = journalFor(settings.stateFolder, held, { paperInstance, clock: realClock });
  const { putAside, known } = found;
  const storage = withWitness(settings.stateFolder, found.storage);
  tellHowItBegins(log, paper, putAside);
  const transport = createGotTransport({ baseUrls: [settings.venue.baseUrl] }, realClock);
  const deadMan = deadManSwitch(settings, { clock: realClock, log, paperInstance });

  const metrics = createMetrics();
  const memory = startMemory({ settings, clock: realClock, log, afresh: putAside !== null });
  const startedAt = realClock.now();
  const [spent, markedOut] = [spentRequests(), markoutSums()];
  const { listener, fatal, isBroken } = listen(log, { metrics, memory, spent, deadMan });
  const ending: Ending = { because: null, leftMs: null };
  let trading: Trading | null = null;
  const status = (): BotStatus => {
    invariant(trading !== null, 'The page was asked before the trading had begun.');
    const shown = { channels: notifier.status(), spent: spent.last(), markouts: markedOut.all(), ending };
    return botStatus(settings, { trading, startedAt, paperInstance, deadMan: deadMan.status(), ...shown });
  };
  // The bot does not run without its page, since nobody could see what it does. So it takes the port before anything
  // moves money.
  const symbols = settings.trader.runs.map(({ instrument }) => instrument.symbol);
  const past = { symbols: () => symbols, history: memory.history, profitBefore: memory.profitBefore };
  const web = await openPage({ settings, log, status, healthy: () => !isBroken(), metrics, past, storage });
  const start = () =>
    startTrading(
      {
        ...{ ...choices, trader: settings.trader, lanes: settings.lanes, paperInstance },
        ...{ program: `${PROGRAM} ${VERSION}`, client: clientSettings(settings, keys) },
        doubt: doubtOf(settings.stateFolder, { known, paperInstance }),
      },
      {
        clock: realClock,
        random: realRandom,
        transport: deadMan.transport(transport),
        storage: deadMan.storage(heard(memory.storage(storage), { metrics, page: web })),
        killLatch: latchesOf(settings, storage),
      },
      listener,
    );
  const started = translated(settings.stateFolder, start, storage.place);
  if (!started.ok) {
    await web.close();
    throw new StartError(EXIT.stateUnusable, started.error);
  }
  trading = started.value;
  fleet.begin(trading.loop);
  // The journal has it from here on.
  if (!isBroken()) forgetRestored(settings.stateFolder);
  deadMan.begin(trading);
  tellRearmed(settings, listener);
  const reference = startReference(settings.reference, ccxt, { loop: trading.loop, clock: realClock, log });
  const { state } = trading.loop;
  tellHalted(known, state(), log);
  memory.begin(trading.loop.snapshot);
  const markouts = watchMarkouts({ state, clock: realClock, heard: [memory.markout, markedOut.add] });
  const shared = { status, metrics, performed: web.forget };
  const { steering, ...beside } = await startBeside(parts, trading, shared);
  web.begin(trading, steering);
  const fleetDuty = fleet.work({ loop: trading.loop, steering, status, page: web.url, scrub: log.scrub });
  const running = { ...parts, storage, trading, web, status, ending, deadMan };
  return { ...running, reference, memory, markouts, ...beside, fleetDuty, fatal };
}

/** The state folder's latch, and the one that another host has set for the account. */
function latchesOf({ stateFolder }: Settings, { latched }: BotJournal): KillLatch {
  const own = killLatchOf(stateFolder, realClock);
  return { ...own, reason: () => own.reason() ?? latched?.() ?? null };
}

interface Shared extends Pick<SteeringParts, 'performed'> {
  readonly status: () => BotStatus;
  readonly metrics: Metrics;
}

/** Starts everything that runs along with trading. */
async function startBeside(parts: BotParts, trading: Trading, shared: Shared) {
  const { settings, log } = parts;
  const { status, performed } = shared;
  const { stateFolder, venue } = settings;
  const { loop } = trading;
  const symbols = settings.trader.runs.map(({ instrument }) => instrument.symbol);
  const listing = watchListing({ trading, symbols, baseUrl: venue.baseUrl, clock: realClock, log });
  // Resolves with whoever told the bot to stop through the control socket or the page.
  const { promise: toldToStop, resolve: stop } = Promise.withResolvers<string>();
  const setLatch = (reason: string): void => killLatchOf(stateFolder, realClock).set(reason);
  const now = () => realClock.now();
  const holdsSecret = (text: string): boolean => {
    // Tokens may have been renewed since anybody used the page.
    for (const token of readableTokens(stateFolder)) log.registerSecret(token);
    return log.holdsSecret(text);
  };
  const steering = createSteering({ settings, loop, now, stop, setKillLatch: setLatch, log, holdsSecret, performed });
  const control = await openControl(stateFolder, { steering, status }, log);
  const chat = openChat(parts, steering, shared);
  return { listing, control, chat, steering, toldToStop };
}

/** Undefined if no channel takes commands. */
function openChat(
  { settings, channels, notifier, log }: BotParts,
  steering: Steering,
  { status, metrics }: Shared,
): Chat | undefined {
  const channel = channels.channels.find(({ sender }) => sender.chat !== undefined);
  if (channel?.sender.chat === undefined) return undefined;
  return startChat({
    ...{ server: channel.sender.chat, status, log, clock: realClock, bot: settings.notify?.bot ?? settings.mode },
    steer: (request) => answerCommand(request, steering),
    count: metrics.countChatMessage,
    leave: (text) => notifier.leave(channel.name, text),
  });
}

function tellRearmed({ stateFolder }: Settings, listener: LoopListener): void {
  const news = takeRearmNews(stateFolder);
  if (news !== null) listener.notice({ level: 'page', op: 'rearmed', message: news });
}

/**
 * Checks the key before the journal is read, because another folder's exchange must not cause it to be moved aside.
 * Only a paper exchange can be another folder's; with a live one the loop keeps asking if nothing answers.
 */
async function checkPaperKey({ settings, keys, paper }: BotParts): Promise<void> {
  if (!paper?.found) return;
  const session = openVenueSession(settings, keys);
  try {
    await checkKey(session, settings);
    await session.rest();
  } finally {
    session.close();
  }
}

function tellHowItBegins(log: Log, paper: PaperProcess | null, putAside: string | null): void {
  if (paper?.found) {
    log.logEvent({
      op: 'starting',
      message: `The paper exchange at ${paper.url} was running already: going on with it.`,
    });
  }
  for (const message of paper?.warnings ?? []) log.logEvent({ op: 'starting', level: 'warn', message });
  if (putAside === null) return;
  const message = `The journal’s paper exchange is gone: starting fresh. The old journal is kept as ${putAside}.`;
  log.logEvent({ op: 'state-folder', level: 'warn', message });
}

interface Listening {
  readonly memory: Memory;
  readonly deadMan: DeadManSwitch;
  readonly metrics: Metrics;
  readonly spent: SpentRequests;
}

/** Turns the loop's notices into log lines and metrics; keeps the first fatal error for those who wait for it. */
function listen(log: Log, { metrics, memory, spent, deadMan }: Listening) {
  let broken = false;
  const { promise: fatal, resolve: end } = Promise.withResolvers<unknown>();
  const repeats = repeatedNotices();
  // Runs until the process ends: a repetition may be over long after the loop's last notice.
  setInterval(() => {
    for (const notice of repeats.due(realClock.now())) write(notice, log);
  }, REPEATS_EVERY_MS).unref();
  const listener: LoopListener = {
    notice: (notice) => {
      const line = repeats.take(notice, realClock.now());
      metrics.countNotice(notice);
      memory.notice(notice, line !== null);
      if (line !== null) write(line, log);
    },
    completed: (chosen, completed) => {
      spent.take(chosen, completed);
      const { kind, outcome, facts } = completed;
      metrics.countRequest(ENDPOINTS[kind].lane === 'private' ? 'private' : 'public', completed);
      memory.completed(chosen, completed);
      const durationMs = facts.receivedAt - facts.sentAt;
      log.logEvent({ op: 'request', level: 'debug', kind, outcome: outcome.kind, durationMs, purpose: chosen.purpose });
    },
    passed: (pass) => deadMan.passed(pass),
    fatal: (error) => {
      broken = true;
      deadMan.broken();
      end(error);
    },
  };
  return { listener, fatal, isBroken: () => broken };
}

function write({ level, op, message, symbol, intentId, orderId }: Notice, log: Log): void {
  const named = { ...(symbol && { symbol }), ...(intentId && { intentId }), ...(orderId && { orderId }) };
  log.logEvent({ op, level: level === 'page' ? 'error' : level, message, ...named });
  if (op === 'ready') tellStarter('ready');
}

/** Measures each commit, and tells the page what happened to each order. */
function heard(
  storage: BotJournal,
  { metrics, page }: { readonly metrics: Metrics; readonly page: BotPage },
): BotJournal {
  return {
    ...storage,
    append: (records) => {
      const from = realClock.monotonic();
      storage.append(records);
      metrics.observeJournalCommit((realClock.monotonic() - from) / 1_000);
      page.wrote(records);
    },
  };
}

/**
 * Reports halts found at the start. People may have heard since that they are over, or never heard of them: the state
 * folder was restored, or a channel is new. `before`: the journal's content before the start.
 */
export function tellHalted(
  before: Durable | null,
  state: With<'durable' | 'markets'>,
  log: Pick<Log, 'logEvent'>,
): void {
  if (before === null) return;
  for (const symbol of symbolsOf(state)) {
    const was = marketIn(before, symbol).halt;
    const halt = marketIn(state.durable, symbol).halt;
    if (was === null || halt === null || halt.reason !== was.reason) continue;
    const message = `${symbol} is halted: ${halt.reason}`;
    log.logEvent({ op: 'symbol-halted', level: 'error', symbol, message });
  }
}
