// Routes of the control interface by which something happens: the owner acts, the others in the market act, time
// passes.
import { z } from 'zod';
import type { Result } from '../../domain/result.ts';
import type { DurationMs } from '../../domain/time.ts';
import { advance } from '../engine/advance.ts';
import { applyOwnerAction } from '../owner/owner-action.ts';
import { crowdTime } from '../state/crowd-clock.ts';
import { clockTime, type ExchangeState } from '../state/state.ts';
import { assetSettingsFields, ownerActionSchema } from './owner-schema.ts';
import { type ControlAnswer, type ControlRoute, done, refused, route } from './route.ts';

const HOUR_MS = 3_600_000;
/** How often a long stretch is taken up again where the steps of one call are not enough. */
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
    method: 'GET',
    path: '/assets',
    summary: 'What the list of assets says.',
    answer: ({ state }) => done([...state.backOffice.assets.values()]),
  }),
  route({
    method: 'PATCH',
    path: '/assets/:asset',
    summary: 'Changes what it says of one: name, status (ACTIVE, INACTIVE), networks; a new asset is listed.',
    params: z.strictObject({ asset: z.string() }),
    given: z.strictObject(assetSettingsFields),
    example: { status: 'INACTIVE' },
    answer: ({ state, now }, { params: { asset }, given }) => {
      const answer = answerOf(applyOwnerAction(state, { kind: 'asset-settings', asset, ...given }, now));
      return answer.kind === 'done' ? done(state.backOffice.assets.get(asset)) : answer;
    },
  }),
  route({
    method: 'POST',
    path: '/tick',
    summary: 'Lets the others act until now. They do so by themselves four times a second and at every request.',
    answer: ({ state }) => done({ now: state.lastAt }),
  }),
  route({
    method: 'POST',
    path: '/advance',
    summary:
      "Lets the others act at once as much as they would in `ms` of their clock, an hour at most; the exchange's " +
      'own clock stays.',
    given: z.strictObject({ ms: z.int().min(1).max(HOUR_MS) }),
    example: { ms: 60_000 },
    answer: ({ state }, { given: { ms } }) => done({ advancedMs: advanceCrowd(state, ms) }),
  }),
];

/** The sentence of a refusal begins with what it is about: there is no field to name. */
function answerOf(result: Result<object>): ControlAnswer {
  return result.ok ? done(result.value) : refused(409, '', result.error);
}

/** How much of `ms` they came to. */
function advanceCrowd(state: ExchangeState, ms: DurationMs): DurationMs {
  const { speedFactor } = state.settings;
  const at = state.lastAt;
  const from = crowdTime(state.crowdClock, speedFactor, at);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    state.crowdClock = { venueAt: at, crowdAt: from + ms };
    advance(state, clockTime(state, at));
    if (crowdTime(state.crowdClock, speedFactor, at) >= from + ms) break;
  }
  return Math.floor(crowdTime(state.crowdClock, speedFactor, at) - from);
}
