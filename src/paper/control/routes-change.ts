// Routes of the control interface that change how the exchange behaves: quirks, maintenance, clock, limits.
import { z } from 'zod';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import { control } from '../exchange.ts';
import type { ExchangeState } from '../state/state.ts';
import { quirkChangesSchema } from './quirk-schema.ts';
import { type ControlAnswer, type ControlRoute, done, refused, route } from './route.ts';

const endpointNames = Object.values(ENDPOINTS).map(({ name }) => name);
const word = () => z.string().min(1).max(200);
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
  const { quirks, failures, delivery, ...rest } = controls;
  return rest;
}

function changeControls(state: ExchangeState, given: ControlChanges): ControlAnswer {
  const { rateLimits = {}, ...rest } = given;
  const unknown = unknownName(state, given);
  if (unknown !== null) return unknown;
  control(state, { ...rest, rateLimits: { ...state.controls.rateLimits, ...rateLimits } });
  return done(controlsOf(state));
}

/** A name that means nothing here would change nothing, and nobody would see why. */
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
