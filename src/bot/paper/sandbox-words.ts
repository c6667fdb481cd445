// A sandbox's startup message: everything that a program in any language needs to begin.
import { DIALECT } from '../../venue/dialect.ts';
import type { RunningSandbox, SandboxKey } from './sandbox.ts';
import { changedQuirks } from './sandbox-options.ts';

export function sandboxJson({ server, sandbox, accounts }: RunningSandbox): string {
  const { url, instanceId, controlUrl } = server;
  const { profile, markets, folder } = sandbox;
  return JSON.stringify({
    ...{ url, instanceId, profile, controlUrl },
    apiKeyHeader: DIALECT.apiKeyHeader,
    symbols: markets.map(({ instrument }) => instrument.symbol),
    state: folder,
    accounts: accounts.map(({ name, balances, keys }) => ({
      account: name,
      balances: Object.fromEntries(Object.entries(balances).map(([asset, amount]) => [asset, amount.toFixed()])),
      keys: keys.map(({ key, secret, permissions }) => ({ apiKey: key, secret, permissions })),
    })),
  });
}

export function sandboxText(running: RunningSandbox): string {
  const { server, sandbox, accounts } = running;
  const { profile, markets, folder } = sandbox;
  const quirks = changedQuirks(sandbox);
  const symbols = markets.map(({ instrument }) => instrument.symbol);
  const keys = accounts.flatMap((account) => account.keys.slice(0, 1));
  return [
    `The paper exchange ${server.instanceId} listens at ${server.url}.`,
    `It has the profile ${profile}${quirks.length > 0 ? ` and ${quirks.join(', ')}` : ''}, and trades ` +
      `${symbols.join(', ')}.`,
    `${server.url}/openapi.json describes its interface.`,
    `A key goes into the header ${DIALECT.apiKeyHeader}, ` +
      'its secret signs. They are good for this exchange and nothing else.',
    ...accounts.flatMap((account) => accountLines(account, server.goesOn)),
    ...(server.controlUrl === null
      ? ['The control interface is closed; --control opens it.']
      : [`The control interface is at ${server.controlUrl}: GET / lists what it does.`]),
    'A first signed request:',
    ...keys.slice(0, 1).map((key) => `  ${curlLine(server.url, key)}`),
    folder === null
      ? 'It forgets everything when it stops; --state <folder> keeps it. Stop it with Ctrl+C.'
      : `Its state and keys are in ${folder}. Stop it with Ctrl+C.`,
  ].join('\n');
}

function accountLines(
  { name, balances, keys }: RunningSandbox['accounts'][number],
  goesOn: boolean,
): readonly string[] {
  const holdings = Object.entries(balances).map(([asset, amount]) => `${amount.toFixed()} ${asset}`);
  return [
    `Account ${name}, ${goesOn ? 'as it was left, or new with' : 'with'} ${holdings.join(', ')}:`,
    ...keys.flatMap(({ key, secret, permissions }) => {
      const kind = permissions.includes('read') ? 'read-only ' : '';
      return [`${kind}key:`, `${kind}secret:`].map((name, at) => `  ${name.padEnd(17)} ${at === 0 ? key : secret}`);
    }),
  ];
}

/** A request for a shell with curl and openssl. */
function curlLine(url: string, { key, secret }: SandboxKey): string {
  const sign = `printf "timestamp=$T" | openssl dgst -sha256 -hmac ${secret} | sed 's/.* //'`;
  const request = `"${url}/api/v1/wallet?timestamp=$T&signature=$(${sign})"`;
  return `T=$(date +%s)000; curl -sS -H '${DIALECT.apiKeyHeader}: ${key}' ${request}`;
}
