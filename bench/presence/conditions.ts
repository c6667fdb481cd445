// The conditions under which presence is measured: which configuration, how fast, how late the lists, what goes wrong.
import type { Decimal } from '../../src/domain/decimal.ts';
import type { DurationMs } from '../../src/domain/time.ts';
import { SECOND } from '../../src/domain/time.ts';

/** What an hour of the exchange's and the network's bad times holds. */
export type Trouble = 'none' | 'lost-creates' | 'outages';

export interface PlayedCondition {
  readonly kind: 'played';
  /** File in config/ that the bot is told. */
  readonly file: 'paper.yaml' | 'field.example.yaml' | 'live.example.yaml';
  readonly symbols: 1 | 2;
  /** Requests that the exchange takes on each lane, which is what the bot's lanes are set to. */
  readonly limit: { readonly requests: number; readonly perMs: DurationMs };
  /** How far lists of orders and trades and the wallet trail; null: as the file has it. */
  readonly lists: { readonly lagMs: DurationMs; readonly assumedMs: DurationMs } | null;
  readonly trouble: Trouble;
  /** What of the crowd's markets is another than in the file. */
  readonly market?: Readonly<Record<string, unknown>>;
  /** What the account begins with, where it is something else. */
  readonly openingBalances?: Readonly<Record<string, Decimal>>;
}

/** Runs of the simulator with all that it can do wrong. */
export interface FaultyCondition {
  readonly kind: 'faulty';
}

export interface Condition {
  readonly name: string;
  readonly title: string;
  readonly how: PlayedCondition | FaultyCondition;
  /** By name of what is counted: the least share of time two-sided and fresh. */
  readonly least: Readonly<Record<string, number>>;
}

const TEN = { requests: 10, perMs: SECOND };
const SLOW = { requests: 1, perMs: 2.5 * SECOND };
const PAPER = { kind: 'played', file: 'paper.yaml', symbols: 2, limit: TEN, trouble: 'none' } as const;
const FIELD = { kind: 'played', file: 'field.example.yaml', limit: SLOW, lists: null, trouble: 'none' } as const;
const lists = (lag: number, assumed: number) => ({ lagMs: lag * SECOND, assumedMs: assumed * SECOND });

/** What is counted of a run, by name. */
export const COUNTED = {
  all: 'all',
  outside: 'outside',
  later: 'a minute later',
  calm: 'calm',
  chaos: 'chaos',
} as const;

export const CONDITIONS: readonly Condition[] = [
  {
    name: 'ten',
    title: '10/s, no lag',
    how: { ...PAPER, lists: lists(0, 1) },
    least: { [COUNTED.all]: 0.99 },
  },
  {
    name: 'ten-lag-2',
    title: '10/s, lists trail 2 s',
    how: { ...PAPER, lists: lists(2, 2) },
    least: { [COUNTED.all]: 0.97 },
  },
  {
    name: 'ten-lag-2-of-30',
    title: '10/s, trail 2 s, 30 s assumed',
    how: { ...PAPER, lists: lists(2, 30) },
    least: { [COUNTED.all]: 0.97 },
  },
  {
    name: 'ten-lag-30',
    title: '10/s, lists trail 30 s',
    how: { ...PAPER, lists: lists(30, 30) },
    least: { [COUNTED.all]: 0.95 },
  },
  {
    name: 'slow-one',
    title: '1 per 2.5 s, one symbol',
    how: { ...FIELD, symbols: 1 },
    least: { [COUNTED.all]: 0.92 },
  },
  {
    name: 'slow-two',
    title: '1 per 2.5 s, two symbols',
    how: { ...FIELD, symbols: 2 },
    least: { [COUNTED.all]: 0.85 },
  },
  {
    name: 'live',
    title: 'live.example as shipped',
    how: { ...FIELD, file: 'live.example.yaml', symbols: 1 },
    least: { [COUNTED.all]: 0.9 },
  },
  {
    name: 'lost',
    title: '10/s, 5 % of answers lost',
    how: { ...PAPER, lists: lists(0, 1), trouble: 'lost-creates' },
    least: { [COUNTED.all]: 0.9 },
  },
  {
    name: 'outages',
    title: '10/s, outages',
    how: { ...PAPER, lists: lists(0, 1), trouble: 'outages' },
    least: { [COUNTED.outside]: 0.95 },
  },
  {
    name: 'faults',
    title: 'all faults',
    how: { kind: 'faulty' },
    least: { [COUNTED.calm]: 0.97, [COUNTED.chaos]: 0.5 },
  },
];
