// K12: the risk gate says what a second one says, of orders and moments that no run would bring: around each bound,
// with what the bot knows now as the rest.
import { MINUTE } from '../../src/domain/time.ts';
import { assess } from '../../src/quoting/risk/risk.ts';
import { riskContext } from '../../src/trader/decision/view.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import { flawOfSentence } from '../words/sentence.ts';
import { type Probe, probesOf } from './probes.ts';
import { firstDenial } from './second-gate.ts';

/** What it is told may be no number, and it says so. */
const NO_NUMBER = /NaN|undefined|null/g;
/** The gate has no memory: now and then is enough. */
const EVERY_MS = 30 * MINUTE;

export function gateChecks(): Checker {
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    sampled(context) {
      const trader = context.trader();
      if (trader === null || context.now() - askedAt < EVERY_MS) return;
      const now = context.now() + context.clockError();
      const probes = context.settings.runs.flatMap(({ instrument }) =>
        probesOf(riskContext(trader, instrument.symbol, now)),
      );
      if (probes.length > 0) askedAt = context.now();
      for (const probe of probes) judge(context, probe);
    },
  };
}

function judge(context: CheckContext, { what, proposal, context: risk }: Probe): void {
  context.counters.add('asked of the gate');
  const verdict = assess(proposal, risk);
  const said = verdict.kind === 'denied' ? verdict.code : null;
  const wanted = firstDenial(proposal, risk);
  if (said !== wanted) context.violated('K12', `The gate says ${String(said)} of a ${what}; it is ${String(wanted)}.`);
  const flaw = verdict.kind === 'denied' ? flawOfSentence(verdict.message.replaceAll(NO_NUMBER, '0')) : null;
  if (flaw !== null) context.violated('W1', `What the gate says of a ${what} ${flaw}.`);
  if (verdict.kind !== 'approved') return;
  const { symbol, side, price, quantity } = proposal.request;
  const { order } = verdict;
  const isSame = order.symbol === symbol && order.side === side && order.price.eq(price) && order.quantity.eq(quantity);
  if (!isSame) context.violated('K12', `The gate approves of another order than a ${what}.`);
}
