// What asks changes nothing: of a state that can't be changed, all that pages, metrics, the loop and `plan` ask is
// answered, whatever is going on, and as it is of the state itself.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { tradeId } from '../../../../src/domain/ids.ts';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import { notReady } from '../../../../src/trader/decision/readiness.ts';
import { hasJumped } from '../../../../src/trader/decision/reference.ts';
import { decisionInputsOf, riskContext } from '../../../../src/trader/decision/view.ts';
import { liveIntents } from '../../../../src/trader/durable/durable.ts';
import { isUndecidable } from '../../../../src/trader/orders/settle.ts';
import type { TraderState } from '../../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { pickPrivate, pickPublic } from '../../../../src/trader/turns/candidates.ts';
import { wakeAt } from '../../../../src/trader/turns/next.ts';
import { hasDecided } from '../../../../src/trader/turns/preview.ts';
import { BTC, deskSettings, ETH, LAG_MS } from '../desk-settings.ts';
import { move } from '../money-kit.ts';
import { type Desk, fillNow, inSlot, quotingDesk, readyDesk, unknown } from '../trader-kit.ts';
import { frozenCopy } from './frozen.ts';

const LANES = ['public', 'private', 'legacy'] as const;

const askAll = (state: TraderState, now: number) => ({
  snapshot: takeSnapshot(state, now),
  wakes: LANES.map((lane) => wakeAt(state, lane, now)),
  picked: [pickPublic(state, now), pickPrivate(state, now)],
  decided: hasDecided(state, now),
  markets: [...state.markets.values()].map((market) => [
    notReady(state, market, now),
    decisionOf(state, market, now),
    decisionInputsOf(state, market).referencePrice,
    riskContext(state, market, now).totals,
    hasJumped(market),
    liveIntents(state.durable, market.symbol).map((intent) => isUndecidable(state, market, intent)),
  ]),
});

/** Of what is so now, and of what will have grown old. */
const LATER_MS = [0, 400, 1_500, 20_000];

function askWhile(desk: Desk, ms: number, everyMs = 700): void {
  for (let passed = 0; passed < ms; passed += everyMs) {
    desk.run(everyMs);
    const state = frozenCopy(desk.state());
    for (const later of LATER_MS) {
      const now = desk.now() + later;
      expect(askAll(state, now)).toEqual(askAll(desk.state(), now));
    }
  }
}

/** Nothing that is asked meanwhile makes it another run. */
function trace(play: (desk: Desk, go: (ms: number) => void) => void, isAsked: boolean): readonly unknown[] {
  const desk = readyDesk(deskSettings({ symbols: [BTC, ETH] }));
  play(desk, (ms) => (isAsked ? askWhile(desk, ms) : runInSteps(desk, ms)));
  return [
    desk.events,
    desk.sent.map(({ at, chosen }) => [at, chosen.key]),
    desk.notices,
    [...desk.state().markets.values()].map(({ denialCounts }) => [...denialCounts]),
  ];
}

function runInSteps(desk: Desk, ms: number, everyMs = 700): void {
  for (let passed = 0; passed < ms; passed += everyMs) desk.run(everyMs);
}

const away = (desk: Desk) => ({
  kind: 'throttled' as const,
  ...{
    status: 503,
    code: -1125,
    refusal: 'maintenance',
    throttledBy: 'exchange' as const,
    retryAt: desk.now() + 1_000,
    detail: 'Away.',
  },
});

const PLAYS: Readonly<Record<string, (desk: Desk, go: (ms: number) => void) => void>> = {
  'a start, and quotes that follow the market': (desk, go) => {
    go(4_000);
    desk.shows.books[BTC] = [100_500, 100_700];
    go(5_000);
  },
  'a create without an answer, until it is proved absent': (desk, go) => {
    go(2_000);
    desk.reply = ({ kind }) => (kind === 'create' ? unknown : undefined);
    desk.shows.books[BTC] = [102_000, 102_200];
    go(3_000);
    desk.reply = () => undefined;
    go(2 * LAG_MS + 30_000);
  },
  'a fill, and money that nothing explains': (desk, go) => {
    go(3_000);
    fillNow(desk, inSlot(desk, 'buy:0', BTC), { tradeId: tradeId('77') });
    go(3_000);
    move(desk, 'INR', '-700');
    go(LAG_MS + 50_000);
  },
  'a maintenance': (desk, go) => {
    go(2_000);
    desk.reply = () => away(desk) as never;
    go(20_000);
    desk.reply = () => undefined;
    go(8_000);
  },
  'a price that jumps and stays, and too little money': (desk, go) => {
    go(2_000);
    desk.shows.books[BTC] = [150_000, 150_300];
    desk.shows.balances.ETH = decimal(0);
    go(70_000);
  },
};

describe.each(Object.keys(PLAYS))('%s', (name) => {
  test('is the same with and without readers, and readers can change nothing', () => {
    const play = PLAYS[name];
    if (play === undefined) throw new Error(name);
    expect(trace(play, true)).toEqual(trace(play, false));
  });
});

test('with a single market as well', () => {
  askWhile(quotingDesk(), 3_000);
});
