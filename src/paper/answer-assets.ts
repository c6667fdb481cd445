// What the exchange says about its assets (specification 2.8).
import { knownAssets } from './back-office.ts';
import type { Visit } from './gate.ts';
import { assetIn } from './list-parameters.ts';
import { ok, type Reply } from './reply.ts';

/** All of them in alphabetical order, or one. */
export function answerAssets({ state, query }: Visit): Reply {
  const wanted = assetIn(state, query);
  if (!wanted.ok) return wanted.error;
  const { backOffice } = state;
  const names = wanted.value === null ? knownAssets(backOffice) : [wanted.value];
  return ok(names.flatMap((asset) => backOffice.assets.get(asset) ?? []));
}
