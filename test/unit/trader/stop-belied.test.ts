// The proof of a stop: a list that can't be read whole shows an order of ours, and the two whole lists around it are
// the proof all the same.
import { expect, test } from '@jest/globals';
import { LAG_MS } from './desk-settings.ts';
import { quotingDesk, rowOf } from './trader-kit.ts';

test('what a list shows between the two of the proof counts, whole or not', () => {
  const desk = quotingDesk();
  const [bid] = desk.intents();
  if (!bid?.orderId) throw new Error('Nothing is quoted.');
  const { orderId } = bid;
  desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
  desk.run(LAG_MS * 3);
  expect(desk.intents()).toEqual([]);
  desk.tell({ kind: 'stop' });
  // The order rests (its lists trail by more than is assumed); its cancels do not come through.
  const row = rowOf(bid, orderId, desk.now());
  let lists = 0;
  desk.reply = (request) => {
    if (request.kind === 'cancel') return { kind: 'rejected', status: 400, code: -1124, msg: 'No.' };
    if (request.kind !== 'open-orders') return undefined;
    lists += 1;
    const isShown = lists === 2;
    const read = { rows: isShown ? [row] : [], complete: !isShown, sentAt: desk.now(), receivedAt: desk.now() };
    return { kind: 'read', read };
  };
  for (let n = 0; n < 300 && desk.state().phase === 'stopping' && lists < 3; n += 1) desk.run(100);
  expect(desk.notices.some(({ op }) => op === 'stray-order')).toBe(true);
  expect(desk.state().phase).toBe('stopping');
  // Two whole lists after it show nothing.
  desk.run(10_000);
  expect(desk.events.findLast(({ type }) => type === 'session-ended')?.payload).toMatchObject({ flat: true });
});
