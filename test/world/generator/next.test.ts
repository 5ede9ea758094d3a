import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../command.ts';
import type { Answer } from '../happening.ts';
import { done, invalid, mismatch, problem, refused, Story } from '../model/story.ts';
import { masked } from '../model/table.ts';
import { suggest } from './next.ts';

const HEADERS = {
  'retry-after': '1',
  ratelimit: 'x',
  'ratelimit-policy': '"a";q=3;w=600, "b";q=20;w=60, "c";q=1;w=60',
};

/** Every answer that the documents know, so that one of them is allowed in each situation. */
function answers(n: number, command: Command, story: Story): Answer[] {
  const s = story.model.states[0];
  const v = 'id' in command ? s?.made.get(command.id) : undefined;
  const to = 'to' in command ? command.to : (v?.to ?? '');
  const once = [...(s?.once.values() ?? [])].map((it) => it.verification.id ?? '');
  const ids = [`ver_${n}`, ...once];
  const expires_at = new Date((v?.asked.at ?? 0) + 600_000).toISOString();
  const attempts = v?.attempts.map(({ channel }) => ({ channel, state: 'submitted' })) ?? [];
  const shown = [to, to === '' ? '' : masked(to)];
  const statuses = ['queued', 'submitted', 'delivered', 'undelivered', 'failed', 'confirmed', 'expired'];
  if ('code' in command && command.do === 'confirm') {
    const replays = [...(s?.once.values() ?? [])].map((it) => it.answer.split(' '));
    return [
      done({
        id: v?.id,
        destination: to,
        channel: v?.channel,
        confirmed_at: new Date(story.at).toISOString(),
      }),
      ...[4, 3, 2, 1, 0].map(mismatch),
      ...replays.map(([status, it = '']) =>
        status === '200' ? done({ confirmed_at: it }) : mismatch(Number(it)),
      ),
      refused(403, 'attempts-exhausted'),
      ...['verification-not-found', 'verification-expired'].map((it) => refused(404, it)),
      refused(409, 'already-confirmed'),
      refused(422, 'idempotency-key-reused'),
      refused(401, 'invalid-key'),
    ];
  }
  if (command.do === 'look') {
    const looks = statuses.flatMap((status) =>
      shown.flatMap((destination) =>
        [3, 2, 1, 0].map((left) =>
          done({
            id: v?.id,
            destination,
            channel: v?.channel,
            status,
            guesses_left: left,
            expires_at,
            attempts,
          }),
        ),
      ),
    );
    return [
      ...looks,
      refused(404, 'verification-not-found'),
      refused(401, 'invalid-key'),
      refused(429, 'rate-limited', {}, HEADERS),
    ];
  }
  if (command.do === 'feedback' || command.do === 'twilio-feedback') {
    const sid = v?.id?.replace('ver_', 'SM');
    const outcome = 'outcome' in command ? command.outcome : 'confirmed';
    return [
      ...('verdict' in command ? [done({ id: v?.id, verdict: command.verdict })] : []),
      done({ message_sid: sid, outcome }, 201),
      refused(404, 'verification-not-found'),
      refused(401, 'invalid-key'),
      refused(429, 'rate-limited', {}, HEADERS),
      ...[401, 404, 429].flatMap((status) => [20003, 20404, 20429].map((code) => problem(status, code))),
    ];
  }
  if (command.do.startsWith('twilio')) {
    const states = ['pending', 'approved', 'canceled'];
    const channel = 'channel' in command ? command.channel : '';
    const to = 'of' in command && typeof command.of === 'string' ? command.of : '';
    const named = 'of' in command && typeof command.of === 'number' ? s?.made.get(command.of)?.to : undefined;
    const shownTo = [...shown, to, ...(named === undefined ? [] : [named, masked(named)])];
    const good = ids.flatMap((sid) =>
      states.flatMap((status) =>
        shownTo.map((it) => done({ sid, to: it, channel, status, valid: status === 'approved' })),
      ),
    );
    const codes = [20404, 60200, 60202, 60203, 60204, 60205, 60207, 60223, 60410, 60605, 20429, 20003];
    const all = [400, 401, 403, 404, 429].flatMap((status) => codes.map((code) => problem(status, code)));
    return [...good, ...all];
  }
  if (command.do === 'verify' || command.do === 'hook') {
    const channel = command.do === 'verify' ? command.channel : 'sms';
    const codes = [
      'not_e164',
      'landline',
      'personal_number',
      'no_route',
      'country_not_allowed',
      'do_not_send',
    ];
    const day = 86_400_000;
    const ends = [3_600_000, day].map((it) => String(Math.round((it - (story.at % it)) / 1000)));
    const names = ['installation', 'account', 'key', 'country', 'account country'].flatMap((it) => [
      `${it} per hour`,
      `${it} per day`,
    ]);
    return [
      ...ids.map((id) => done({ id, destination: to, channel })),
      ...codes.map((code) => invalid('destination', code)),
      invalid('channel', 'channel_not_allowed'),
      ...['channel', 'options/code_length', 'options/custom_code'].map((it) =>
        invalid(it, 'not_allowed_value'),
      ),
      invalid('options.custom_code', 'not_permitted'),
      refused(401, 'invalid-key'),
      refused(422, 'idempotency-key-reused'),
      refused(429, 'guarded', {}, { 'retry-after': '60' }),
      ...['quota-exceeded', 'rate-limited'].flatMap((it) =>
        [1, 2, 3, 4, 20].flatMap((q) =>
          [60, 600, 3600].map((w) =>
            refused(
              429,
              it,
              {},
              { ...HEADERS, 'retry-after': String(w), 'ratelimit-policy': `"x";q=${q};w=${w}` },
            ),
          ),
        ),
      ),
      ...names.flatMap((budget) =>
        ends.map((it) => refused(429, 'budget-exhausted', { budget }, { 'retry-after': it })),
      ),
    ];
  }
  const portal = [refused(401, 'not-signed-in'), refused(403, 'forbidden'), refused(403, 'proof-needed')];
  const said = v?.said && { verdict: v.said.verdict, at: new Date(v.said.at).toISOString() };
  const given = 'verdict' in command && { verdict: command.verdict, at: new Date(story.at).toISOString() };
  const pages = [said, given].map((verdict) =>
    done({ verification: { id: v?.id, channel: v?.channel, destination: masked(v?.to ?? '+1') }, verdict }),
  );
  const tests = 'carrier' in command && 'channel' in command ? [done({ ...command, id: `ver_${n}` })] : [];
  const page = (status: number, reason: string) => ({ page: { status, body: { ok: false, reason } } });
  return [
    ...[...tests, ...pages, done({}), problem(409, 0), ...portal, refused(404, 'not-found')],
    { ...refused(503, 'unavailable'), ...page(503, 'unavailable') },
    { ...done({}, 0), ...page(410, 'expired') },
  ];
}

/** A service that gives the first answer that is allowed, and carriers that take everything: somewhere an answer must be. */
function told(seed: number, steps: number): { counts: Map<string, number>; pasts: number } {
  let state = seed;
  const draw = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const story = new Story({}, { budgets: [{ of: 'account', per: 'day', messages: 30 }] });
  const counts = new Map<string, number>();
  for (let i = 0; i < steps; i++) {
    const command = suggest(story.model, draw);
    if (command.do === 'wait') story.wait(command.ms);
    const all = answers(story.n + 1, command, story);
    const from = draw(3) === 0 ? draw(all.length) : 0;
    const before = story.model;
    const reasons = new Set<string>();
    const at = [...all.slice(from), ...all.slice(0, from)].find((answer) => {
      const { n } = story;
      story.model = before.copy();
      const why = story.does(command, answer);
      if (why !== undefined) story.n = n;
      if (why !== undefined) reasons.add(why);
      return why === undefined;
    });
    assert.ok(
      at,
      `seed ${seed}: no answer to ${JSON.stringify(command)} is allowed: ${[...reasons].join('\n')}`,
    );
    const kind = `${command.do} ${at.status}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const v = story.model.states[0]?.made.get(story.n);
    if (v !== undefined && v.attempts.length === 0 && !v.test) {
      const length = v.lengths[0] ?? 6;
      const code = v.code ?? String(10 ** (length - 1) + story.n);
      const carrier = v.only ?? story.model.states[0]?.live.at(-1)?.value.route[0]?.carrier ?? 'one';
      assert.equal(
        story.sent(code, { to: v.to, channel: v.channel, carrier, reference: `r-${story.n}` }),
        undefined,
      );
    }
    if (draw(4) === 0) story.wait(draw(3000));
  }
  return { counts, pasts: story.model.states.length };
}

test('every suggestion has an answer that the model allows, and all kinds of commands come', () => {
  const kinds = new Set<string>();
  for (const seed of [4, 6, 7])
    for (const [kind] of told(seed, 60).counts) kinds.add(kind.split(' ')[0] ?? '');
  for (const kind of [
    'verify',
    'confirm',
    'twilio-send',
    'twilio-check',
    'look',
    'wait',
    'keyword',
    'hook',
  ]) {
    assert.ok(kinds.has(kind), kind);
  }
});
