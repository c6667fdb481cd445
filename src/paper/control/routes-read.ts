// Routes of the control interface that only look: what the exchange is, what is true in it, and what was asked of it.
import { z } from 'zod';
import { plain } from '../../domain/decimal.ts';
import { crowdTime } from '../state/crowd-clock.ts';
import { type ExchangeState, ownTime } from '../state/state.ts';
import { type ControlRoute, done, route } from './route.ts';
import { truth } from './truth.ts';

const flag = () =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true');
const wholeNumber = (standard: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: 'a whole number' })
    .default(String(standard))
    .transform(Number)
    .refine((value) => value <= most, { error: `is more than ${most}` });

export const READ_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/state',
    summary: 'What the exchange is: instance, time, instruments, charges, accounts, what is in flight.',
    answer: ({ state, now }) => done(describe(state, now)),
  }),
  route({
    method: 'GET',
    path: '/truth',
    summary:
      'Balances, open orders, transfers and simple trades of every account, without lags; `fills=true` adds the ' +
      'fills, `others=true` the crowd, fees and tax.',
    given: z.strictObject({ fills: flag(), others: flag() }),
    answer: ({ state }, { given }) => done(truth(state, given)),
  }),
  route({
    method: 'GET',
    path: '/requests',
    summary:
      'Which request became which order: the last requests, oldest first, with what the exchange answered to each ' +
      'copy and the fault that befell it; `after` a number, `limit` at most.',
    given: z.strictObject({ after: wholeNumber(0, Number.MAX_SAFE_INTEGER), limit: wholeNumber(100, 5_000) }),
    answer: ({ requests }, { given }) => done(requests.since(given.after, given.limit)),
  }),
];

function describe(state: ExchangeState, now: number): object {
  const { engine, apiKeyHeader, speedFactor } = state.settings;
  const { lastAt } = state;
  return {
    instanceId: state.instanceId,
    now,
    ownTime: ownTime(state, lastAt),
    crowdTime: Math.floor(crowdTime(state.crowdClock, speedFactor, lastAt)),
    speedFactor,
    apiKeyHeader,
    instruments: engine.instruments.map(({ symbol, tickSize, lotSize, minNotional }) => ({
      symbol,
      tickSize: plain(tickSize),
      lotSize: plain(lotSize),
      minNotional: plain(minNotional),
    })),
    makerFeeRatio: plain(engine.makerFeeRatio),
    takerFeeRatio: plain(engine.takerFeeRatio),
    tdsRatio: plain(engine.tdsRatio),
    rounding: engine.rounding,
    buyerFeeAsset: engine.buyerFeeAsset,
    selfTrade: engine.selfTrade,
    crossing: engine.crossing,
    accounts: [...state.accounts.keys()],
    inFlight: state.inFlight.waiting.length,
  };
}
