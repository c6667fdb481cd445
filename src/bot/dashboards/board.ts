// What a dashboard shows, without the hundred fields that Grafana wants around it.

/** Colors by name: Grafana has a shade of each for dark and one for light. */
export type Color = 'green' | 'yellow' | 'orange' | 'red' | 'blue' | 'purple' | 'text';

/** Grafana's units: a ratio of 1 is 100 %; `locale` is a number with separators, for money and prices. */
export type Unit = 'none' | 'short' | 'locale' | 'percentunit' | 's' | 'reqps' | 'bytes' | 'dateTimeFromNow';

export interface LineStyle {
  readonly color?: Color;
  readonly line?: 'dashed' | 'bold';
}

/** What stands in place of a number, and its color. */
export type Words = Readonly<Record<number, readonly [word: string, color: Color]>>;

export interface Panel {
  /**
   * `lines` over time; `areas`: the same, added up; `number`: the newest; `bars`: the newest of each, from `min` to
   * `max`; `phases`: words over time; `rows`: a table of what holds now.
   */
  readonly kind: 'lines' | 'areas' | 'number' | 'bars' | 'phases' | 'rows';
  readonly title: string;
  /** What it means and what to look at: two sentences at the most. */
  readonly about: string;
  readonly unit: Unit;
  /** Legend → expression. In a legend `{{label}}` stands for the label's value. */
  readonly shows: Readonly<Record<string, string>>;
  readonly styles?: Readonly<Record<string, LineStyle>>;
  /** Of the 24 columns of the screen; 8 where it is left out. */
  readonly width?: number;
  readonly height?: number;
  /** Of `areas` 0 by itself. */
  readonly min?: number;
  readonly max?: number;
  /** From this value on, this color; below the first one it is green. */
  readonly from?: readonly (readonly [value: number, color: Color])[];
  readonly words?: Words;
  /** Of `rows`: a label whose values become columns, with one row for each value of another. */
  readonly matrix?: { readonly row: string; readonly column: string };
  /** Alerts that fire on what is shown: each links to its chapter of docs/operations.md. */
  readonly alerts?: readonly string[];
  /** Other chapters of docs/operations.md, by their anchors. */
  readonly chapters?: readonly string[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Board {
  /** Ends the name of its file and its address in Grafana. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Whether bots and symbols are looked at one at a time, or several together; null where symbols are none of it. */
  readonly bots: 'one' | 'several';
  readonly symbols: 'one' | 'several' | null;
  readonly rows: readonly Row[];
}
