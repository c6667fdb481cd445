// Cont, Stoikov & Talreja (2010): what a place in a queue is worth, by this program's matching engine under the paper's
// crowd. Our order joins the bid behind two others, three stand at the ask, and the race ends when a queue is empty.
import { createQueueRace, type QueueRates } from '../../src/crowd/zero-intelligence.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { applyCommand, createEngine, reader } from '../../src/matching/engine.ts';
import type { EngineCommand, EngineSettings, Lots, Ticks } from '../../src/matching/types.ts';
import { type Line, shareOf } from './verdict.ts';

const SYMBOL = 'BTC/INR';
const BID = 6_000_000 as Ticks;
const QUANTITY = 100 as Lots;
const US = 'bot';
const MOST_STEPS = 10_000;

export interface Races {
  readonly rates: QueueRates;
  readonly races: number;
  readonly seed: string;
  /** Whether these are the paper's rates: else there is nothing to compare with. */
  readonly isPaper: boolean;
}

export function queueRaceLines({ rates, races, seed, isPaper }: Races): Line[] {
  const ended = Array.from({ length: races }, (_, race) => playRace(`${seed}-${race}`, rates));
  const filled = ended.filter((each) => each.filled);
  const up = filled.filter(({ movedUp }) => movedUp);
  const published = (value: number) => (isPaper ? { value, error: 0 } : null);
  return [
    {
      name: 'last of three at the bid fills before the mid moves',
      published: published(0.5784),
      measured: shareOf(filled.length, races),
      digits: 4,
    },
    {
      name: 'and then the next move is up',
      published: published(0.346),
      measured: shareOf(up.length, filled.length),
      digits: 4,
    },
  ];
}

const RULES: EngineSettings = {
  instruments: [
    {
      ...{ symbol: SYMBOL, base: 'BTC', quote: 'INR' },
      ...{ tickSize: decimal('1'), lotSize: decimal('0.00001'), minNotional: decimal('100') },
    },
  ],
  ...{ assetDecimals: 8, makerFeeRatio: decimal('0'), takerFeeRatio: decimal('0'), tdsRatio: decimal('0') },
  ...{ rounding: 'half-up', buyerFeeAsset: 'quote', selfTrade: 'reject', crossing: 'takes' },
  ...{ firstOrderNumber: 1n, firstTradeNumber: 1n },
};

function playRace(seed: string, rates: QueueRates): { readonly filled: boolean; readonly movedUp: boolean } {
  const place = { seed, symbol: SYMBOL, bidPrice: BID, orderQuantity: QUANTITY, startBids: 2, startAsks: 3, rates };
  const race = createQueueRace(place);
  const engine = createEngine(RULES);
  const market = reader(engine);
  const send = (command: EngineCommand, at: number): void => {
    const refusal = applyCommand(engine, command, at).events.find(({ kind }) => kind === 'refused');
    // Such a race is none of the model's.
    if (refusal !== undefined) throw new Error(`The matching engine refused: ${JSON.stringify(refusal)}`);
  };
  send({ kind: 'open-account', account: US, unlimited: true }, 0);
  let state = race.start(0);
  const act = (at: number): void => {
    const step = race.step(state, market, at);
    state = step.state;
    for (const command of step.commands) send(command, at);
  };
  act(0);
  const order = { symbol: SYMBOL, side: 'buy', price: BID, quantity: QUANTITY } as const;
  send({ kind: 'create', account: US, ...order }, 0);
  let at = race.nextAt(state);
  for (let step = 0; at !== null && step < MOST_STEPS; step += 1) {
    act(at);
    at = race.nextAt(state);
  }
  return { filled: market.ordersOf(US).length === 0, movedUp: market.best(SYMBOL, 'sell') === undefined };
}
