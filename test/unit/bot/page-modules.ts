// The page's scripts for tests: they run in a browser unchanged, and the pure ones run here just as well.
import path from 'node:path';
import type { BotStatus } from '../../../src/bot/status/bot-status.ts';
import type { SymbolView } from '../../../src/trader/status/snapshot.ts';

const moduleAt = (name: string): string => path.resolve(import.meta.dirname, '../../../src/bot/web/page', name);

export interface Numbers {
  grouped(text: string): string;
  amount(text: string | null, places: number): string;
  signed(text: string | null, places: number): string;
  sum(a: string, b: string): string;
  difference(a: string, b: string): string;
  isZero(text: string): boolean;
  placesOf(step: string): number;
}

export interface Times {
  ageText(ms: number): string;
  agoText(at: number | null, now: number): string;
}

export interface Ladder {
  rungsOf(
    symbol: SymbolView,
    side: 'buy' | 'sell',
  ): readonly {
    readonly price: string;
    readonly size: string | null;
    readonly own: string | null;
    readonly states: readonly string[];
  }[];
}

export interface External {
  externalWords(symbol: Pick<SymbolView, 'external' | 'tickSize' | 'quote'>, now: number): string;
}

export interface Course {
  readonly times: readonly number[];
  readonly reference: readonly (number | null)[];
  readonly fills: readonly { readonly at: number; readonly price: number }[];
}

export interface View {
  readonly spanMs: number;
  readonly to: number | null;
}

export interface Views {
  candlesOf(times: readonly number[], prices: readonly (number | null)[], ms: number): readonly object[];
}

export interface PageHistory {
  createHistory(
    tick: () => number,
    send: (path: string) => Promise<Response>,
    viewOf: (symbol: string) => View,
  ): {
    take(status: BotStatus): void;
    of(symbol: string): Course;
    isComing(symbol: string): boolean;
  };
}

export interface Dom {
  h(tag: string, attributes: object, ...children: readonly string[]): object;
  plainText(text: string): string;
}

export const domModule = (): Promise<Dom> => import(moduleAt('dom.js'));
export const historyModule = (): Promise<PageHistory> => import(moduleAt('history.js'));
export const externalModule = (): Promise<External> => import(moduleAt('symbol/external.js'));
export const numbersModule = (): Promise<Numbers> => import(moduleAt('numbers.js'));
export const timesModule = (): Promise<Times> => import(moduleAt('times.js'));
export const viewModule = (): Promise<Views> => import(moduleAt('symbol/view.js'));
export const ladderModule = (): Promise<Ladder> => import(moduleAt('symbol/ladder.js'));
