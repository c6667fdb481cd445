// P3: signed order entry over HTTP against the paper exchange, and the same bytes against an empty Fastify server.
import { type ChildProcess, fork } from 'node:child_process';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { decimal } from '../src/domain/decimal.ts';
import { type PaperServer, startPaperServer } from '../src/paper/server/server.ts';
import type { PaperSettings } from '../src/paper/state/settings.ts';
import { SPEC_QUIRKS } from '../src/paper/wire/quirks.ts';
import type { LoadDone, LoadOrder } from './exchange-load.ts';
import { type BenchResult, type Contestant, measureInTurn } from './measure.ts';

const COUNT = 20_000;
const IN_FLIGHT = 16;
/** Stands still, so that requests signed once stay good. */
const NOW = Date.UTC(2026, 0, 1);
const KEY = { apiKey: 'bench-key', secret: 'bench-secret' };

export async function run(): Promise<BenchResult> {
  const paper = await startPaper();
  const empty = await startEmpty();
  const load = fork(`${import.meta.dirname}/exchange-load.ts`);
  try {
    const contestants = [
      contestant('paper exchange', { load, port: portOf(paper.url) }),
      contestant('empty Fastify, JSON (peer)', { load, port: portOf(empty.url) }),
    ];
    const [ours, peer] = await measureInTurn({ contestants, rounds: 5, sameOutput: true });
    if (ours === undefined || peer === undefined) throw new Error('There are two contestants.');
    const lines = [ours, peer].map(({ name, medianMs, runsMs }) => {
      const rate = `${(COUNT / medianMs).toFixed(1).padStart(6)} k/s`;
      const ratio = `${(peer.medianMs / medianMs).toFixed(2)} ×`;
      return (
        `${name.padEnd(28)} ${rate}  ${ratio}  ` +
        `(${Math.min(...runsMs).toFixed(0)}–${Math.max(...runsMs).toFixed(0)} ms)`
      );
    });
    return { title: 'P3 paper exchange, signed order entry', lines };
  } finally {
    load.kill();
    await paper.close();
    await empty.app.close();
  }
}

/** Sends the round to the loading process; returns how many answers were 200, which must be the same for both. */
function contestant(name: string, { load, port }: { load: ChildProcess; port: number }): Contestant {
  const order: LoadOrder = { port, count: COUNT, inFlight: IN_FLIGHT, now: NOW, ...KEY };
  return {
    name,
    prepare: () => () =>
      new Promise<number>((resolve) => {
        load.once('message', ({ succeeded }: LoadDone) => resolve(succeeded));
        load.send(order);
      }),
  };
}

function startPaper(): Promise<PaperServer> {
  return startPaperServer({
    settings: settings(),
    port: 0,
    host: '127.0.0.1',
    clock: { now: () => NOW, monotonic: () => performance.now() },
    log: pino({ level: 'silent' }),
    stateFile: null,
  });
}

async function startEmpty(): Promise<{ app: FastifyInstance; url: string }> {
  const app = fastify();
  app.post('/*', () => ({ data: { order_id: '1-1-1' } }));
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function settings(): Omit<PaperSettings, 'instanceId'> {
  const instrument = {
    symbol: 'BTC/INR',
    base: 'BTC',
    quote: 'INR',
    tickSize: decimal('0.5'),
    lotSize: decimal('0.001'),
  };
  return {
    engine: {
      instruments: [{ ...instrument, minNotional: decimal('100') }],
      assetDecimals: 8,
      makerFeeRatio: decimal('0.004'),
      takerFeeRatio: decimal('0.005'),
      tdsRatio: decimal('0.01'),
      rounding: 'half-up',
      buyerFeeAsset: 'quote',
      selfTrade: 'allow',
      crossing: 'takes',
      firstOrderNumber: 1n,
      firstTradeNumber: 1n,
    },
    accounts: [
      {
        name: 'bench',
        keys: [{ ...KEY, permissions: ['orders'], ipWhitelist: null }],
        balances: { INR: decimal('1e12'), BTC: decimal('1e9') },
      },
    ],
    crowd: null,
    rateLimits: { public: [], private: [{ requests: 1_000_000_000, perMs: 1_000 }], legacy: [] },
    quirks: SPEC_QUIRKS,
    apiKeyHeader: 'X-EXCHANGE-APIKEY',
  };
}
