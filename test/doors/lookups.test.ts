/** What an account refuses by look-ups is refused at every door that sends. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually, problemOf, secondOf } from '../acceptance/client.ts';
import { read } from '../portal/rig.ts';
import { type Doors, done, openDoors, postTwilio } from './doors.ts';
import { type Network, openNetwork } from './network.ts';

/** A rule about each fact, a number that it refuses, and how that is told. The last is what the account then goes on with. */
const REFUSED = [
  { fact: 'ported', hours: 48, number: '+4915112342001', told: /another carrier within 48 hours/ },
  { fact: 'swapped', hours: 72, number: '+4915112341001', told: /swapped within 72 hours/ },
] as const;
const KEPT = '+4915112341002';

interface Refusal {
  readonly number: string;
  readonly rule: string;
  readonly detail: string;
  readonly enforced: boolean;
}

/** Of what would happen to a number. */
interface Check {
  readonly name: string;
  readonly verdict: string;
  readonly detail: string;
}

for (const kind of ['embedded', 'shared'] as const) {
  suite(`what is known of a number, with the ${kind} store`, () => {
    let doors: Doors;
    let network: Network;
    before(async () => {
      network = await openNetwork();
      doors = await openDoors(kind, {
        lookups: { swap: network.lookups.swapped, port: network.lookups.ported },
        limits: { requestsPerKey: [], sendsPerDestination: ['2/1h'] },
        guard: { mode: 'off' },
        budgets: [{ of: 'account', per: 'day', money: 1000, worstPrice: 0.05 }],
      });
    });
    after(async () => {
      await doors[Symbol.asyncDispose]();
      await network[Symbol.asyncDispose]();
    });

    const change = async (more: object) => {
      const { owner, account } = doors;
      const { settings } = read<{ settings: object }>(await owner.get(`${account.path}/settings`));
      done(await owner.send('PUT', `${account.path}/settings`, { ...settings, ...more }));
      await secondOf(doors.service.client);
    };
    const verify = async (number: string, headers: Record<string, string> = {}) =>
      await doors.service.client.verify(number, 'sms', { key: doors.key, headers });

    for (const { fact, hours, number: bad, told } of REFUSED)
      test(`${fact}: is refused at every door, and asked about once`, async () => {
        const { owner, account, service, gateway } = doors;
        const kindOfPlace = `lookup-${fact}`;
        network.asked.length = 0;
        await change({ refuse: null });
        const headers = { 'idempotency-key': `before-the-rule-${fact}` };
        const first = await verify(bad, headers);
        assert.equal(first.status, 200, first.text);
        assert.deepEqual(network.asked, [], 'nobody wants to know');

        await change({ refuse: { [`${fact}_within_hours`]: hours, line_types: [], recycled: false } });
        for (const { name, ask } of doors.all) {
          const expected = name === 'backend of the web component' ? 'limited' : 'guarded';
          assert.equal(await ask(bad), expected, name);
        }
        assert.deepEqual(network.asked, [bad]);
        assert.equal((await verify(bad, headers)).json.id, first.json.id, 'a repetition');
        const testKey = await account.createKey({ test: true });
        assert.equal((await service.client.verify(bad, 'sms', { key: testKey })).status, 200);
        assert.equal(network.asked.length, 1);

        const refused = async () => {
          const { refusals } = read<{ refusals: readonly Refusal[] }>(
            await owner.get(`${account.path}/guard/refusals`),
          );
          const those = refusals.filter(({ rule }) => rule === kindOfPlace);
          return those.length >= doors.all.length ? those : undefined;
        };
        const recorded = (await eventually(refused)) ?? assert.fail('not recorded');
        assert.equal(recorded.length, doors.all.length);
        for (const { number, detail, enforced } of recorded) {
          assert.ok(enforced);
          assert.match(detail, told);
          assert.doesNotMatch(number, /1001/);
        }
        const { refused: places, events } = read<{
          refused: { place: { kind: string }; day: number }[];
          events: { name: string; place: { kind: string } | null }[];
        }>(await owner.get(`${account.path}/guard`));
        assert.deepEqual(
          places.filter(({ place }) => place.kind === kindOfPlace).map(({ day }) => day),
          [doors.all.length],
        );
        assert.deepEqual(
          events.filter(({ place }) => place?.kind === kindOfPlace).map(({ name }) => name),
          ['guard.acting'],
        );
        assert.equal(gateway.received.filter(({ to }) => to === bad).length, 1);

        const { checks } = read<{ checks: readonly Check[] }>(
          await owner.post(`${account.path}/explain`, { number: bad, channel: 'sms' }),
        );
        const check = checks.find(({ name }) => name === 'look-ups');
        assert.equal(check?.verdict, 'refuses');
        assert.match(check.detail, told);
        assert.equal(network.asked.length, 1, 'it is remembered');
      });

    test('any other is sent to, and only the first request for it is paid', async () => {
      const { service, gateway } = doors;
      network.asked.length = 0;
      const said = [];
      for (let times = 0; times < 3; times++) {
        const answer = await verify(KEPT);
        said.push(answer.status === 200 ? 'sent' : problemOf(answer));
      }
      assert.deepEqual(said, ['sent', 'sent', 'quota-exceeded']);
      assert.deepEqual(network.asked, [KEPT]);
      const arrived = async () => gateway.received.some(({ to }) => to === KEPT) || undefined;
      assert.ok(await eventually(arrived));
      const metrics = await service.client.get('/metrics', { key: null });
      assert.match(metrics.text, /lookups_total\{lookup="swap",result="answered"\} 2/);
      assert.doesNotMatch(metrics.text, /1511234100/);
      assert.doesNotMatch(service.logs(), /1511234100/);
      const at = (ms: number) => new Date(Date.now() + ms).toISOString();
      const paid = async () => {
        const answer = await doors.owner.get(
          `${doors.account.path}/overview?from=${at(-3_600_000)}&to=${at(60_000)}`,
        );
        const { total } = read<{ total: { cost: number } }>(answer);
        return total.cost === 0.75 ? true : undefined;
      };
      assert.ok(await eventually(paid), 'three questions');
    });

    test('nobody is asked about a number that is refused anyway', async () => {
      network.asked.length = 0;
      const { owner, account } = doors;
      const listed = '+4915112341003';
      done(await owner.post(`${account.path}/do-not-send/numbers`, { number: listed }));
      assert.equal(problemOf(await verify(listed)), 'invalid-request');
      assert.equal(problemOf(await verify('+33612345678901')), 'invalid-request');
      await change({ countries: ['DE'] });
      assert.equal(problemOf(await verify('+33612345678')), 'invalid-request');
      await change({ budgets: ['account 0.29 per month'] });
      const both = await verify('+4915112341005');
      assert.equal(problemOf(both), 'budget-exhausted', 'the question and the message have no room');
      assert.deepEqual(network.asked, []);
      await change({ budgets: null, countries: [] });
    });

    test('a network that is away refuses in the words of each door, because it has to answer', async () => {
      const { service, key } = doors;
      network.isAway = true;
      const rest = await verify('+4915112341006');
      assert.deepEqual(
        [rest.status, problemOf(rest), rest.headers['retry-after']],
        [503, 'unavailable', '5'],
      );
      const twilio = await postTwilio(service, key, 'Verifications', {
        To: '+4915112341007',
        Channel: 'sms',
      });
      assert.deepEqual([twilio.status, JSON.parse(twilio.text).code], [503, 20503]);
      const body = { phoneNumber: '+4915112341008', message: '{{code}}' };
      const camara = await service.client.post('/camara/one-time-password-sms/v1/send-code', body, { key });
      assert.deepEqual([camara.status, JSON.parse(camara.text).code], [503, 'UNAVAILABLE']);
      network.isAway = false;
      const back = async () => ((await verify('+4915112341009')).status === 200 ? true : undefined);
      assert.ok(await eventually(back));
    });

    test('a network that refuses us is told by doctor and where a number is explained, though it gives tokens', async () => {
      const { service, owner, account } = doors;
      const doctor = () =>
        service.command('doctor').then(
          (stdout) => stdout,
          ({ stdout }: { stdout: string }) => stdout,
        );
      const answers = /^ok {4}look-up swap: connected to .*, with an access token$/m;
      assert.ok(await eventually(async () => answers.test(await doctor()) || undefined), 'it is back');
      network.isRefusing = true;
      assert.equal(problemOf(await verify('+4915112341010')), 'unavailable');
      const reason = 'account or settings: HTTP 403';
      const told = async () => ((await doctor()).includes(reason) ? doctor() : undefined);
      assert.match(
        (await eventually(told)) ?? '',
        /^fail {2}look-up swap: .*, with an access token, but a question had no answer: account or settings: HTTP 403 \(.* ago on .*\); check lookups\.swap$/m,
      );
      const question = { number: '+4915112341011', channel: 'sms' };
      const { checks } = read<{ checks: readonly Check[] }>(
        await owner.post(`${account.path}/explain`, question),
      );
      const line = checks.find(({ name }) => name === 'look-ups')?.detail;
      assert.match(
        line ?? '',
        /^Would be asked: swap \(0\.25 .*; a question lately had no answer: .*HTTP 403\)/,
      );
      const { alerts } = read<{ alerts?: unknown }>(await owner.get(`${account.path}/alerts`));
      assert.doesNotMatch(JSON.stringify(alerts ?? []), /look-up/);
      network.isRefusing = false;
    });
  });
}
