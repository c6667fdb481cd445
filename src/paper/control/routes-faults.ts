// Routes of the control interface that order what goes wrong: failures with a code, and faults on the way.
import { z } from 'zod';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import { ERROR_CODES } from '../../venue/error-codes.ts';
import { addRule, DELIVERY_RULES_MAX, faultOrderSchema, removeRules } from '../delivery/delivery.ts';
import { control } from '../exchange.ts';
import type { FailureRule } from '../wire/failures.ts';
import { type ControlAnswer, type ControlRoute, done, refused, route } from './route.ts';

const endpointNames = Object.values(ENDPOINTS).map(({ name }) => name);
const word = () => z.string().min(1).max(200);
const CODES = ERROR_CODES.map(({ code }) => code);
const failureRule = z.strictObject({
  endpoint: z.enum(endpointNames).nullable().default(null),
  path: word().exactOptional(),
  account: word().exactOptional(),
  symbol: word().exactOptional(),
  code: z.literal(CODES),
  skip: z.int().min(0).max(1_000_000).default(0),
  times: z.int().min(1).max(1_000_000).nullable().default(1),
  processed: z.boolean().default(false),
}) satisfies z.ZodType<FailureRule>;
const FAILURES_MAX = 1_000;

export const FAULT_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/failures',
    summary: 'Calls that are going to fail with a code; those that are used up are gone.',
    answer: ({ state }) => done(state.controls.failures),
  }),
  route({
    method: 'POST',
    path: '/failures',
    summary:
      'The next `times` calls (`null`: all) of an endpoint, path, account or symbol fail with one of the ' +
      'documented codes, after `skip` that don’t; with `processed` the work is done all the same.',
    given: failureRule,
    example: { endpoint: 'create', code: -5013, times: 1, processed: true },
    answer: ({ state }, { given }) => {
      const { failures } = state.controls;
      if (failures.length >= FAILURES_MAX) return tooMany('failures', FAILURES_MAX);
      control(state, { failures: [...failures, given] });
      return done(state.controls.failures);
    },
  }),
  route({
    method: 'DELETE',
    path: '/failures',
    summary: 'Nothing is going to fail any more.',
    answer: ({ state }) => {
      control(state, { failures: [] });
      return done([]);
    },
  }),
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
      if (delivery.rules.length >= DELIVERY_RULES_MAX) return tooMany('faults', DELIVERY_RULES_MAX);
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

function tooMany(what: string, most: number): ControlAnswer {
  return refused(409, what, `${what}: there are ${most} already; take some away first.`);
}
