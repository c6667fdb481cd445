// Each fault does to one message what it says, and to no other.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { drawFault, MESSAGE_FAULTS, type MessageFault } from '../../../simulation/faults/fault-plan.ts';
import { faultyTransport } from '../../../simulation/faults/faulty-transport.ts';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import type { HttpRequest, HttpResult, Transport } from '../../../src/ports/transport.ts';

const START = 1_700_000_000_000;
const DEADLINE_MS = 1_000;
const REQUEST: HttpRequest = {
  method: 'POST',
  url: 'http://127.0.0.1/api/v1/spot/order/create?x=1',
  headers: {},
  body: '{}',
  deadlineMs: DEADLINE_MS,
};
const ANSWER = '{"data":{"order_id":"1-7-1"}}';

let time: VirtualTime;

beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

/** Sends one message through one certain fault. */
async function through(kind: MessageFault, draw = 0.5): Promise<{ result: HttpResult; delivered: number[] }> {
  const delivered: number[] = [];
  const inner: Transport = {
    send: async () => {
      const sentAt = time.clock.now();
      delivered.push(sentAt - START);
      await time.sleep(10);
      return { kind: 'response', status: 200, headers: {}, body: ANSWER, sentAt, receivedAt: time.clock.now() };
    },
    close: () => {},
  };
  let draws = 0;
  const random = { next: () => (draws++ === 0 ? 0 : draw) };
  const plan = { chances: { [kind]: 1 }, until: START + 60_000 };
  const transport = faultyTransport({ inner, plan, clock: time.clock, sleep: time.sleep, random });
  let result: HttpResult | null = null;
  void transport.send(REQUEST).then((came) => {
    result = came;
  });
  await time.run(START + 10_000);
  if (result === null) throw new Error('No answer came.');
  return { result, delivered };
}

const shown = (result: HttpResult): string =>
  result.kind === 'fault'
    ? `${result.fault.reason}, ${result.fault.sent ? 'sent' : 'not sent'}`
    : `${result.status} ${result.body.slice(0, 29)}`;

describe('a message that is', () => {
  test.each<[MessageFault, number, string]>([
    ['not-sent', 0, 'refused, not sent'],
    ['lost-before', 0, 'timeout, sent'],
    ['lost-after', 1, 'reset, sent'],
    ['twice', 2, `200 ${ANSWER}`],
    ['throttled', 0, '429 {"code":-1003,"msg":"Too many'],
    ['unavailable', 0, '503 {"code":-1125,"msg":"Maintena'],
    ['unavailable-done', 1, '503 {"code":-1125,"msg":"Maintena'],
    ['gateway', 1, '504 <html><body>504 Gateway Time-'],
    ['page', 0, '200 <html><body>Please sign in to'],
    ['cut', 1, `200 ${ANSWER.slice(0, 14)}`],
    ['empty', 1, '200 {"data":null}'],
    ['denied-done', 1, '200 {"msg":"The order was rejecte'],
  ])('%s arrives %d times and is answered: %s', async (kind, times, answer) => {
    const { result, delivered } = await through(kind);
    expect(delivered).toHaveLength(times);
    expect(shown(result)).toBe(answer);
  });

  test.each([
    ['""', 6.5 / 9],
    ['0', 7.5 / 9],
    ['null', 8.5 / 9],
  ])('empty names no order by %s (F05)', async (id, draw) => {
    expect(shown((await through('empty', draw)).result)).toBe(`200 {"data":{"order_id":${id}}}`);
  });

  test.each([
    ['a little, and is answered in time', 0.25, 375, `200 ${ANSWER}`],
    ['too long, and arrives after it was given up', 0.9, 1_350, 'timeout, sent'],
  ])('held %s', async (_name, draw, arrives, answer) => {
    const { result, delivered } = await through('held', draw);
    expect(delivered).toEqual([arrives]);
    expect(shown(result)).toBe(answer);
    expect(result.sentAt).toBe(START);
  });
});

test('every fault of the catalogue can be drawn, and what is left over spares the message', () => {
  const chances = Object.fromEntries(MESSAGE_FAULTS.map((kind) => [kind, 0.04]));
  const plan = { chances, until: 0 };
  const drawn = MESSAGE_FAULTS.map((_kind, index) => drawFault(plan, index * 0.04 + 0.02));
  expect(drawn).toEqual([...MESSAGE_FAULTS]);
  expect(drawFault(plan, 0.99)).toBeNull();
});

test.each([
  ['after its time', START - 1, undefined],
  ['where the plan spares them', START + 60_000, () => false],
])('messages are left alone %s', async (_name, until, hits) => {
  const inner: Transport = {
    send: async () => ({ kind: 'response', status: 200, headers: {}, body: ANSWER, sentAt: START, receivedAt: START }),
    close: () => {},
  };
  const plan = { chances: { page: 1 }, until, ...(hits ? { hits } : {}) };
  const transport = faultyTransport({ inner, plan, clock: time.clock, sleep: time.sleep, random: { next: () => 0 } });
  expect(await transport.send(REQUEST)).toMatchObject({ body: ANSWER });
});
