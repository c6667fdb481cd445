// The catalogue of faults (order-truth §7): creates.
import { MINUTE } from '../../src/domain/time.ts';
import { elsewhere, group, OFTEN, simulated } from './catalogue-row.ts';
import type { FaultSpec } from './fault-kinds.ts';

export const CREATE_FAULTS: readonly FaultSpec[] = [
  ...group('create', [
    simulated(
      'F01',
      'accept order, then RST before any response byte',
      { via: 'message', fault: 'lost-after', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F02',
      'accept, answer 504 with HTML body after D/2',
      { via: 'message', fault: 'gateway', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F03',
      'accept, answer 503 {code,msg} + Retry-After: 1',
      { via: 'message', fault: 'unavailable-done', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F04',
      'accept, 200 JSON truncated at byte k (k uniform), with and without content-length',
      { via: 'message', fault: 'cut', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F05',
      'accept, 200 with "", {}, null, [], {data:null}, {data:{}}, order_id:""/0/null',
      { via: 'message', fault: 'empty', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F06',
      'true risk rejection: 200 {msg}',
      { via: 'timed', fault: 'frozen-symbol', longestMs: 10 * MINUTE },
      { magnitude: [1, 6] },
    ),
    simulated(
      'F07',
      '200 {msg} **but** the order exists',
      { via: 'message', fault: 'denied-done', on: 'create' },
      { magnitude: [0.002, 0.1], halts: ['answers-untrue', 'order-unknown'] },
    ),
    elsewhere(
      'F08',
      'DNS NXDOMAIN / refused / TLS failure / RST before headers',
      'test/contract/client-transport.test.ts, test/contract/client-tls.test.ts; no probe storm: ' +
        'test/unit/trader/market.test.ts.',
    ),
    simulated(
      'F09',
      'hold request d∈(D, W) then accept (late acceptance after client gave up)',
      { via: 'message', fault: 'held', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F10',
      'hold request d>W, venue rejects timestamp, response lost',
      { via: 'message', fault: 'held-too-long', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F11',
      'deliver the same signed bytes twice (proxy replay inside W) → two order_ids',
      { via: 'message', fault: 'twice', on: 'create' },
      { magnitude: [0.002, 0.1], excuses: ['second-order'], halts: ['order-unknown'] },
    ),
    simulated(
      'F12',
      'order_id returned but absent from open list for Ls ∈ {1 s … 60 s}',
      { via: 'venue', fault: 'orders-lag' },
      { magnitude: [100, 60000] },
    ),
    simulated(
      'F13',
      'order fully filled before the response',
      { via: 'message', fault: 'late-answer', on: 'create' },
      { magnitude: OFTEN, partly: 'a held answer' },
    ),
    simulated(
      'F14',
      'partial fill at acceptance',
      { via: 'message', fault: 'late-answer', on: 'create' },
      { magnitude: [0.02, 0.8], partly: 'a held answer' },
    ),
    simulated(
      'F15',
      'order_id as number > 2^53, alternating string/number, leading zeros',
      { via: 'venue', fault: 'large-ids' },
      { magnitude: [1, 1000000], partly: 'order ids beyond 2^53 as text, trade ids as numbers' },
    ),
    elsewhere('F16', 'venue stores rounded price/qty different from request', 'test/unit/trader/lists.test.ts'),
    simulated(
      'F17',
      'create returns an already-bound order_id (cache/reuse)',
      { via: 'answer', fault: 'reused-id', on: 'create' },
      { magnitude: [0.003, 0.1], halts: ['order-unknown'] },
    ),
    simulated(
      'F18',
      '429 with Retry-After = 1 / HTTP-date / absent / -1 / "abc" / 86400',
      { via: 'message', fault: 'throttled-oddly', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F19',
      'unknown {code}; error object with HTTP 200; code as string',
      { via: 'message', fault: 'odd-error', on: 'create' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F20',
      'insufficient balance although ledger says enough',
      { via: 'owner', fault: 'lock-funds' },
      { magnitude: [1, 8], excuses: ['funds'] },
    ),
    simulated(
      'F21',
      '-1125 maintenance between cancel and create; lasts 1–120 min',
      { via: 'timed', fault: 'maintenance', longestMs: 20 * MINUTE },
      { magnitude: [0.5, 3], partly: '20 minutes at the most' },
    ),
    simulated(
      'F22',
      'venue accepts but matches *through* (no post-only): price moved, order takes',
      { via: 'message', fault: 'held-briefly', on: 'create' },
      { magnitude: OFTEN, partly: 'a held request' },
    ),
  ]),
];
