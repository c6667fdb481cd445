// What the owner did is booked as it was: a run of which the exchange, the journal or the ledger is made to say something else.
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { Amount } from '../../../src/ledger/amount.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { applyOwnerAction, type OwnerAction } from '../../../src/paper/owner-action.ts';
import { bookChecks } from '../../../src/sim/check-books.ts';
import { flowChecks } from '../../../src/sim/check-flows.ts';
import { type BookedFill, type Claims, fold, type Told } from '../../../src/sim/claims.ts';
import { ACCOUNT } from '../../../src/sim/configuration.ts';
import { drawPlan } from '../../../src/sim/plan.ts';
import type { Checker, Scene } from '../../../src/sim/scene.ts';
import { startVirtualTime } from '../../../src/sim/virtual-time.ts';
import { createWorld, START_AT } from '../../../src/sim/world.ts';

/** A scene whose claims may be changed, and what is said to be violated in it. */
interface Stage {
  readonly scene: Scene;
  readonly claims: Claims;
  readonly broken: string[];
}

/** A run without faults, some minutes after its start: when the ledger is opened, or when the bot has traded. */
async function staged(changes: Partial<Scene>, play: (stage: Stage) => void, minutes = 2): Promise<string[]> {
  const time = startVirtualTime(START_AT);
  try {
    const world = createWorld(drawPlan('7', { faults: [] }), time, {});
    world.begin();
    await time.run(START_AT + minutes * MINUTE, world.afterEvent);
    // A moment in which nothing is on its way: all that the bot traded is booked.
    const { oracle, trader } = world.scene;
    const isStill = (): boolean =>
      oracle.fills.size === world.scene.claims.fills.size && trader()?.reconciliation.differsSince === null;
    for (let waited = 0; waited < 10 * MINUTE && !isStill(); waited += SECOND)
      await time.run(time.clock.now() + SECOND, world.afterEvent);
    const { claims } = world.scene;
    const own: Claims = {
      ...claims,
      fills: new Map(claims.fills),
      transfers: [...claims.transfers],
      conversions: new Map(claims.conversions),
      accepted: new Map(claims.accepted),
      suspense: new Map(claims.suspense),
      differences: new Map(claims.differences),
      halts: new Map(claims.halts),
    };
    const broken: string[] = [];
    const violated = (invariant: string): void => void (broken.includes(invariant) || broken.push(invariant));
    play({ scene: { ...world.scene, claims: own, violated, ...changes }, claims: own, broken });
    return broken;
  } finally {
    time.end();
  }
}

function acted({ scene }: Stage, action: OwnerAction): void {
  const done = applyOwnerAction(scene.exchange(), action, scene.now());
  if (!done.ok) throw new Error(done.error);
}

/** A record as the journal would tell it: folded, and then checked. */
function recorded({ scene, claims }: Stage, checks: Checker, [type, payload]: readonly [string, object]): void {
  const told: Told = { type, seq: 1, epoch: 1, payload: payload as Told['payload'] };
  fold(claims, told, scene.now());
  checks.recorded?.(scene, told, {} as never);
}

/** Minutes after which the bot of that run has traded. */
const TRADED = 9;

const DEPOSIT = {
  kind: 'crypto-deposit',
  account: ACCOUNT,
  asset: 'BTC',
  network: 'net',
  amount: decimal(2),
  fee: decimal('0.001'),
  status: 'success',
  transactionHash: null,
  fromAddress: null,
  toAddress: null,
} as const;
const WITHDRAWAL = {
  kind: 'fiat-withdrawal',
  account: ACCOUNT,
  amount: decimal(1000),
  fee: decimal(10),
  status: 'success',
} as const;
const SALE = {
  kind: 'sbs-trade',
  account: ACCOUNT,
  coin: 'BTC',
  side: 'sell',
  price: decimal(5_000_000),
  quantity: decimal('0.01'),
  commission: decimal('0.00005'),
  commissionIn: 'coin',
  tds: decimal(500),
} as const;

describe('a deposit of 2 BTC and a withdrawal of 1,000 INR, each with a fee', () => {
  const deposited = { account: 'external:deposit', asset: 'BTC', walletChange: '2', fee: '0.001' };
  const withdrawn = { account: 'external:withdrawal', asset: 'INR', walletChange: '-1010', fee: '10' };

  test.each<[string, readonly object[], readonly string[]]>([
    ['booked as they were', [deposited, withdrawn], []],
    ['the one as the other', [{ ...deposited, account: 'external:withdrawal' }], ['M6']],
    ['as a conversion', [{ ...withdrawn, account: 'external:conversion' }], ['M6']],
    ['without the fee', [{ ...deposited, fee: '0' }], ['M8']],
    ['without what the fee cost', [{ ...withdrawn, walletChange: '-1000' }], ['M3']],
    ['twice', [deposited, deposited], ['M3']],
    ['in another asset', [{ ...deposited, asset: 'ETH' }], ['M3']],
  ])('%s: %j', async (_words, booked, expected) => {
    const broken = await staged({}, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      acted(stage, WITHDRAWAL);
      const venueTime = stage.scene.now();
      for (const each of booked) recorded(stage, checks, ['transfer', { ...each, venueTime }]);
    });
    expect(broken).toEqual(expected);
  });

  test('that came before the opening must not be booked', async () => {
    const broken = await staged({}, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      recorded(stage, checks, ['opened', {}]);
      recorded(stage, checks, ['transfer', { ...deposited, venueTime: stage.scene.now() }]);
    });
    expect(broken).toEqual(['M3']);
  });

  test('that is pending must not be booked', async () => {
    const broken = await staged({}, (stage) => {
      acted(stage, { ...DEPOSIT, status: 'pending' });
      recorded(stage, flowChecks(), ['transfer', { ...deposited, venueTime: stage.scene.now() }]);
    });
    expect(broken).toEqual(['M3']);
  });
});

describe('a simple sale of 0.01 BTC with commission and tax', () => {
  const sold = {
    symbol: 'BTC/INR',
    side: 'sell',
    price: '5000000',
    quantity: '0.01',
    quoteQuantity: '50000',
    commission: '0.00005',
    commissionAsset: 'BTC',
    tds: '500',
  };

  test.each<[string, object, readonly string[]]>([
    ['booked as it was', {}, []],
    ['without the tax', { tds: '0' }, ['M3']],
    ['with the commission in INR', { commissionAsset: 'INR' }, ['M3']],
    ['for less', { quoteQuantity: '49999' }, ['M3']],
    ['as another one', { tradeId: '999' }, ['M3']],
    ['as a purchase', { side: 'buy' }, ['M3']],
  ])('%s', async (_words, change, expected) => {
    const broken = await staged({}, (stage) => {
      acted(stage, SALE);
      const row = stage.scene.exchange().accounts.get(ACCOUNT)?.sbsTrades.at(-1)?.row;
      const fill = { ...sold, tradeId: row?.id, orderId: row?.id, ...change };
      recorded(stage, flowChecks(), ['conversion', { fill }]);
    });
    expect(broken).toEqual(expected);
  });
});

describe('a difference that is taken for the doing of the owner', () => {
  test.each<[string, boolean, readonly string[]]>([
    ['because a person said so', true, []],
    ['by nobody', false, ['M2']],
  ])('%s', async (_words, isTold, expected) => {
    const broken = await staged({ isToldToAccept: () => isTold }, (stage) => {
      acted(stage, DEPOSIT);
      recorded(stage, flowChecks(), ['difference-accepted', { asset: 'BTC', amount: '2' }]);
    });
    expect(broken).toEqual(expected);
  });
});

describe('a deposit that is not booked in a quarter of an hour of calm', () => {
  const calm = async (play: (stage: Stage, checks: Checker) => void): Promise<string[]> =>
    staged({ phase: () => 'calm', isToldToAccept: () => true }, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      play(stage, checks);
      const calmSince = stage.scene.now();
      for (const waited of [0, 15 * MINUTE])
        checks.sampled?.({ ...stage.scene, now: () => calmSince + waited, calmSince: () => calmSince });
    });

  test('breaks M10', async () => {
    expect(await calm(() => {})).toEqual(['M10']);
  });

  test('was taken by a person for his own doing: nothing is asked any more', async () => {
    const broken = await calm((stage, checks) =>
      recorded(stage, checks, ['difference-accepted', { asset: 'BTC', amount: '2' }]),
    );
    expect(broken).toEqual([]);
  });

  test('beside a second one that nobody took breaks M10', async () => {
    const broken = await calm((stage, checks) => {
      recorded(stage, checks, ['difference-accepted', { asset: 'BTC', amount: '2' }]);
      acted(stage, { ...DEPOSIT, asset: 'ETH' });
    });
    expect(broken).toEqual(['M10']);
  });

  test('beside a reward that no list shows can not be explained', async () => {
    const reward = { kind: 'credit', account: ACCOUNT, asset: 'BTC', amount: decimal('0.5') } as const;
    expect(await calm((stage) => acted(stage, reward))).toEqual([]);
  });

  test('is not asked of a bot that the kill latch has stopped', async () => {
    const broken = await staged({ phase: () => 'calm', latchedSince: () => START_AT }, (stage) => {
      const checks = flowChecks();
      acted(stage, DEPOSIT);
      const calmSince = stage.scene.now();
      for (const waited of [0, 15 * MINUTE])
        checks.sampled?.({ ...stage.scene, now: () => calmSince + waited, calmSince: () => calmSince });
    });
    expect(broken).toEqual([]);
  });

  test('as one of the bot’s trades that was taken back', async () => {
    const busted = (stage: Stage): void => {
      const [row] = stage.scene.oracle.fills.values();
      acted(stage, { kind: 'bust-trade', tradeId: row?.id ?? '' });
      stage.scene.oracle.rewrote(row?.orderId ?? '');
      stage.scene.oracle.look(stage.scene.exchange(), stage.scene.now());
      const checks = flowChecks();
      const calmSince = stage.scene.now();
      for (const waited of [0, 15 * MINUTE])
        checks.sampled?.({ ...stage.scene, now: () => calmSince + waited, calmSince: () => calmSince });
    };
    const broken = await staged({ phase: () => 'calm' }, busted, TRADED);
    expect(broken).toEqual(['M10']);
  });
});

describe('at rest', () => {
  /** As though the stop had been proved. */
  const atRest = (play: (stage: Stage) => Partial<Scene>, checks: Checker): Promise<string[]> =>
    staged(
      {},
      (stage) => {
        const trader = stage.scene.trader();
        if (trader === null || stage.claims.fills.size === 0) throw new Error('The bot has not traded.');
        const scene = {
          ...stage.scene,
          trader: () => ({ ...trader, durable: { ...trader.durable, endedFlat: true } }),
        };
        checks.atRest?.({ ...scene, ...play({ ...stage, scene }) });
      },
      TRADED,
    );
  /** Another content of the first trade that was booked. */
  const booked =
    (change: Partial<BookedFill>) =>
    ({ claims }: Stage): Partial<Scene> => {
      const [key, fill] = [...claims.fills][0] ?? [];
      if (key !== undefined && fill !== undefined) claims.fills.set(key, { ...fill, ...change });
      return {};
    };
  const told =
    (play: (stage: Stage) => Partial<Scene>) =>
    (stage: Stage): Partial<Scene> => {
      for (const asset of ['BTC', 'ETH', 'INR']) stage.claims.differences.set(asset, '0 → 1');
      return play(stage);
    };
  const unbooked = (stage: Stage): Partial<Scene> => {
    acted(stage, WITHDRAWAL);
    return {};
  };

  test.each<[string, (stage: Stage) => Partial<Scene>, readonly string[]]>([
    ['all trades as they were', () => ({}), []],
    ['a trade with another commission', booked({ commission: '0.1' }), ['M3']],
    ['a trade with another tax', booked({ tds: '0.1' }), ['M3']],
    ['a trade of another quantity', booked({ quantity: '0.1' }), ['M3']],
    ['a trade of another order', booked({ orderId: '0-0-0' }), ['M3']],
    ['that is not excused by a difference', told(booked({ quantity: '0.1' })), ['M3']],
    ['a withdrawal that is not booked', unbooked, ['M3']],
    ['a withdrawal that a person was told of', told(unbooked), []],
  ])('%s', async (_words, play, expected) => {
    expect(await atRest(play, flowChecks())).toEqual(expected);
  });

  test('a trade that can not be read, of which a person was told that it may be missing', async () => {
    const reason = 'Own trades may be missing. From then to then: more than a page holds.';
    const unread =
      (isItsOwn: boolean, checks: Checker) =>
      (stage: Stage): Partial<Scene> => {
        const [key, fill] = [...stage.claims.fills][0] ?? [];
        stage.claims.fills.delete(key ?? '');
        const symbol = isItsOwn ? fill?.symbol : 'DOGE/INR';
        recorded(stage, checks, ['symbol-halted', { symbol, reason }]);
        recorded(stage, checks, ['symbol-resumed', { symbol }]);
        return {};
      };
    const [one, other] = [flowChecks(), flowChecks()];
    expect(await atRest(unread(true, one), one)).toEqual([]);
    expect(await atRest(unread(false, other), other)).toEqual(['M3']);
  });

  const moved =
    (from: string, to: string) =>
    ({ scene }: Stage): Partial<Scene> => {
      const trader = scene.trader();
      if (trader === null) throw new Error('The bot is down.');
      const { balances, ...rest } = trader.durable.ledger;
      const inr = new Map<string, Amount>(balances.get('INR'));
      inr.set(from, ((inr.get(from) ?? 0n) - 1n) as Amount);
      inr.set(to, ((inr.get(to) ?? 0n) + 1n) as Amount);
      const ledger = { ...rest, balances: new Map(balances).set('INR', inr as never) } as Ledger;
      return { trader: () => ({ ...trader, durable: { ...trader.durable, ledger } }) };
    };

  test.each<[string, (stage: Stage) => Partial<Scene>, readonly string[]]>([
    ['a ledger as the records make it', () => ({}), []],
    [
      'what a person accepted, and the ledger does not know',
      ({ claims }) => {
        claims.accepted.set('INR', new Decimal(1));
        return {};
      },
      ['M6'],
    ],
    ['a deposit among the profit', moved('external:deposit', 'trading'), ['M6']],
    ['a conversion among the deposits', moved('external:conversion', 'external:deposit'), ['M6']],
    ['something in suspense that no record put there', moved('suspense', 'wallet'), ['M6']],
    ['a fee that was tax', moved('fees', 'tax-withheld'), ['M8']],
  ])('%s', async (_words, play, expected) => {
    expect(await atRest(play, bookChecks())).toEqual(expected);
  });
});
