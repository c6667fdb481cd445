// Panels and colors that several dashboards have.
import type { Panel, Words } from './board.ts';

/** Of `quotekeeper:side:rank`. */
export const SIDE_RANKS: Words = {
  0: ['halted', 'red'],
  1: ['paused', 'orange'],
  2: ['not quoted now', 'yellow'],
  3: ['quoted', 'green'],
};

/** Of a limit of which 1 is all. */
export const NEAR_LIMIT: NonNullable<Panel['from']> = [
  [0.7, 'orange'],
  [1, 'red'],
];

type Part = Omit<Panel, 'shows' | 'width'>;

export const SHARE_QUOTED: Part = {
  kind: 'lines',
  title: 'Share of the time quoted',
  about: 'Two-sided, with live and fresh orders, in the ten minutes before.',
  unit: 'percentunit',
  min: 0,
  max: 1,
  alerts: ['QuotekeeperNotQuoting'],
  chapters: ['watching'],
};

export const LOST: Part = {
  kind: 'areas',
  title: 'What the rest was lost to',
  about: 'Seconds of each second without a live and fresh order, by the gravest reason.',
  unit: 'percentunit',
  alerts: ['QuotekeeperNotQuoting'],
  chapters: ['watching'],
};
