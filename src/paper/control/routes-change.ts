// Routes of the control interface that change the exchange's behavior: quirks, maintenance, clock, limits.
import { z } from 'zod';
import type { Result } from '../../domain/result.ts';
import { type DurationMs, HOUR } from '../../domain/time.ts';
import {
  addRule,
  DELIVERY_RULES_MAX,
  endpointNames,
  faultOrderSchema,
  removeRules,
  word,
} from '../delivery/delivery.ts';
import { advance } from '../engine/advance.ts';
import { control } from '../exchange.ts';
import { applyOwnerAction } from '../owner/owner-action.ts';
import { ownerActionSchema } from '../state/owner-actions.ts';
import { clockTime, crowdTime, type ExchangeState } from '../state/state.ts';
import { quirkChangesSchema } from '../wire/quirks.ts';
import { type ControlAnswer, type ControlRoute, done, refused, route } from './route.ts';

const windows = () =>
  z
    .array(z.strictObject({ requests: z.int().min(1).max(1_000_000), perMs: z.int().min(1).max(86_400_000) }))
    .max(10)
    .exactOptional();

const controlChanges = z.strictObject({
  maintenance: z.boolean().exactOptional(),
  disabledEndpoints: z.array(z.enum(endpointNames)).exactOptional(),
  unidentifiedKeys: z.array(word()).exactOptional(),
  frozenSymbols: z.array(word()).exactOptional(),
  frozenAccounts: z.array(word()).exactOptional(),
  clockOffsetMs: z.int().min(-31_622_400_000).max(31_622_400_000).exactOptional(),
  rateLimits: z.strictObject({ public: windows(), private: windows(), legacy: windows() }).exactOptional(),
});
type ControlChanges = z.output<typeof controlChanges>;

export const CHANGE_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/quirks',
    summary: 'All quirks as they are.',
    answer: ({ state }) => done(state.controls.quirks),
  }),
  route({
    method: 'PATCH',
    path: '/quirks',
    summary: 'Changes those that are named (docs/paper-exchange.md lists them).',
    given: quirkChangesSchema,
    example: { codeAs: 'string', openOrdersLagMs: 2_000 },
    answer: ({ state }, { given }) => {
      control(state, { quirks: { ...state.controls.quirks, ...given } });
      return done(state.controls.quirks);
    },
  }),
  route({
    method: 'GET',
    path: '/controls',
    summary: 'Maintenance, what is disabled and frozen, clock offset, rate limits.',
    answer: ({ state }) => done(controlsOf(state)),
  }),
  route({
    method: 'PATCH',
    path: '/controls',
    summary:
      'Changes those that are named: maintenance, disabledEndpoints, unidentifiedKeys, frozenSymbols, ' +
      'frozenAccounts, clockOffsetMs, rateLimits; a list takes the place of the one before.',
    given: controlChanges,
    example: { maintenance: false, frozenSymbols: ['BTC/INR'], clockOffsetMs: -1_500 },
    answer: ({ state }, { given }) => changeControls(state, given),
  }),
  route({
    method: 'DELETE',
    path: '/rate-counts',
    summary: 'Every caller begins a new window of its rate limit.',
    answer: ({ state }) => {
      state.rateCounts.key.clear();
      state.rateCounts.address.clear();
      return done({});
    },
  }),
];

function controlsOf({ controls }: ExchangeState): object {
  const { quirks, delivery, ...rest } = controls;
  return rest;
}

function changeControls(state: ExchangeState, given: ControlChanges): ControlAnswer {
  const { rateLimits = {}, ...rest } = given;
  const unknown = unknownName(state, given);
  if (unknown !== null) return unknown;
  control(state, { ...rest, rateLimits: { ...state.controls.rateLimits, ...rateLimits } });
  return done(controlsOf(state));
}

/** Refuses unknown names: they would silently change nothing. */
function unknownName(state: ExchangeState, given: ControlChanges): ControlAnswer | null {
  const symbols = state.settings.engine.instruments.map(({ symbol }) => symbol);
  const lists: [string, readonly string[] | undefined, readonly string[]][] = [
    ['frozenSymbols', given.frozenSymbols, symbols],
    ['frozenAccounts', given.frozenAccounts, [...state.accounts.keys()]],
    ['unidentifiedKeys', given.unidentifiedKeys, [...state.callers.keys()]],
  ];
  for (const [field, names = [], known] of lists) {
    const index = names.findIndex((name) => !known.includes(name));
    const place = `${field}[${index}]`;
    if (index >= 0) return refused(404, place, `${place}: "${names[index]}" is not one of ${known.join(', ')}.`);
  }
  return null;
}

// Routes of the control interface that trigger events: owner actions, crowd actions, passing time.

/** How often a long stretch is continued when the steps of one call are not enough. */
const ROUNDS_MAX = 20;

export const ACT_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'POST',
    path: '/owner-actions',
    summary: 'Something that the owner or the world does to an account (docs/paper-exchange.md lists them).',
    given: ownerActionSchema,
    example: { kind: 'fiat-deposit', account: 'owner', amount: '5000', status: 'success' },
    answer: ({ state, now }, { given }) => answerOf(applyOwnerAction(state, given, now)),
  }),
  route({
    method: 'POST',
    path: '/advance',
    summary:
      "Lets the others act at once as much as they would in `ms` of their clock, an hour at most; the exchange's " +
      'own clock stays.',
    given: z.strictObject({ ms: z.int().min(1).max(HOUR) }),
    example: { ms: 60_000 },
    answer: ({ state }, { given: { ms } }) => done({ advancedMs: advanceCrowd(state, ms) }),
  }),
];

/** A refusal without a field: its sentence names its own subject. */
function answerOf(result: Result<object>): ControlAnswer {
  return result.ok ? done(result.value) : refused(409, '', result.error);
}

/** The part of `ms` that was covered. */
function advanceCrowd(state: ExchangeState, ms: DurationMs): DurationMs {
  const at = state.lastAt;
  const from = crowdTime(state.crowdClock, at);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    state.crowdClock = { venueAt: at, crowdAt: from + ms };
    advance(state, clockTime(state, at));
    if (crowdTime(state.crowdClock, at) >= from + ms) break;
  }
  return Math.floor(crowdTime(state.crowdClock, at) - from);
}

// Routes of the control interface that order faults in transit.

export const FAULT_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/faults',
    summary: 'The faults that were ordered, and how many requests each has seen and hit.',
    answer: ({ state }) => done(state.controls.delivery.rules),
  }),
  route({
    method: 'POST',
    path: '/faults',
    summary: 'Orders a fault for the next `times` requests that match, after `skip` (docs/paper-exchange.md).',
    given: faultOrderSchema,
    example: { match: { endpoint: 'create' }, times: 1, fault: { kind: 'drop', processed: true } },
    answer: ({ state }, { given }) => {
      const { delivery } = state.controls;
      if (delivery.rules.length >= DELIVERY_RULES_MAX)
        return refused(409, 'faults', `faults: there are ${DELIVERY_RULES_MAX} already; take some away first.`);
      control(state, { delivery: addRule(delivery, given) });
      return done(state.controls.delivery.rules.at(-1));
    },
  }),
  route({
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Takes one away.',
    params: z.strictObject({ id: z.string() }),
    answer: ({ state }, { params: { id } }) => {
      const { delivery } = state.controls;
      if (!delivery.rules.some((rule) => rule.id === id)) return refused(404, 'id', `id: there is no fault ${id}.`);
      control(state, { delivery: removeRules(delivery, id) });
      return done(state.controls.delivery.rules);
    },
  }),
  route({
    method: 'DELETE',
    path: '/faults',
    summary: 'Takes all away.',
    answer: ({ state }) => {
      control(state, { delivery: removeRules(state.controls.delivery, null) });
      return done([]);
    },
  }),
];
