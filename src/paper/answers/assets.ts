// What the exchange says about its assets (specification 2.8).

import type { Visit } from '../gate/gate.ts';
import { assetIn } from '../gate/list-parameters.ts';
import { knownAssets } from '../state/back-office.ts';
import { ok, type Reply } from '../wire/reply.ts';

/** All of them in alphabetical order, or one. */
export function answerAssets({ state, query }: Visit): Reply {
  const wanted = assetIn(state, query);
  if (!wanted.ok) return wanted.error;
  const { backOffice } = state;
  const names = wanted.value === null ? knownAssets(backOffice) : [wanted.value];
  return ok(names.flatMap((asset) => backOffice.assets.get(asset) ?? []));
}
