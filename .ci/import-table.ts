// Who may import whom, as data; docs/ARCHITECTURE.md says what each folder is for. `.ci/check-imports.ts` holds the
// tree to it.

export interface FolderRule {
  /** Our own folders that this one may import. `venue (types)` allows `import type` only. */
  readonly ours: readonly string[];
  /** Packages and `node:` modules that are at home here. */
  readonly packages: readonly string[];
  /** Parts of allowed folders that this one must not touch all the same. */
  readonly except?: readonly string[];
}

const CORE = [
  'domain',
  'venue',
  'matching',
  'tape',
  'crowd',
  'estimates',
  'quoting',
  'strategies',
  'ledger',
  'journal',
  'ports',
];

/** Folder → what it may import. A folder may always import itself. Folders are those of src/, and those of the root. */
export const IMPORT_TABLE: Readonly<Record<string, FolderRule>> = {
  domain: { ours: [], packages: ['decimal.js'] },
  venue: { ours: ['domain'], packages: ['zod'] },
  matching: { ours: ['domain'], packages: [] },
  tape: { ours: ['domain'], packages: ['node:fs', 'node:zlib', 'node:stream'] },
  crowd: { ours: ['domain', 'matching', 'tape (types)'], packages: [] },
  // How markets move and take, estimated from what is polled.
  estimates: { ours: ['domain'], packages: [] },
  // The formulas of the literature: numbers in, numbers out.
  models: { ours: [], packages: [] },
  quoting: { ours: ['domain', 'estimates'], packages: ['zod'] },
  // The price that other exchanges make: what is read of them, and what is made of that.
  reference: {
    ours: ['domain', 'quoting (types)', 'ports (types)'],
    packages: ['node:module', 'node:path', 'node:timers', 'node:url'],
  },
  strategies: { ours: ['domain', 'quoting', 'estimates', 'models'], packages: ['zod'] },
  ledger: { ours: ['domain'], packages: [] },
  journal: { ours: ['domain', 'ports (types)'], packages: ['node:crypto'] },
  ports: { ours: ['domain', 'venue (types)'], packages: ['node:timers', 'node:crypto'] },
  history: { ours: ['domain', 'venue'], packages: [] },
  client: {
    ours: ['domain', 'venue', 'ports', 'history'],
    packages: [
      ...['got', 'p-queue', 'bottleneck', 'zod'],
      ...['node:crypto', 'node:http', 'node:https', 'node:timers', 'node:util'],
    ],
  },
  trader: {
    ours: ['domain', 'venue', 'estimates', 'quoting', 'reference', 'ledger', 'journal', 'ports', 'history'],
    packages: [],
    except: ['src/reference/ccxt'],
  },
  loop: { ours: ['domain', 'venue', 'ports', 'client', 'trader', 'journal', 'history'], packages: [] },
  paper: {
    // The journal's text of a state is that of the state file.
    ours: ['domain', 'venue', 'matching', 'crowd', 'journal', 'ports'],
    // zod judges what the control interface is sent; node:http and node:stream carry faults over a socket; node:sqlite
    // locks the state file.
    packages: [
      'fastify',
      'pino',
      'zod',
      'node:crypto',
      'node:fs',
      'node:http',
      'node:net',
      'node:sqlite',
      'node:stream',
      'node:timers',
    ],
  },
  watchdog: { ours: ['domain', 'venue', 'ports', 'client', 'trader (types)'], packages: ['pino'] },
  backtest: { ours: [...CORE, 'trader', 'loop', 'paper'], packages: [], except: ['src/paper/server'] },
  simulation: {
    ours: [...CORE, 'history', 'trader', 'loop', 'paper', 'client', 'watchdog', 'backtest'],
    // node:module loads mutants of our own sources; the rest is for the commands that run seeds in processes of their
    // own.
    packages: [
      ...['zod', 'node:child_process', 'node:crypto', 'node:fs', 'node:module', 'node:os', 'node:path', 'node:url'],
      ...['node:util', 'p-queue'],
    ],
    except: ['src/paper/server', 'src/client/transport'],
  },
  bot: {
    ours: [...[...CORE, 'reference', 'history', 'client', 'trader', 'loop', 'paper', 'watchdog'], 'backtest'],
    packages: [
      ...['got', 'pino', 'pino-pretty', 'prom-client', 'node-cron', 'nodemailer', 'fastify', 'commander', 'yaml'],
      ...['@fastify/rate-limit', 'postgres', 'uplot'],
      ...['zod', 'node:*'],
    ],
  },
  test: { ours: ['*'], packages: ['*'] },
  bench: { ours: ['*'], packages: ['*'] },
  '.ci': { ours: [], packages: ['dependency-cruiser', '@ast-grep/napi', 'fast-check', 'jest-light-runner', 'node:*'] },
};

/**
 * Rooms: the subfolders of a folder of `src`, each with those of its neighbors that it may import; the lower ones come
 * first, so there is no circle. A file that lies beside the rooms is one itself where it is named; else it may import
 * all of them, and those rooms import it that name `.`.
 */
export const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  client: {
    wire: [],
    transport: [],
    pace: [],
    clock: [],
    times: ['clock'],
    outcomes: ['wire', 'clock'],
    asked: ['wire', 'transport', 'times'],
  },
  venue: { parsers: ['.'], documents: ['.'] },
  reference: { ccxt: ['.'] },
  quoting: { 'strategy-call': ['.'], risk: ['.'], pipeline: ['.', 'strategy-call', 'risk'], moves: ['.', 'pipeline'] },
  trader: {
    durable: [],
    state: ['durable'],
    contact: ['durable', 'state'],
    policy: ['durable', 'state'],
    lags: ['durable', 'state', 'policy'],
    money: ['durable', 'state', 'contact', 'policy', 'lags'],
    account: ['durable', 'state', 'policy', 'money'],
    orders: ['durable', 'state', 'contact', 'policy', 'lags', 'money'],
    trades: ['durable', 'state', 'contact', 'policy', 'money', 'orders', 'account'],
    knowledge: ['durable', 'state'],
    decision: ['durable', 'state', 'contact', 'policy', 'money', 'orders', 'account', 'knowledge'],
    reconciliation: ['durable', 'state', 'contact', 'lags', 'money', 'trades'],
    presence: ['durable', 'state', 'contact', 'decision'],
    status: [
      'durable',
      'state',
      'contact',
      'policy',
      'lags',
      'money',
      'orders',
      'decision',
      'presence',
      'reconciliation',
    ],
    turns: ['durable', 'state', 'contact', 'policy', 'money', 'orders', 'trades', 'knowledge', 'decision', 'presence'],
    observe: [
      ...['durable', 'state', 'contact', 'policy', 'lags', 'money', 'orders', 'account', 'trades', 'reconciliation'],
      ...['decision', 'presence', 'knowledge'],
    ],
  },
  'trader/policy': {
    attribution: [],
    'policy-of.ts': ['attribution'],
  },
  paper: {
    wire: [],
    delivery: [],
    state: ['wire', 'delivery'],
    gate: ['wire', 'state'],
    engine: ['wire', 'state'],
    answers: ['wire', 'state', 'gate', 'engine'],
    owner: ['state', 'engine'],
    'exchange.ts': ['wire', 'state', 'gate', 'engine', 'answers'],
    control: ['wire', 'delivery', 'state', 'engine', 'answers', 'owner', 'exchange.ts'],
    server: ['wire', 'delivery', 'state', 'gate', 'engine', 'exchange.ts', 'control'],
  },
  bot: {
    base: [],
    settings: ['base'],
    'state-folder': ['base', 'settings'],
    keys: ['base', 'settings'],
    // The journal in a database of several hosts.
    postgres: ['base', 'keys', 'settings', 'state-folder'],
    io: ['base', 'keys', 'settings'],
    notify: ['base', 'keys', 'settings'],
    paper: ['base', 'keys', 'settings'],
    probe: ['base', 'io', 'keys', 'paper', 'settings'],
    'dead-man': ['base', 'io', 'keys', 'notify', 'postgres', 'settings', 'state-folder'],
    status: ['base', 'dead-man', 'keys', 'notify', 'settings', 'state-folder'],
    metrics: ['notify', 'status'],
    books: ['base', 'io', 'keys', 'postgres', 'settings', 'state-folder'],
    steer: ['base', 'settings', 'status'],
    // What accounts of one database tell each other, and who looks at all of them.
    fleet: ['base', 'io', 'keys', 'postgres', 'settings', 'state-folder', 'status', 'steer', 'web'],
    // Commands by chat.
    chat: ['base', 'notify', 'status', 'steer'],
    memory: ['base', 'books', 'metrics', 'settings', 'state-folder'],
    // A page that stands alone, with charts.
    html: ['memory'],
    offline: ['base', 'books', 'html', 'io', 'keys', 'memory', 'paper', 'settings', 'state-folder', 'status'],
    reports: ['base', 'books', 'html', 'io', 'keys', 'memory', 'settings', 'status'],
    // What writes files to begin with: a configuration, the completion of a shell.
    setup: ['base', 'paper', 'settings'],
    web: ['base', 'books', 'memory', 'metrics', 'settings', 'state-folder', 'status', 'steer'],
    // Also for an account that several hosts share.
    'cancel-all': [
      ...['base', 'dead-man', 'fleet', 'io', 'keys', 'notify', 'paper', 'postgres', 'settings', 'state-folder'],
      'status',
    ],
    run: [
      ...[
        'base',
        'dead-man',
        'io',
        'keys',
        'metrics',
        'notify',
        'paper',
        'postgres',
        'settings',
        'state-folder',
        'status',
      ],
      ...['books', 'chat', 'fleet', 'memory', 'steer', 'web'],
    ],
    show: ['base', 'io', 'keys', 'paper', 'run', 'settings', 'status'],
    check: ['base', 'io', 'keys', 'paper', 'postgres', 'probe', 'run', 'settings', 'show', 'state-folder', 'status'],
    commands: [
      ...['base', 'books', 'cancel-all', 'check', 'dead-man', 'io', 'keys', 'memory', 'notify', 'offline', 'paper'],
      ...['fleet', 'postgres', 'probe', 'run'],
      ...['reports', 'settings', 'setup', 'show', 'state-folder', 'status', 'steer', 'web'],
    ],
  },
};

/** Folders that nobody but themselves may import. */
export const NEVER_IMPORTED: readonly string[] = ['test', 'bench', '.ci'];

/** Single files that may import more than their folder, each with its reason. */
export const FILE_EXCEPTIONS: Readonly<Record<string, { readonly packages: readonly string[]; readonly why: string }>> =
  {
    'strategies/index.ts': {
      packages: ['node:fs', 'node:module', 'node:path', 'node:url'],
      why: 'finds the strategies by the names of their files, at start, and lends them the program’s own parts',
    },
  };
