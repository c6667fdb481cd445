// What is shown to people must add up: each figure of a snapshot is worked out again from others of it.
import { Decimal, decimal } from '../../../../src/domain/decimal.ts';
import { HOUR } from '../../../../src/domain/time.ts';
import { BLOCKS } from '../../../../src/quoting/block.ts';
import { countedMs, type PresenceView, type TimeShares } from '../../../../src/trader/presence/presence.ts';
import type { OrderView, PnlView, StatusSnapshot, SymbolView } from '../../../../src/trader/status/snapshot.ts';
import { sentenceFaults } from '../../told.ts';

const SIDES = ['buy', 'sell'] as const;
/** What an order of each state may be to a reader. */
const STANDINGS: Readonly<Record<OrderView['state'], readonly OrderView['standing'][]>> = {
  open: ['live', 'leaving'],
  sent: ['placing'],
  unknown: ['unknown'],
  'soft-rejected': ['unknown'],
  'cancel-sent': ['leaving'],
  closing: ['leaving'],
  closed: [],
};
const BLOCKED_WORDS = { waiting: 'Waiting', paused: 'Paused', halted: 'Halted' } as const;

/** What does not hold, one sentence each. */
export function shownViolations(shown: StatusSnapshot): string[] {
  return [
    ...shown.symbols.flatMap((view) => symbolFaults(view, shown).map((fault) => `${view.symbol}: ${fault}`)),
    ...shown.assets.flatMap(assetFaults),
    ...contactFaults(shown),
    ...lagFaults(shown),
    ...[...shown.blockers, shown.paused, shown.latched, shown.contact.because].flatMap(textFaults),
  ];
}

const unless = (holds: boolean, fault: string): string[] => (holds ? [] : [fault]);
const textFaults = (text: string | null): string[] =>
  text === null ? [] : sentenceFaults(text).map((fault) => `${JSON.stringify(text)} ${fault}.`);
const isClose = (a: number, b: number, within: number): boolean => Math.abs(a - b) <= within;

function symbolFaults(view: SymbolView, { at, phase }: StatusSnapshot): string[] {
  const { state, reason, verdict, fills, noQuote, denied, risk } = view;
  return [
    ...unless(state !== 'waiting' || reason !== null, 'it waits without a reason.'),
    ...unless(
      state !== 'quoting' || verdict.word.startsWith('Quot') || /^(?:Repl|No q)/.test(verdict.word),
      'its word.',
    ),
    ...unless(state === 'quoting' || verdict.word === BLOCKED_WORDS[state], `${state} is called ${verdict.word}.`),
    ...unless(
      state === 'quoting' || verdict.tone === (state === 'halted' ? 'stop' : 'warn'),
      `its tone is ${verdict.tone}.`,
    ),
    ...unless((state === 'halted') === (risk.halt !== null), `it is ${state}, and its halt says otherwise.`),
    ...unless(state !== 'paused' || phase === 'paused', `it is paused while the bot is ${phase}.`),
    ...[reason, noQuote.buy, noQuote.sell, denied?.message ?? null].flatMap(textFaults),
    ...view.orders.flatMap((order) => orderFaults(order, view, at)),
    ...SIDES.flatMap((side) => sideFaults(view, side)),
    ...spreadFaults(view),
    ...pnlFaults(view.pnl, decimal(view.inventory)),
    ...presenceFaults(view.presence),
    ...unless(fills.takers <= fills.buys + fills.sells && fills.takerBuys <= fills.takers, 'more takers than fills.'),
    ...unless(view.recentFills.length <= 20, 'more than twenty fills are shown.'),
  ];
}

function orderFaults(order: OrderView, { referencePrice }: SymbolView, at: number): string[] {
  const { intentId, state, standing, side, distanceBps } = order;
  const reference = Number(referencePrice ?? 0);
  const away = (side === 'buy' ? reference - Number(order.price) : Number(order.price) - reference) / reference;
  return [
    ...unless(STANDINGS[state].includes(standing), `${intentId} is ${state} and shown as ${standing}.`),
    ...unless((distanceBps === null) === (referencePrice === null), `${intentId} has ${distanceBps} bp to no price.`),
    ...unless(
      distanceBps === null || isClose(distanceBps, away * 10_000, 0.006),
      `${intentId} is ${distanceBps} bp away.`,
    ),
    ...unless(decimal(order.filled).lte(order.quantity), `${intentId} filled more than its quantity.`),
    ...unless(order.sentAt <= at || state !== 'sent', `${intentId} was sent later than now.`),
  ];
}

function sideFaults(view: SymbolView, side: 'buy' | 'sell'): string[] {
  const shown = view.sides[side];
  const own = view.orders.filter((order) => order.side === side);
  const counts = (['live', 'placing', 'leaving', 'unknown'] as const).filter(
    (standing) => shown[standing] !== own.filter((order) => order.standing === standing).length,
  );
  const levels = side === 'buy' ? view.bids : view.asks;
  const isBetter = side === 'buy' ? -1 : 1;
  return [
    ...counts.map((standing) => `its ${side} side counts ${shown[standing]} ${standing}.`),
    ...unless(shown.state !== 'quoted' || shown.live > 0, `its ${side} side is quoted with nothing.`),
    ...unless(
      view.state === 'quoting' || ['quoted', view.state].includes(shown.state),
      `its ${side} side is ${shown.state}.`,
    ),
    ...unless(shown.state !== 'quoted' || shown.why === null, `its ${side} side is quoted, and says why not.`),
    ...textFaults(shown.why),
    ...unless(levels.length <= 12, `its ${side} side shows ${levels.length} levels.`),
    ...levels.flatMap(({ price, own: ours }, index) => {
      const resting = own.filter((order) => order.state === 'open' && decimal(order.price).eq(price));
      const sum = resting.reduce((all, { quantity, filled }) => all.add(quantity).sub(filled), new Decimal(0));
      const before = levels[index - 1];
      return [
        ...unless(sum.eq(ours), `at ${price} there are ${ours} of its own, and ${sum.toFixed()} rest.`),
        ...unless(before === undefined || decimal(price).cmp(before.price) === isBetter, `${price} is out of order.`),
      ];
    }),
  ];
}

function spreadFaults({ orders, quotedSpreadBps, marketSpreadBps, bids, asks, referencePrice }: SymbolView): string[] {
  const live = orders.filter(({ standing }) => standing === 'live');
  const prices = (side: 'buy' | 'sell'): number[] =>
    live.filter((each) => each.side === side).map(({ price }) => Number(price));
  const [bid, ask] = [Math.max(...prices('buy')), Math.min(...prices('sell'))];
  const has = Number.isFinite(bid) && Number.isFinite(ask);
  const of = (low: number, high: number): number => ((high - low) / ((high + low) / 2)) * 10_000;
  const market = of(Number(bids[0]?.price), Number(asks[0]?.price));
  return [
    ...unless(has === (quotedSpreadBps !== null), `it quotes a spread of ${quotedSpreadBps} bp.`),
    ...unless(!has || isClose(quotedSpreadBps ?? 0, of(bid, ask), 0.006), `it quotes ${quotedSpreadBps} bp.`),
    // Of what others have in the book: it is no narrower than that with our own orders.
    ...unless(
      marketSpreadBps === null || !(market > 0) || marketSpreadBps >= market - 0.006,
      'the spread of the market.',
    ),
    ...unless((marketSpreadBps === null) === (referencePrice === null), 'a spread of the market without a price.'),
  ];
}

function pnlFaults(pnl: PnlView, inventory: Decimal): string[] {
  const { spread, inventory: drift, fees, taxWithheld, taxInTotal, total, price, pricedAt } = pnl;
  const sum = decimal(spread)
    .add(drift)
    .sub(fees)
    .sub(taxInTotal ? taxWithheld : 0);
  return [
    // Each part is rounded by itself.
    ...unless(sum.sub(total).abs().lte('0.00000004'), `its profit is ${total}, and its parts are ${sum.toFixed()}.`),
    ...unless((price === null) === (pricedAt === null), 'its profit has a price of no time.'),
    ...unless(inventory.gte(0), 'it holds less than nothing.'),
  ];
}

function presenceFaults({ sinceStart, lastHour }: PresenceView): string[] {
  return [
    ...sharesFaults(sinceStart),
    ...sharesFaults(lastHour),
    ...unless(countedMs(lastHour.both) <= HOUR, 'an hour has more than an hour.'),
    ...unless(
      countedMs(lastHour.both) >= Math.min(countedMs(sinceStart.both), HOUR - 60_000),
      `an hour has ${countedMs(lastHour.both)} of ${countedMs(sinceStart.both)} ms.`,
    ),
  ];
}

function sharesFaults({ buy, sell, both }: TimeShares): string[] {
  const [bought, sold, together] = [countedMs(buy), countedMs(sell), countedMs(both)];
  const shares = [buy, sell, both];
  return [
    ...unless(bought === together && sold === together, `its sides have ${bought} and ${sold} of ${together} ms.`),
    ...unless(both.freshMs <= Math.min(buy.freshMs, sell.freshMs), 'both sides are fresh for longer than one.'),
    ...unless(both.freshMs >= buy.freshMs + sell.freshMs - together, 'both sides are fresh for too short.'),
    ...unless(
      shares.every(({ freshMs }) => freshMs >= 0),
      'it is fresh for less than no time.',
    ),
    ...shares.flatMap(({ lost }) => [
      ...unless(
        lost.every(({ reason }) => BLOCKS.includes(reason)),
        'time is lost to no reason.',
      ),
      ...unless(
        lost.every(({ ms }, at) => ms <= (lost[at - 1]?.ms ?? ms)),
        'the longest loss is not the first.',
      ),
    ]),
  ];
}

function assetFaults({ asset, expected, wallet, difference, ...rest }: StatusSnapshot['assets'][number]): string[] {
  const { differsSince, differenceStands, reserved, feesPaid, taxWithheld } = rest;
  const has = wallet !== null && difference !== null;
  return [
    ...unless(
      !has ||
        decimal(wallet ?? 0)
          .sub(expected)
          .eq(difference ?? 0),
      `${asset} differs by ${difference}.`,
    ),
    ...unless(wallet !== null || difference === null, `${asset} differs from no wallet.`),
    ...unless(has || differsSince === null || differenceStands, `${asset} differs from no wallet, and since when.`),
    ...unless(
      [reserved, feesPaid, taxWithheld].every((each) => decimal(each).gte(0)),
      `${asset} has a sum below zero.`,
    ),
  ];
}

function contactFaults({ contact, messages, requests, at }: StatusSnapshot): string[] {
  const { lanes, silentSince, probes, because, usedAt } = contact;
  const answers = Object.values(lanes).every((each) => each === 'answers');
  return [
    ...unless(answers === (silentSince === null), `${JSON.stringify(lanes)} since ${silentSince}.`),
    ...unless(silentSince === null || silentSince <= at, 'the exchange is silent from later on.'),
    ...unless(!answers || (probes === 0 && because === null), 'an exchange that answers is asked why not.'),
    ...unless(usedAt === null || usedAt <= at, 'an answer of later was used.'),
    ...unless(messages.inSecond <= messages.inMinute, 'a second has more messages than its minute.'),
    ...unless(
      requests.every(
        ({ lane, kind, count }) => count > 0 && (lane === 'public') === ['order-book', 'public-trades'].includes(kind),
      ),
      'a request counts for the other lane.',
    ),
    ...unless(
      requests.every(({ outcome }) => /^[a-z-]+$/.test(outcome)),
      'a request came to nothing.',
    ),
  ];
}

function lagFaults({ readLags: { assumedMs, kinds, broken } }: StatusSnapshot): string[] {
  const sorted = kinds.flatMap(({ atLeastMs, atMostMs }) => [atLeastMs, atMostMs]).filter((each) => each !== null);
  return [
    ...unless(broken === null || broken.atLeastMs > assumedMs, 'a bound is broken that held.'),
    ...unless(
      sorted.every(({ p50, p90, p99, max }) => p50 <= p90 && p90 <= p99 && p99 <= max),
      'ranks out of order.',
    ),
    ...kinds.flatMap(({ kind, samples, oldestAt, newestAt, atLeastMs, atMostMs }) => [
      ...unless((samples === 0) === (atLeastMs === null || atMostMs === null), `${kind} has figures of nothing.`),
      ...unless((samples === 0) === (oldestAt === null || newestAt === null), `${kind} has figures of no time.`),
      ...unless((atLeastMs?.max ?? 0) <= (atMostMs?.max ?? 0), `${kind} trails by more than at most.`),
    ]),
  ];
}
