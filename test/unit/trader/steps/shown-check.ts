// What is shown to people must add up: each figure of a snapshot is worked out again from others of it.
import { type Decimal, decimal } from '../../../../src/domain/decimal.ts';
import { HOUR, MINUTE } from '../../../../src/domain/time.ts';
import { BLOCKS } from '../../../../src/quoting/block.ts';
import { countedMs, type PresenceView, type TimeShares } from '../../../../src/trader/presence/presence.ts';
import type { PnlView, StatusSnapshot, SymbolView } from '../../../../src/trader/status/snapshot.ts';
import { sentenceFaults } from '../../told.ts';

const BLOCKED_WORDS = { waiting: 'Waiting', paused: 'Paused', halted: 'Halted' } as const;

/** What does not hold, one sentence each. */
export function shownViolations(shown: StatusSnapshot): string[] {
  return [
    ...shown.symbols.flatMap((view) => symbolFaults(view, shown).map((fault) => `${view.symbol}: ${fault}`)),
    ...shown.assets.flatMap(assetFaults),
    ...[...shown.blockers, shown.paused, shown.latched, shown.contact.because].flatMap(textFaults),
  ];
}

const unless = (holds: boolean, fault: string): string[] => (holds ? [] : [fault]);
const textFaults = (text: string | null): string[] =>
  text === null ? [] : sentenceFaults(text).map((fault) => `${JSON.stringify(text)} ${fault}.`);

function symbolFaults(view: SymbolView, { phase }: StatusSnapshot): string[] {
  const { state, reason, verdict, noQuote, denied, risk } = view;
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
    ...pnlFaults(view.pnl, decimal(view.inventory)),
    ...presenceFaults(view.presence),
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
    ...unless(
      countedMs(lastHour.both) >= Math.min(countedMs(sinceStart.both), HOUR - 4 * MINUTE),
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
