// A growing column of numbers in eight bytes each: rows of objects would take ten times the memory.

export interface NumberColumn {
  readonly length: number;
  push(value: number): void;
  /** The value at `index`, which must be under `length`. */
  at(index: number): number;
}

const FIRST_CAPACITY = 1_024;

export function numberColumn(): NumberColumn {
  let values = new Float64Array(FIRST_CAPACITY);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const wider = new Float64Array(length * 2);
        wider.set(values);
        values = wider;
      }
      values[length] = value;
      length += 1;
    },
    at: (index) => values[index] ?? Number.NaN,
  };
}
