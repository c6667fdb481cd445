// One configuration for many accounts: `accounts` says where each differs from the rest of the file. A command names
// the account behind the file, as in config/fleet.yaml#alice.
import { type Complaint, type Entry, type Located, type Path, pathText, valueAt } from './located.ts';

/** What stands for the account's name in every other value. */
const NAME_MARK = '$account';

type MapNode = Extract<Located, { kind: 'map' }>;

const sectionOf = (root: Located, name: string): MapNode | null => {
  const value = root.kind === 'map' ? root.entries.get(name)?.value : undefined;
  return value?.kind === 'map' ? value : null;
};

/** The accounts of a file, in its order; null where it has no section `accounts`. */
export function accountsIn(root: Located): readonly string[] | null {
  const section = sectionOf(root, 'accounts');
  return section === null ? null : [...section.entries.keys()];
}

/** The file as the named account has it: its own values laid over all others. */
export function ofAccount(
  root: Located,
  account: string | null,
): { readonly root: Located; readonly complaints: readonly Complaint[] } {
  const names = accountsIn(root);
  if (names === null && account === null) return { root, complaints: [] };
  const own = sectionOf(root, 'accounts')?.entries.get(account ?? '')?.value;
  if (root.kind === 'map' && account !== null && own !== undefined) {
    // An account without values of its own is written as a name and a colon.
    const joined = own.kind === 'map' ? overlaid(root, own) : root;
    return {
      root: marked(joined, account, (key) => key === 'accounts'),
      complaints: [...otherNames(root), ...sharedByMistake(root)],
    };
  }
  const known = names === null ? 'it has no section `accounts`' : `its accounts are ${names.join(', ')}`;
  const sentence =
    account === null
      ? `This file is for several accounts: name one of ${names?.join(', ')} behind it, as in ${root.at.file}#NAME.`
      : `There is no account ${account} in this file: ${known}.`;
  const at = (root.kind === 'map' ? root.entries.get('accounts')?.keyAt : undefined) ?? root.at;
  return { root, complaints: [{ at, sentence }] };
}

/**
 * What the page of all accounts takes of a file: `web`, and `state` if each account has its own. There it stands as an
 * account called `fleet`.
 */
export function ofFleetPage(root: Located): Located {
  if (root.kind !== 'map') return root;
  const state = root.entries.get('state')?.value;
  const isShared = state?.kind !== 'scalar' || !state.source.includes(NAME_MARK);
  const kept = [...root.entries].filter(([key]) => key === 'web' || (key === 'state' && !isShared));
  return marked({ ...root, entries: new Map(kept) }, 'fleet');
}

/** The fleet's commands and limits know an account by its name in the file. */
function* otherNames(root: Located): Generator<Complaint> {
  for (const name of accountsIn(root) ?? []) {
    const value = valueAt(root, ['accounts', name, 'journal', 'account']) ?? valueAt(root, ['journal', 'account']);
    if (value?.kind !== 'scalar' || [name, NAME_MARK].includes(value.source)) continue;
    yield { at: value.at, sentence: `journal.account: write ${NAME_MARK}, the account's name in this file.` };
  }
}

/** What two bots must never have in common. */
const OWN: readonly Path[] = [['state'], ['keys', 'file'], ['keys', 'environment']];

function sharedByMistake(root: Located): readonly Complaint[] {
  const names = accountsIn(root) ?? [];
  return OWN.flatMap((path) => {
    const first = new Map<string, string>();
    return names.flatMap((name) => {
      const value = valueAt(root, ['accounts', name, ...path]) ?? valueAt(root, path);
      if (value?.kind !== 'scalar') return [];
      const written = value.source.replaceAll(NAME_MARK, name);
      const other = first.get(written);
      if (other === undefined) first.set(written, name);
      const sentence = `${pathText(path)}: accounts ${other} and ${name} have the same; write ${NAME_MARK} into it.`;
      return other === undefined ? [] : [{ at: value.at, sentence }];
    });
  });
}

/** Sections are joined, other values replaced. An account's runs are its only ones, each over that of its symbol. */
function overlaid(base: MapNode, own: MapNode): MapNode {
  const entries = new Map(base.entries);
  for (const [key, entry] of own.entries) entries.set(key, overlaidEntry(key, entries.get(key), entry));
  return { ...base, entries };
}

function overlaidEntry(key: string, below: Entry | undefined, above: Entry): Entry {
  if (below === undefined) return above;
  const [base, own] = [below.value, above.value];
  if (base.kind === 'map' && own.kind === 'map') return { keyAt: above.keyAt, value: overlaid(base, own) };
  if (key !== 'runs' || base.kind !== 'list' || own.kind !== 'list') return above;
  const runOf = (run: Located): Located => {
    const same = base.items.find((item) => symbolOf(item) !== null && symbolOf(item) === symbolOf(run));
    return same?.kind === 'map' && run.kind === 'map' ? overlaid(same, run) : run;
  };
  return { keyAt: above.keyAt, value: { ...own, items: own.items.map(runOf) } };
}

function symbolOf(run: Located): string | null {
  const symbol = run.kind === 'map' ? run.entries.get('symbol')?.value : undefined;
  return symbol?.kind === 'scalar' ? symbol.source : null;
}

/** Writes the account's name for its mark. */
function marked(node: Located, account: string, leaves: (key: string) => boolean = () => false): Located {
  switch (node.kind) {
    case 'list':
      return { ...node, items: node.items.map((item) => marked(item, account)) };
    case 'map': {
      const entries = [...node.entries].map(
        ([key, { keyAt, value }]) => [key, { keyAt, value: leaves(key) ? value : marked(value, account) }] as const,
      );
      return { ...node, entries: new Map(entries) };
    }
    default: {
      if (typeof node.value !== 'string' || !node.value.includes(NAME_MARK)) return node;
      const write = (text: string): string => text.replaceAll(NAME_MARK, account);
      return { ...node, value: write(node.value), source: write(node.source) };
    }
  }
}
