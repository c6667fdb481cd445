// A stop while a create is on its way (F100): the bot does not end before it knows what became of it, or says that it
// does not know.
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, until } from './bot-process.ts';
import { type ControlledProject, controlledProject, type Label } from './controlled-project.ts';
import type { Program } from './start-program.ts';

afterEach(endProjects);

/**
 * Time enough for a busy machine to send the signal and to hear of it, before anything comes of the create or the bot
 * gives up waiting.
 */
const CREATE_MS = 5_000;
const MEANWHILE_MS = 5_000;
/** A bot that waits for longer than that. */
const PATIENT_MS = 12_000;
const RECEIVE_MS = 15_000;
/** The fourth create meets the fault: others are on the book already. */
const BEFORE = 3;

interface Caught {
  readonly controlled: ControlledProject;
  readonly bot: Program;
  /** The create that was on its way when the signal came, as the exchange saw it. */
  flown(): Promise<Label>;
}

/** A bot that gets SIGTERM while one of its first creates is on its way and meets `fault`. */
async function stoppedInFlight(fault: object, createMs = CREATE_MS): Promise<Caught> {
  const controlled = await controlledProject({
    'advanced.timeoutMs': createMs,
    'assumptions.recvWindowMs': RECEIVE_MS,
  });
  const { project } = controlled;
  // It outlives the bot, and is ended with the project.
  await project.exchange();
  const id = await controlled.fault({ match: { endpoint: 'create' }, skip: BEFORE, fault });
  const bot = project.bot();
  await controlled.met(id);
  bot.signal('SIGTERM');
  await bot.said('"op":"told-to-stop"');
  const flown = async (): Promise<Label> => {
    const create = (await controlled.creates())[BEFORE];
    if (create === undefined) throw new Error('There is no such create.');
    return create;
  };
  return { controlled, bot, flown };
}

/** Of the log: when an operation was first told, by the wall clock. */
function toldAt(bot: Program, op: string): number {
  const line = bot
    .out()
    .split('\n')
    .find((each) => each.includes(`"op":"${op}"`));
  if (line === undefined) throw new Error(`It has not told ${op}.`);
  return Date.parse(JSON.parse(line).time);
}

/** What the journal says of creates whose answer came after the signal, or never. */
function outcomesAfter({ controlled, bot }: Caught): readonly unknown[] {
  const from = toldAt(bot, 'told-to-stop');
  return controlled.project
    .journalled('create-outcome')
    .flatMap(({ at, outcome }) => (Number(at) >= from ? [outcome] : []));
}

/** Nothing open, nothing forgotten: every intent of the journal is closed, and the ledger is the wallet. */
async function expectFlat({ controlled: { project }, bot }: Caught): Promise<void> {
  const { code, out } = await bot.ended;
  expect({ code, out: code === 0 ? '' : out }).toEqual({ code: 0, out: '' });
  const { orders, totals } = await project.truth();
  expect(orders).toEqual([]);
  const ids = (type: string): unknown[] => project.journalled(type).map(({ intentId }) => intentId);
  expect(ids('closed').toSorted()).toEqual(ids('intent').toSorted());
  expect(project.ledger()).toEqual(totals);
}

describe('SIGTERM while a create is on its way that the exchange', () => {
  test('takes, and whose answer comes late: the order is named, canceled, proved gone', async () => {
    const caught = await stoppedInFlight({ kind: 'delay', afterMs: MEANWHILE_MS }, PATIENT_MS);
    await expectFlat(caught);
    expect(outcomesAfter(caught)).toContain('accepted');
    expect((await caught.flown()).outcomes[0]?.orderId).toMatch(/^1-/);
  });

  test('takes, and never answers: it is unknown, then found, canceled, proved gone', async () => {
    const caught = await stoppedInFlight({ kind: 'delay', afterMs: 60_000 });
    await expectFlat(caught);
    expect(outcomesAfter(caught)).toContain('unknown');
    const orderId = (await caught.flown()).outcomes[0]?.orderId;
    expect(orderId).toMatch(/^1-/);
    const { project } = caught.controlled;
    expect(project.journalled('adopted')).toContainEqual(expect.objectContaining({ orderId }));
    expect(project.journalled('closed').map(({ as }) => as)).not.toContain('not-placed');
  });

  test('never gets: that it was not placed is proved before the end', async () => {
    const caught = await stoppedInFlight({ kind: 'drop', processed: false, afterMs: MEANWHILE_MS }, PATIENT_MS);
    await expectFlat(caught);
    expect(outcomesAfter(caught)).toContain('unknown');
    expect((await caught.flown()).outcomes).toEqual([]);
    expect(caught.controlled.project.journalled('adopted')).toEqual([]);
  });
});

describe('SIGTERM while a create is on its way, and neither cancels nor lists of orders are answered any more', () => {
  test('it ends with 75 and says how many orders may be open; the next start finds them all', async () => {
    const caught = await stoppedInFlight({ kind: 'delay', afterMs: 60_000 });
    const { controlled, bot } = caught;
    const { project } = controlled;
    // Where nothing at all is answered, a stop waits for the exchange; here it has its bound.
    for (const endpoint of ['cancel', 'open-orders']) {
      await controlled.fault({ match: { endpoint }, times: null, fault: { kind: 'reset', processed: false } });
    }
    const { code, out } = await bot.ended;
    expect(code).toBe(75);
    expect(out).toMatch(/Own orders that may be open: \d+\./);
    const unnamed = (await caught.flown()).outcomes[0]?.orderId;
    const open = await controlled.orderIds();
    expect(open).toContain(unnamed);
    for (const orderId of open) {
      if (orderId !== unnamed) expect(out).toContain(`, order ${orderId}.`);
    }
    expect(out).toMatch(/May be open: \S+ \S+ \S+ @ \S+, not named by the exchange\./);
    await controlled.control('DELETE', '/faults');
    const next = await project.readyBot();
    await until('nothing is unknown', async () => (await project.status()).trader.unknownOrders === 0);
    next.signal('SIGTERM');
    await expectFlat({ ...caught, bot: next });
  });
});
