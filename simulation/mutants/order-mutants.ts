// Bugs in the knowledge of orders: creates and cancels with an open fate, lists that prove less than they seem to, and
// canceling for a dead bot.
import type { Mutant } from './mutant.ts';

export const ORDER_MUTANTS: readonly Mutant[] = [
  {
    id: 'm1',
    sentence: 'A create that got 504 is sent again.',
    patches: [
      {
        find: 'const result = await transport.send({ ...wire.http, signal });',
        put: `let result = await transport.send(wire.http);
            if (request.kind === 'create' && result.kind === 'response' && result.status === 504)
              result = await transport.send(wire.http);`,
      },
    ],
    under: ['F02'],
    seed: 0,
    invariant: 'S1',
  },
  {
    id: 'm2',
    sentence: 'A create whose answer timed out counts as failed.',
    patches: [
      {
        find: `export function classifyCreate(result: HttpResult, dialect: Dialect): CreateOutcome {
  if (result.kind === 'fault') return { kind: result.fault.sent ? 'unknown' : 'not-sent', fault: result.fault };`,
        put: `export function classifyCreate(result: HttpResult, dialect: Dialect): CreateOutcome {
  if (result.kind === 'fault') return { kind: 'not-sent', fault: result.fault };`,
      },
    ],
    under: ['F01', 'F09'],
    seed: 0,
    invariant: 'R1',
  },
  {
    id: 'm3',
    sentence: 'A list that could not be read counts as an empty list.',
    patches: [
      {
        find: "if (outcome.kind === 'read') return observeOpenOrders(turn, markets, request, outcome.read);",
        put: `return observeOpenOrders(
            turn,
            markets,
            request,
            outcome.kind === 'read'
              ? outcome.read
              : { rows: [], complete: true, sentAt: turn.now, receivedAt: turn.now },
          );`,
      },
    ],
    under: ['F75', 'F01'],
    seed: 7,
    invariant: 'S8',
  },
  {
    id: 'm4',
    sentence: 'The intent becomes durable only after its create has left.',
    patches: [{ find: 'take(loop, committed.effects);', put: 'setTimeout(() => take(loop, committed.effects), 5);' }],
    under: ['F90'],
    seed: 0,
    invariant: 'S2',
  },
  {
    id: 'm5',
    sentence: 'A page of exactly 20 rows counts as complete.',
    patches: [
      {
        find: 'const cutAt = counts.find((count) => page.caps.includes(count));',
        put: 'const cutAt = counts.find((count) => count === 51);',
      },
    ],
    under: ['F31'],
    seed: 0,
    invariant: 'S8',
  },
  {
    id: 'm6',
    sentence: 'An order is closed as soon as one list lacks it.',
    patches: [
      {
        find: 'apartMs: isCanceled(state.orders, intent) ? canceledApartMs : lagBoundMs(state.settings),',
        put: 'apartMs: 0,',
      },
      { find: 'if (found === null) return null;\n    reads =', put: 'reads =' },
    ],
    under: ['F34', 'F41'],
    seed: 0,
    invariant: 'R1',
  },
  {
    id: 'm7',
    sentence: 'An unknown create does not count as exposure, and its slot is free.',
    patches: [
      {
        find: 'if (intent.symbol === symbol) live.push(intent);',
        put: "if (intent.symbol === symbol && intent.state !== 'unknown') live.push(intent);",
      },
    ],
    under: ['F01', 'F02'],
    seed: 0,
    invariant: 'S3',
  },
  {
    id: 'm8',
    sentence: 'Absence is concluded before the horizon.',
    patches: [
      {
        find: 'return Math.max(Math.max(intent.horizon, fence?.answeredAt ?? 0) + boundMs, intent.since);',
        put: 'return intent.since;',
      },
    ],
    under: ['F02'],
    seed: 0,
    invariant: 'E2',
  },
  {
    id: 'm9',
    sentence: 'A cancel that was acknowledged closes its order as unfilled.',
    patches: [
      {
        find: `if (!intent) return;
  emit(turn, {`,
        put: `if (!intent) return;
            if (outcome.kind === 'acknowledged')
              return emit(turn, { type: 'closed', payload: { intentId: id, as: 'canceled', at: now } });
  emit(turn, {`,
      },
    ],
    under: ['F26', 'F24', 'F41'],
    seed: 0,
    invariant: 'S8',
  },
  {
    id: 'm11',
    sentence: 'Own trades are read from after the last one known, with nothing to prove that the pages join.',
    patches: [
      {
        find: "return { by: 'from-id', fromId: id, since: venueTime };",
        put: `const after = id === FIRST_ID ? id : tradeId(String(BigInt(id) + 1n));
  return { by: 'from-id', fromId: after, since: venueTime };`,
      },
      {
        find: "if (lastId === undefined) return { kind: full ? 'more' : 'complete' };",
        put: "if (lastId === undefined || filter.by === 'from-id') return { kind: full ? 'more' : 'complete' };",
      },
    ],
    under: ['F40'],
    seed: 0,
    invariant: 'R6',
  },
  {
    id: 'm23',
    sentence: 'A create that is answered by 200 and a message counts as accepted.',
    patches: [
      {
        find: "if (msg !== null) return { kind: 'soft-rejected', msg };",
        put: "if (msg !== null) return { kind: 'accepted', orderId: orderId(String(undefined)) };",
      },
    ],
    under: ['F06', 'F07'],
    seed: 2,
    invariant: 'S5',
  },
  {
    id: 'm24',
    sentence: 'An older list overwrites what is known since.',
    patches: [
      {
        find: '? sentAt > listedAt : sentAt >= from + lagBoundMs(settings) && sentAt > intent.since;',
        put: '? sentAt > listedAt : true;',
      },
      { find: 'return takesEffectBy(state, intent) + boundMs;', put: 'return takesEffectBy(state, intent);' },
    ],
    under: ['F12', 'F36'],
    seed: 1,
    invariant: 'E1',
  },
  {
    id: 'm31',
    sentence: 'A level is free as soon as the cancel of its order was sent.',
    patches: [
      { find: "return state === 'cancel-sent' && cancel === 'acknowledged';", put: "return state === 'cancel-sent';" },
    ],
    under: ['F23'],
    seed: 18,
    invariant: 'S3',
  },
  {
    id: 'm49',
    sentence: 'One list that left late enough proves a create absent, and not two.',
    patches: [
      {
        find: 'apartMs: isCanceled(state.orders, intent) ? canceledApartMs : lagBoundMs(state.settings),',
        put: 'apartMs: intent.orderId === null || isCanceled(state.orders, intent) ? 0 : lagBoundMs(state.settings),',
      },
    ],
    under: ['F02'],
    seed: 0,
    invariant: 'E2',
  },
  {
    id: 'm51',
    sentence: 'The stop is content with one list that shows nothing of ours.',
    patches: [
      {
        find: '{ countsFrom: shows, apartMs: 1 }',
        put: '{ countsFrom: shows, apartMs: 0 }',
      },
    ],
    under: null,
    seed: 0,
    invariant: 'E4',
  },
  {
    id: 'm57',
    sentence: 'The watchdog cancels as soon as it has sent SIGTERM, while the bot may still be there.',
    patches: [
      {
        find: `if (isGone(bot)) {
    const next = withKill(state, { end: { ...end, isGone: true } });
    return toClearing(`,
        put: `if (isGone(bot) || end.killedAt === null) {
    const next = withKill(state, { end: { ...end, isGone: true } });
    return toClearing(`,
      },
    ],
    under: ['F124'],
    seed: 6,
    invariant: 'S10',
  },
  {
    id: 'm58',
    sentence: 'The watchdog is content with one list that shows nothing of ours.',
    patches: [
      {
        find: 'if (scope.lacked.againAt === null) {',
        put: 'if (scope.lacked.firstAt === null) {',
      },
    ],
    under: ['F125'],
    seed: 1,
    invariant: 'D3',
  },
  {
    id: 'm59',
    sentence: 'The watchdog cancels the whole account, also one that it shares with its owner.',
    patches: [
      {
        find: "whose: trader.foreignOrders === 'refuse' ? 'account' : 'own',",
        put: "whose: trader.foreignOrders === 'refuse' ? 'account' : 'account',",
      },
    ],
    under: ['F125'],
    seed: 2,
    invariant: 'D1',
  },
];
