// The bot's preview of a change: sentences, and the quotes in money as a table.
import { h } from '../dom.js';
import { table } from '../parts.js';

/** @import { VNode } from '../dom.js' */
/** @import { PreviewPart } from '../../../steer/proposal.ts' */

/** @param {readonly PreviewPart[]} parts @returns {VNode[]} */
export const previewParts = (parts) =>
  parts.map((part) =>
    typeof part === 'string'
      ? h('p', { class: 'line' }, part)
      : table({
          label: 'Current and resulting quotes',
          columns: part.titles.map((name) => ({ name, number: name !== '' })),
          rows: part.rows.map((cells) => ({ cells: [...cells] })),
        }),
  );
