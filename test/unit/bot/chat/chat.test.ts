// Commands by chat over real sockets: who is obeyed, what a code confirms, and what outages and repetitions change.
import { afterEach, describe, expect, test } from '@jest/globals';
import { btc, eth, statusFixture } from '../../../browser/status-fixture.ts';
import { until } from '../../../process/bot-process.ts';
import { ASHA, CHAT, RAVI } from './bot-api.ts';
import { type ChatWorld, chatWorld, endWorlds } from './chat-world.ts';

afterEach(endWorlds);

const MINUTE = 60_000;
const BY_ASHA = { by: 'asha@telegram-7001' };
const another = (code: string): string => (code === '000000' ? '111111' : '000000');
const warnings = ({ logged }: ChatWorld) =>
  logged.map(({ op, level, message }) => `${level ?? 'info'} ${op}: ${message}`);

test('/status and /profit are answered at once, as replies, in the words of `status`', async () => {
  const world = await chatWorld();
  const status = await world.ask('/status');
  expect(status).toMatch(
    /^live-1: paper, [\d-]+ [\d:]+ UTC\nQuoting in part: Both sides of BTC\/INR; only the bid of ETH\/INR\.\n/,
  );
  expect(status).toContain('\nWallet equals ledger: ');
  expect(status.length).toBeLessThan(700);
  const profit = await world.ask('/profit@quote_BOT');
  expect(profit).toContain('\nBTC/INR since 2026-03-17 07:28:24 UTC: profit 11,160.52 INR: spread ');
  expect(profit).toMatch(/\nIn all: [\d,.-]+ INR$/);
  expect(world.api.sent[1]?.reply_parameters?.message_id).toBe(1_002);
  expect(world.steered).toEqual([]);
});

describe('a change waits for a code', () => {
  const halt = { code: 'price', since: 17, reason: 'The price jumped.', isQuestionOver: false } as never;
  const halted = () => statusFixture({ symbols: [{ ...btc(), risk: { ...btc().risk, halt } }, eth()] });
  test.each([
    ['/pause btc/inr', { command: 'pause', symbol: 'BTC/INR', side: null, forMs: null, reason: 'Paused by chat.' }],
    ['/pause', { command: 'pause', symbol: null, side: null, forMs: null, reason: 'Paused by chat.' }],
    [
      '/resume',
      { command: 'resume', symbol: null, side: null, price: null, halt: { 'BTC/INR': { code: 'price', since: 17 } } },
    ],
    ['/stop', { command: 'stop' }],
    ['/cancelall@Quote_bot', { command: 'cancel-all' }],
  ])('%s is done once, by the person who asked', async (text, request) => {
    const world = await chatWorld();
    world.status = halted;
    const code = await world.code(text);
    expect(world.api.sent[0]?.reply_markup).toEqual({ force_reply: true, selective: true });
    expect(world.steered).toEqual([]);
    expect(await world.ask(`${code.slice(0, 3)} ${code.slice(3)}`)).toMatch(/^live-1: Done\./);
    expect(world.steered).toEqual([{ ...request, ...BY_ASHA }]);
    expect(await world.ask(code)).toBe('live-1: No command of yours waits for a code: nothing is done.');
    expect(world.steered).toHaveLength(1);
  });

  test('a refusal of the bot is the answer, and nothing to resume needs no code', async () => {
    const world = await chatWorld();
    expect(await world.ask('/resume ETH/INR')).toBe('live-1: Neither paused nor halted: ETH/INR. Nothing is done.');
    world.steerAnswer = { refused: 'The bot is stopping already.' };
    expect(await world.ask(await world.code('/pause'))).toBe('live-1: Refused: The bot is stopping already.');
  });

  test('three wrong codes end it', async () => {
    const world = await chatWorld();
    const code = await world.code('/stop');
    const wrong = another(code);
    expect(await world.ask(wrong)).toContain('Wrong code: nothing is done, /stop still waits; tries left: 2.');
    expect(await world.ask('1')).toContain('tries left: 1.');
    expect(await world.ask(wrong)).toContain('Wrong code: nothing is done, /stop is dropped.');
    expect(await world.ask(code)).toContain('No command of yours waits for a code');
    expect(world.steered).toEqual([]);
  });

  test('a second command takes the place of the first, and says so; only the second can be confirmed', async () => {
    const world = await chatWorld();
    const first = await world.code('/pause');
    const second = await world.code('/cancelall');
    expect(world.texts()[1]).toContain('live-1: /pause, which waited for its code, is dropped.\n');
    if (first !== second) expect(await world.ask(first)).toContain('Wrong code: nothing is done');
    await world.ask('/status');
    await world.ask(second);
    expect(world.steered).toEqual([{ command: 'cancel-all', ...BY_ASHA }]);
  });

  test('only the person who asked can confirm it, whatever name others chose', async () => {
    const world = await chatWorld();
    const code = await world.code('/stop', { from: RAVI });
    expect(await world.ask(code)).toContain('No command of yours waits for a code');
    await world.ask(code, { from: RAVI });
    expect(world.steered).toEqual([{ command: 'stop', by: '___@telegram-7002' }]);
  });

  test('another person’s command takes nobody’s place, and three wrong codes of another drop nothing', async () => {
    const world = await chatWorld();
    const code = await world.code('/cancelall');
    await world.code('/pause', { from: RAVI });
    expect(world.texts()[1]).not.toContain('dropped');
    for (let tries = 0; tries < 3; tries += 1) await world.ask('1', { from: RAVI });
    await world.ask(code);
    expect(world.steered).toEqual([{ command: 'cancel-all', ...BY_ASHA }]);
  });

  test('/resume lifts what it showed: locks and halts that changed meanwhile are shown again first', async () => {
    const lock = { code: 'operator', side: null, reason: 'Paused by ravi.', until: null, by: 'ravi' };
    const pausedWith = (...pausedToo: { symbol: string }[]) =>
      statusFixture({
        symbols: [btc(), eth()].map((view) =>
          view === undefined || (view.symbol !== 'BTC/INR' && !pausedToo.some(({ symbol }) => symbol === view.symbol))
            ? view
            : { ...view, risk: { ...view.risk, locks: [lock as never] } },
        ),
      });
    const world = await chatWorld();
    world.status = () => pausedWith();
    const code = await world.code('/resume');
    world.status = () => pausedWith(eth());
    expect(await world.ask(code)).toBe('live-1: Nothing is done: the locks or halts have changed. Send /resume again.');
    expect(world.steered).toEqual([]);
    await world.ask(await world.code('/resume'));
    expect(world.steered).toMatchObject([{ command: 'resume', symbol: null }]);
    const late = await world.code('/resume');
    world.status = statusFixture;
    expect(await world.ask(late)).toMatch(/^live-1: Neither paused nor halted: /);
    expect(world.steered).toHaveLength(1);
  });

  test('two minutes later the code is worth nothing', async () => {
    const world = await chatWorld();
    const code = await world.code('/stop');
    world.aheadMs = 2 * MINUTE + 1_000;
    expect(await world.ask(code)).toContain('No command of yours waits for a code');
    expect(world.steered).toEqual([]);
  });
});

describe('nothing is done, and a sentence says why', () => {
  test.each([
    ['/pause DOGE/INR', '"DOGE/INR" after /pause: one of BTC/INR, ETH/INR, or nothing for all was expected.'],
    ['/stop \u202enow', '"\\u202enow" after /stop: nothing was expected.'],
    ['/cancelall BTC/INR', '"BTC/INR" after /cancelall: nothing was expected. Nothing is done.'],
    ['/help', '/cancelall: the same with the kill latch'],
    [`/start ${'x'.repeat(4_000)}`, '/status: what the bot does'],
    ['/constructor x', '/status: what the bot does'],
    ['482193', 'No command of yours waits for a code: nothing is done.'],
  ])('%s', async (text, answer) => {
    const world = await chatWorld();
    expect(await world.ask(text)).toContain(answer);
    expect(world.steered).toEqual([]);
  });

  test('for a message in the name of a group, and one without an author', async () => {
    const world = await chatWorld();
    const sentence = 'live-1: Write in your own name, not as a group or channel: nothing is done.';
    expect(await world.ask('/stop', { sender_chat: { id: Number(CHAT) } })).toBe(sentence);
    expect(await world.ask('/stop', { from: { ...ASHA, is_bot: true } })).toBe(sentence);
    expect(await world.ask('/stop', { from: undefined })).toBe(sentence);
  });

  test('for a command that is older than two minutes, by whatever clock', async () => {
    const world = await chatWorld();
    world.api.now = () => world.now() + 7 * MINUTE;
    expect(await world.ask('/profit')).toContain('profit');
    const date = Math.floor(world.api.now() / 1_000) - 130;
    expect(await world.ask('/stop', { date })).toMatch(/^live-1: Too old: sent 2 min (9|10) s before it was read\./);
  });
});

test('a message that is no command is left alone, whatever it is', async () => {
  const world = await chatWorld();
  const chat = { id: Number(CHAT), type: 'private' };
  world.api.say('good morning / evening 😀');
  world.api.say('/stop@another_bot');
  world.api.say('', { text: undefined, photo: [{ file_id: 'x' }], caption: '/stop' });
  world.api.push({ edited_message: { message_id: 1, date: 1, chat, from: ASHA, text: '/stop' } });
  world.api.push({ channel_post: { message_id: 1, date: 1, chat, text: '/stop' } });
  world.api.push({ message: { message_id: 'one', text: 7 } });
  world.api.push({ message: { message_id: 1, date: 1, chat, new_chat_title: 'x' } });
  world.api.say('x'.repeat(4_096));
  expect(await world.ask('/profit')).toContain('profit');
  expect(world.api.sent).toHaveLength(1);
  expect(world.logged).toEqual([]);
});

test('a stranger is not answered: counted, and told of once', async () => {
  const world = await chatWorld();
  const stranger = { chat: { id: -100_555, type: 'supergroup' } };
  for (let count = 0; count < 30; count += 1) world.api.say('/stop', stranger);
  world.api.say(await world.code('/stop'), stranger);
  await world.ask('/status');
  expect(world.api.sent).toHaveLength(2);
  expect(world.counted.filter((from) => from === 'stranger')).toHaveLength(31);
  expect(warnings(world)).toEqual([
    expect.stringMatching(
      /^warn chat-stranger: A message of chat -100555 was ignored\. Commands come from chat 7001 alone/,
    ),
  ]);
  expect(world.steered).toEqual([]);
});

describe('a message that the server repeats does nothing', () => {
  test('to the same process, though it was confirmed', async () => {
    const world = await chatWorld();
    await world.ask(await world.code('/stop'));
    await world.ask('/status');
    world.api.replay();
    await world.ask('/status');
    expect(world.api.sent).toHaveLength(4);
    expect(world.steered).toHaveLength(1);
  });

  test('to the next process, which was killed before it confirmed', async () => {
    const world = await chatWorld();
    await world.ask(await world.code('/pause'));
    await world.end();
    world.aheadMs += 10_000;
    world.api.replay();
    await world.begin();
    await until('all is answered', () => world.api.sent.length === 4);
    expect(world.texts().slice(2)).toEqual(Array(2).fill(expect.stringContaining('Too old: sent ')));
    expect(world.steered).toHaveLength(1);
    await world.code('/pause');
  });

  test('and a lower number after a quiet week is a new message', async () => {
    const world = await chatWorld();
    await world.ask('/status');
    await until('it is confirmed', () => world.api.offsets.at(-1) === 1_001);
    world.api.endPoll();
    await until('nothing is left to confirm', () => world.api.offsets.at(-1) === undefined);
    world.api.say('/status', {}, 7);
    await until('it is answered', () => world.api.sent.length === 2);
  });
});

describe('outages', () => {
  test('of an hour: each command gets its answer, in order; what waited too long is not done', async () => {
    const world = await chatWorld();
    const { api } = world;
    const code = await world.code('/pause');
    api.fails = (method) => (method === 'sendMessage' ? { status: 502, description: 'Bad Gateway' } : null);
    api.say(code);
    await until('it is done', () => world.steered.length === 1);
    api.say('/status');
    api.say('/stop');
    await until('it is told', () => world.logged.length === 1);
    await api.stop();
    world.aheadMs = 61 * MINUTE;
    api.fails = () => null;
    await api.start();
    await until('all is answered', () => api.sent.length === 4);
    expect(world.texts().slice(1)).toEqual([
      'live-1: Done.',
      expect.stringContaining('Too old: sent 1 h '),
      expect.stringContaining('Too old: sent 1 h '),
    ]);
    expect(world.steered).toHaveLength(1);
    expect(warnings(world)).toEqual([
      expect.stringMatching(
        /^warn chat-failed: Chat 7001 can't be read or answered: HTTP 502: .*Bad Gateway.* It is tried again\./,
      ),
      'info chat-failed: The chat works again.',
    ]);
  });

  test('another program that polls with the same token is named, and the rest works again without it', async () => {
    const world = await chatWorld();
    world.api.fails = (method) => (method === 'getUpdates' ? { status: 409, description: 'Conflict: webhook' } : null);
    await world.api.stop();
    await world.api.start();
    await until('it is told', () => world.logged.length === 1);
    expect(warnings(world)[0]).toContain('HTTP 409: {"ok":false,"error_code":409,"description":"Conflict: webhook"}');
    world.api.fails = () => null;
    expect(await world.ask('/profit')).toContain('profit');
  });

  test('a server that asks for a pause gets it', async () => {
    const world = await chatWorld();
    let refusedAt = 0;
    world.api.fails = (method) => {
      if (method !== 'sendMessage' || refusedAt > 0) return null;
      refusedAt = performance.now();
      return { status: 429, description: 'Too Many Requests: retry after 1', after: 1 };
    };
    await world.ask('/status');
    expect(performance.now() - refusedAt).toBeGreaterThan(900);
  });

  test('an answer that the server refuses for good keeps no other one waiting', async () => {
    const world = await chatWorld();
    world.api.fails = (method) => (method === 'sendMessage' ? { status: 400, description: 'Bad Request' } : null);
    world.api.say('/status');
    await until('it is told', () => world.logged.length === 1);
    expect(warnings(world)[0]).toContain('warn chat-failed: The chat refused an answer: HTTP 400');
    world.api.fails = () => null;
    expect(await world.ask('/profit')).toContain('profit');
  });
});

describe('the end of the bot', () => {
  test('by a command of the chat is told there', async () => {
    const world = await chatWorld();
    expect(await world.ask(await world.code('/stop'))).toContain('\nNothing is proved yet; how it ends follows here.');
    world.status = () => statusFixture({ phase: 'stopped', flat: true, symbols: [] });
    await world.end();
    expect(world.texts().at(-1)).toMatch(
      /^live-1: Stopped: The bot has ended\. It was proved at [\d-]+ [\d:]+ UTC that none/,
    );
    // The code is confirmed: the next start is not asked for it again.
    expect(world.api.offsets.at(-1)).toBe(1_002);
    expect(world.left).toEqual([]);
  });

  test('by something else is not, and ends the poll', async () => {
    const world = await chatWorld();
    await world.ask('/status');
    await world.end();
    expect(world.api.sent).toHaveLength(1);
  });

  test('in an outage leaves what could not be sent to the outbox, in order', async () => {
    const world = await chatWorld();
    const code = await world.code('/stop');
    world.api.fails = (method) => (method === 'sendMessage' ? { status: 502, description: 'Bad Gateway' } : null);
    world.api.say(code);
    await until('it is done', () => world.steered.length === 1);
    await world.end();
    expect(world.left).toEqual([expect.stringContaining('live-1: Done.'), expect.stringContaining('live-1: Quoting')]);
  });
});

test('an error of the program is told without its message, and the chat goes on', async () => {
  const world = await chatWorld();
  const works = world.status;
  world.status = () => {
    throw new Error('canary');
  };
  expect(await world.ask('/status')).toBe('live-1: The bot could not do it; its log says more.');
  expect(warnings(world)[0]).toMatch(/^error chat-failed: A command of the chat failed/);
  expect(JSON.stringify(world.logged)).not.toContain('canary"');
  world.status = works;
  expect(await world.ask('/status')).toContain('Wallet equals ledger');
});
