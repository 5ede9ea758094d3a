/** A country that a rule stops is refused at every door that sends, and what is refused costs nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { after, before, suite, type TestContext, test } from 'node:test';
import { eventually, problemOf, secondOf } from '../acceptance/client.ts';
import { read } from '../portal/rig.ts';
import { type Doors, done, openDoors } from './doors.ts';

interface Rule {
  readonly id: string;
  readonly value: string;
}
interface Refusal {
  readonly number: string;
  readonly rule: string;
  readonly detail: string;
  readonly enforced: boolean;
}
interface Country {
  readonly country: string;
  readonly stops: readonly object[];
}

/** Nothing is sent to these, which is looked up after the guard is asked: so they tell whether it refuses. */
const PROBES = {
  ...{ DE: '+4917612345678', FR: '+33612345699', US: '+14155550199', CA: '+14165550199' },
  ...{ RU: '+79161234599', KZ: '+77011234599', GB: '+447400123499', GG: '+447911123499' },
} as const;
type Place = keyof typeof PROBES;

/** An account whose people stop countries. */
interface Stopping {
  readonly path: string;
  /** A live key of it. */
  readonly key: string;
  ask(number: string): Promise<string | undefined>;
  add(action: 'deny' | 'pause', country: Place, endsAt?: string): Promise<void>;
  lift(country: Place): Promise<void>;
  /** Once the running guard has heard of it. */
  hears(country: Place, isStopped: boolean): Promise<void>;
}

async function stopping({ owner, service }: Doors, path: string, key: string): Promise<Stopping> {
  for (const number of Object.values(PROBES))
    done(await owner.post(`${path}/do-not-send/numbers`, { number }));
  const ask = async (number: string) => {
    const answer = await service.client.verify(number, 'sms', { key });
    return answer.status === 200 ? 'sent' : problemOf(answer);
  };
  return {
    ...{ path, key, ask },
    async add(action, value, ends_at) {
      const rule = { action, subject: 'country', value, ends_at: ends_at ?? null, reason: `no ${value}` };
      done(await owner.post(`${path}/guard/rules`, rule));
    },
    async lift(country) {
      for (const { id, value } of read<Rule[]>(await owner.get(`${path}/guard/rules`)))
        if (value === country) done(await owner.send('DELETE', `${path}/guard/rules/${id}`));
    },
    async hears(country, isStopped) {
      const said = isStopped ? 'guarded' : 'invalid-request';
      const isSo = async () => (await ask(PROBES[country])) === said || undefined;
      assert.ok(await eventually(isSo), `${country} is ${isStopped ? '' : 'not '}stopped`);
    },
  };
}

const MODES = { embedded: 'enforce', shared: 'off' } as const;

for (const kind of ['embedded', 'shared'] as const) {
  suite(`a stopped country, with the ${kind} store and the guard on ${MODES[kind]}`, () => {
    let doors: Doors;
    let ours: Stopping;
    let theirs: Stopping;
    before(async () => {
      doors = await openDoors(
        kind,
        { limits: { requestsPerKey: [], sendsPerDestination: ['2/1h'] } },
        { env: { COUNTERSIGN_GUARD_MODE: MODES[kind] } },
      );
      ours = await stopping(doors, doors.account.path, doors.key);
      const other = read<{ id: string }>(await doors.owner.post('/portal/api/accounts', { name: 'other' }));
      const key = await doors.service.createKey('live', { account: 'other' });
      theirs = await stopping(doors, `/portal/api/accounts/${other.id}`, key);
    });
    after(() => doors[Symbol.asyncDispose]());

    test('is refused at every door, and counts against no limit and no budget', async (t) => {
      const { owner, account, gateway, service, key } = doors;
      const { settings } = read<{ settings: object }>(await owner.get(`${account.path}/settings`));
      const budgets = ['account 3 messages per day'];
      done(await owner.send('PUT', `${account.path}/settings`, { ...settings, budgets }));
      await secondOf(service.client);
      const testKey = await account.createKey({ test: true });

      const headers = { 'idempotency-key': 'before-the-stop' };
      const first = await service.client.verify('+4915112340000', 'sms', { key, headers });
      assert.equal(first.status, 200, first.text);
      await ours.add('deny', 'DE');
      await ours.hears('DE', true);
      for (const { name, ask } of doors.all) {
        const expected = name === 'backend of the web component' ? 'limited' : 'guarded';
        assert.equal(await ask('+4915112340001'), expected, name);
      }
      const again = await service.client.verify('+4915112340000', 'sms', { key, headers });
      assert.equal(again.json.id, first.json.id, 'a repetition is answered as before');
      assert.equal(await theirs.ask('+4915112340002'), 'sent', 'the rule is of one account');
      await assertSimulated(t, doors, testKey, '+4915112340001');

      const refused = async () => {
        const answer = await owner.get(`${account.path}/guard/refusals?country=DE`);
        const { refusals } = read<{ refusals: readonly Refusal[] }>(answer);
        const its = refusals.filter(({ number }) => number.startsWith('+49151'));
        return its.length >= doors.all.length ? its : undefined;
      };
      const recorded = (await eventually(refused)) ?? assert.fail('not recorded');
      assert.equal(recorded.length, doors.all.length);
      for (const { rule, detail, enforced } of recorded)
        assert.deepEqual([rule, detail, enforced], ['operator-deny', 'no DE', true]);

      await ours.lift('DE');
      await ours.hears('DE', false);
      // Of the budget the code from before the stop is used, and nothing of what the number may have.
      const said = [];
      for (let i = 0; i < 3; i++) said.push(await ours.ask('+4915112340001'));
      assert.deepEqual(said, ['sent', 'sent', 'quota-exceeded']);
      assert.equal(await ours.ask('+4915112340003'), 'budget-exhausted');
      // To each number in turn, so this one is the last.
      assert.equal(await theirs.ask('+4915112340004'), 'sent');
      const arrived = async () => gateway.received.some(({ to }) => to === '+4915112340004') || undefined;
      assert.ok(await eventually(arrived));
      const counts = Object.groupBy(gateway.received, ({ to }) => to.slice(-1));
      assert.deepEqual(
        Object.entries(counts).map(([number, messages]) => [number, messages?.length]),
        [
          ['0', 1],
          ['1', 2],
          ['2', 1],
          ['4', 1],
        ],
      );
    });

    test('is sent to again when its pause is over, and not before', async () => {
      const stops = async () => {
        const answer = await doors.owner.get(`${theirs.path}/countries`);
        const { countries } = read<{ countries: readonly Country[] }>(answer);
        return countries.find(({ country }) => country === 'FR')?.stops;
      };
      const ends = new Date(Date.now() + 4_000);
      await theirs.add('pause', 'FR', ends.toISOString());
      await theirs.hears('FR', true);
      assert.partialDeepStrictEqual(await stops(), [
        { of: 'account', reason: 'no FR', ends_at: ends.toISOString() },
      ]);
      const said = new Set<string | undefined>();
      const isSent = async () => {
        const answer = await theirs.ask('+33612340001');
        if (answer === 'sent') return true;
        said.add(answer);
        return undefined;
      };
      assert.ok(await eventually(isSent));
      assert.ok(Date.now() >= ends.getTime(), 'it was over');
      assert.deepEqual([...said], ['guarded']);
      assert.deepEqual(await stops(), []);
    });

    test('is told from another one that has its calling code', async () => {
      const { ask, add, hears, lift } = theirs;
      const pairs = [
        { large: 'US', small: 'CA', numbers: ['+14155550123', '+14165550123'] },
        { large: 'RU', small: 'KZ', numbers: ['+79161234567', '+77011234567'] },
        { large: 'GB', small: 'GG', numbers: ['+447400123456', '+447911123456'] },
      ] as const;
      const said = async () => {
        const answers = [];
        for (const { numbers } of pairs) answers.push([await ask(numbers[0]), await ask(numbers[1])]);
        return answers;
      };
      for (const { large } of pairs) await add('deny', large);
      for (const { large } of pairs) await hears(large, true);
      assert.deepEqual(await said(), Array(3).fill(['guarded', 'sent']));
      for (const { large, small } of pairs) {
        await lift(large);
        await add('deny', small);
      }
      for (const { large, small } of pairs) {
        await hears(large, false);
        await hears(small, true);
      }
      assert.deepEqual(await said(), Array(3).fill(['sent', 'guarded']));
      for (const { small } of pairs) await lift(small);
      for (const { small } of pairs) await hears(small, false);
    });

    test('is stopped for all accounts by the operator, whatever an account allows', async () => {
      const { service, owner, twilio, key } = doors;
      const allow = { action: 'allow', subject: 'country', value: 'CA', ends_at: null, reason: 'ours' };
      done(await owner.post(`${theirs.path}/guard/rules`, allow));
      const denied = ['--country', 'CA', '--reason', 'nobody of ours'];
      const id = (await service.command('guard', 'deny', ...denied)).trim();
      for (const each of [ours, theirs]) await each.hears('CA', true);
      assert.equal(await twilio(key).ask('+14165550124'), 'guarded');
      assert.equal(await ours.ask('+14165550124'), 'guarded');
      await service.command('guard', 'lift', id);
      await theirs.hears('CA', false);
      assert.equal(await theirs.ask('+14165550125'), 'sent');
    });
  });
}

/** Rules are about what leaves the machine: a test key's codes go to the simulator, where the handset shows them. */
async function assertSimulated(t: TestContext, doors: Doors, secret: string, number: string): Promise<void> {
  const { owner, service, account, twilio } = doors;
  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
  const events = new URL(`${account.path}/handset/events`, service.baseUrl);
  const watching = get(events, { ca: service.ca, headers: { cookie }, agent: false });
  t.after(() => watching.destroy());
  const [stream] = (await once(watching, 'response')) as [IncomingMessage];
  let text = '';
  stream.setEncoding('utf8').on('error', () => {});
  stream.on('data', (chunk: string) => {
    text += chunk;
  });
  const { id, code } = await service.client.issue(number, 'sms', { key: secret });
  const shown = await eventually(async () => (text.includes(`"${id}"`) ? text : undefined));
  assert.ok(shown?.includes(`"code":"${code}"`), 'the handset shows it');
  assert.equal(await twilio(secret).ask(number), 'sent');
}
