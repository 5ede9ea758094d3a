/** Alerts: who looks, what stands, whom it is told to, and what accounts decide about it. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { countFiring, readFiring, readOver } from '../../../../src/accounts/alerts/alerts.ts';
import {
  openAlertWebhook,
  placeAlertWebhook,
  readAlertChannels,
  removeAlertWebhook,
  resealAlertWebhooks,
  subscribe,
  unsubscribe,
} from '../../../../src/accounts/alerts/channels.ts';
import { changeRule, readAllRuleWishes, readRuleWishes } from '../../../../src/accounts/alerts/rules.ts';
import { addSilence, liftSilence, readSilences } from '../../../../src/accounts/alerts/silences.ts';
import { readAuditLog } from '../../../../src/accounts/audit.ts';
import { createKeys } from '../../../../src/accounts/keys.ts';
import { evaluate } from '../../../../src/alerts/evaluation.ts';
import { Turn } from '../../../../src/alerts/turn.ts';
import { CountedTraffic } from '../../../../src/alerts/watch/counted.ts';
import { watchBudgets, watchGuard } from '../../../../src/alerts/watch/guarded.ts';
import { watchOwners, watchSignIns } from '../../../../src/alerts/watch/people.ts';
import { watchCarriers } from '../../../../src/alerts/watch/service.ts';
import type { Source } from '../../../../src/alerts/watch/source.ts';
import { createConversionWatch, createSpendWatch } from '../../../../src/alerts/watch/traffic.ts';
import { query } from '../../../../src/core/accounts/records.ts';
import type { Finding } from '../../../../src/core/alerts/judge.ts';
import { inForce, type RuleWishes } from '../../../../src/core/alerts/rule.ts';
import { MAX_SILENCES } from '../../../../src/core/alerts/silence.ts';
import { createManualClock } from '../../../../src/core/clock-fixture.ts';
import { Keyring } from '../../../../src/core/secrets/keyring.ts';
import type { Store } from '../../../../src/store/port.ts';
import {
  DAY,
  guessAt,
  HOUR,
  issueOne,
  LAX,
  MINUTE,
  type OpenedStore,
  type OpenStore,
  SECOND,
  unique,
} from '../rig.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 30);
const LEASE = 3 * MINUTE;
const ADA = { name: 'Ada', address: '192.0.2.1' };
const URL = 'https://hooks.example.com/services/precious';
const OWN = { email: ['ops@example.com'], hasWebhook: true, accounts: true };

export function describeAlerts(open: OpenStore): void {
  suite('alerts', () => {
    let opened: OpenedStore;
    let store: Store;
    let acme: string;
    let other: string;
    const keyring = new Keyring('first secret'.padEnd(32, '.'));

    beforeEach(async () => {
      opened = await open(LAX);
      store = opened.store;
      acme = await addAccount('Acme');
      other = await addAccount('Other');
    });
    afterEach(() => opened.dispose());

    async function addAccount(name: string): Promise<string> {
      const [id, prefix, hash] = [unique('key'), unique('csk_live'), unique('hash')];
      const key = { id, prefix, hash, name: 'web', test: false, createdAt: 1 };
      return (await createKeys(store).createKey(name, key, ADA)).accountId;
    }

    async function addMember(accountId: string, role: string): Promise<string> {
      const id = unique('per');
      await store.transact([
        {
          sql: 'INSERT INTO person (id, email, name, created_at) VALUES ($1, $2, $3, 0)',
          args: [id, `${id}@example.com`, id],
        },
        {
          sql: 'INSERT INTO member (account_id, person_id, role, since) VALUES ($1, $2, $3, 0)',
          args: [accountId, id, role],
        },
      ]);
      return id;
    }

    const by = (accountId = acme, now = NOW) => ({ accountId, by: ADA, now });
    const finding = (wanted: Partial<Finding> = {}): Finding => ({
      ...{ rule: 'guard-acting', accountId: acme, subject: 'range4 +4474', level: 'bad' },
      ...{ detail: 'It acts.', place: 'guard', ...wanted },
    });

    /** A node, and what it finds at its next look. */
    function newNode(node = 'a', records = store) {
      const clock = createManualClock(NOW);
      const turn = new Turn({ records, clock, node, lease: LEASE });
      const logged: string[] = [];
      let found: readonly Finding[] | Error = [];
      const source: Source = async () => {
        if (found instanceof Error) throw found;
        return found;
      };
      return {
        ...{ clock, turn, logged },
        async look(now: number, next: readonly Finding[] | Error, wishes: RuleWishes = {}) {
          found = next;
          clock.pass(now - clock.now());
          assert.ok(await turn.take());
          const sources = [[['guard-acting'], source]] as const;
          const log = (_: string, message: string) => void logged.push(message);
          await evaluate({ ...{ records, turn, sources, wishes, own: OWN, log } }, now);
        },
      };
    }

    const notices = async () =>
      (
        await query(
          store,
          'SELECT account_id, channel, target, kind FROM alert_notice ORDER BY account_id, channel, target, id',
        )
      ).map(({ account_id, channel, target, kind }) => [account_id, channel, target, kind].join(' '));

    const wherever = (rule: Parameters<typeof inForce>[0]) => inForce(rule);
    const findings = (source: Source, now = NOW) => source({ records: store, now, inForce: wherever });

    test('of hundreds of nodes one has the turn, and the next when its lease has ended', async () => {
      const clock = createManualClock(NOW);
      const turns = Array.from(
        { length: 200 },
        (_, n) => new Turn({ records: store, clock, node: `node ${n}`, lease: LEASE }),
      );
      const first = await Promise.all(turns.map((turn) => turn.take()));
      assert.equal(first.filter(Boolean).length, 1);
      const holder = turns[first.indexOf(true)];
      assert.ok(holder !== undefined && holder.leftMs > 0);
      clock.pass(LEASE - 1);
      assert.equal(
        (await Promise.all(turns.map((turn) => turn !== holder && turn.take()))).includes(true),
        false,
      );
      clock.pass(1);
      const second = await Promise.all(turns.map((turn) => turn !== holder && turn.take()));
      assert.equal(second.filter(Boolean).length, 1);
      assert.equal((await store.transact([holder.guard()])).done, false, 'the one before writes nothing');
      await turns[second.indexOf(true)]?.release();
      assert.ok(await holder.take());
    });

    test('a turn that was taken by a clock far ahead is free', async () => {
      const ahead = createManualClock(NOW + 10 * DAY);
      assert.ok(await new Turn({ records: store, clock: ahead, node: 'ahead', lease: LEASE }).take());
      const clock = createManualClock(NOW);
      assert.ok(await new Turn({ records: store, clock, node: 'right', lease: LEASE }).take());
    });

    test('what fires is told once to each place, and its end too', async () => {
      const [ada, dev, viewer] = [
        await addMember(acme, 'owner'),
        await addMember(acme, 'developer'),
        await addMember(acme, 'viewer'),
      ];
      for (const personId of [ada, dev, viewer]) await subscribe(store, { ...by(), personId });
      await subscribe(store, { ...by(other), personId: await addMember(other, 'owner') });
      await placeAlertWebhook({ records: store, keyring, privateNetworks: [] }, by(), URL);
      const node = newNode();
      for (let minute = 0; minute < 5; minute++) await node.look(NOW + minute * MINUTE, [finding()]);
      const told = (kind: string) =>
        [
          ` email ops@example.com ${kind}`,
          ` webhook  ${kind}`,
          ...[dev, ada].sort().map((id) => `${acme} email ${id} ${kind}`),
          `${acme} webhook  ${kind}`,
        ].sort();
      assert.deepEqual((await notices()).sort(), told('firing'));
      const [alert] = await readFiring(store, acme);
      assert.deepEqual(
        [alert?.rule, alert?.subject, alert?.firingSince, alert?.overAt, alert?.told.length],
        ['guard-acting', 'range4 +4474', NOW, null, 5],
      );
      assert.equal(await countFiring(store, other), 0, 'not the alert of another account');
      await node.look(NOW + 6 * MINUTE, []);
      assert.deepEqual((await notices()).sort(), [...told('firing'), ...told('recovered')].sort());
      assert.equal(await countFiring(store, acme), 0);
      assert.equal((await readOver(store, acme, NOW + HOUR))[0]?.overAt, NOW + 6 * MINUTE);
      assert.deepEqual(node.logged, ['alert fires', 'alert is over']);
      // The same again is another alert.
      await node.look(NOW + 7 * MINUTE, [finding()]);
      assert.equal((await readFiring(store, acme)).length, 1);
      assert.equal((await readOver(store, acme, NOW + HOUR)).length, 1);
    });

    test('an alert of the installation is told to its own places, and shown to every account', async () => {
      await subscribe(store, { ...by(), personId: await addMember(acme, 'owner') });
      await newNode().look(NOW, [
        finding({ accountId: null, rule: 'certificate-expires', subject: 'certificate' }),
      ]);
      assert.deepEqual(await notices(), [' email ops@example.com firing', ' webhook  firing']);
      assert.deepEqual([await countFiring(store, acme), await countFiring(store, other)], [1, 1]);
    });

    test('what the guard does where several accounts send is shown to those that it refused', async () => {
      await newNode().look(NOW, [finding({ accountId: null, subject: 'range4 +4474' })]);
      assert.equal(await countFiring(store, acme), 0);
      await store.transact([
        {
          sql: `INSERT INTO guard_refusal (id, account_id, key_id, at, channel, country, masked, place, rule, detail, enforced)
            VALUES ('ref_1', $1, 'key_1', $2, 'sms', 'GB', '+44', 'range4 +4474', 'closed:range4', '', 1)`,
          args: [acme, NOW],
        },
      ]);
      assert.deepEqual([await countFiring(store, acme), await countFiring(store, other)], [1, 0]);
    });

    test('a node that lost the turn while it looked writes nothing', async () => {
      const [late, next] = [newNode('late'), newNode('next')];
      await late.look(NOW, []);
      next.clock.step(LEASE + SECOND);
      assert.ok(await next.turn.take());
      // Its own clock says that it still has the turn.
      late.clock.step(LEASE + SECOND);
      const source: Source = async () => [finding()];
      const sources = [[['guard-acting'], source]] as const;
      await evaluate(
        { ...{ records: store, turn: late.turn, sources, wishes: {}, own: OWN, log: () => {} } },
        late.clock.now(),
      );
      assert.deepEqual(await notices(), []);
      assert.equal(await countFiring(store, acme), 0);
    });

    test('a rule that could not be looked at leaves its alerts as they are', async () => {
      const node = newNode();
      await node.look(NOW, [finding()]);
      await node.look(NOW + MINUTE, new Error('the table is locked'));
      assert.equal(await countFiring(store, acme), 1);
      assert.equal(node.logged.at(-1), 'alerts not looked at');
    });

    test('who asked for silence is told nothing until it ends, and the audit log says who and why', async () => {
      const until = NOW + HOUR;
      const wish = { rule: null, subject: null, endsAt: until, reason: 'maintenance' };
      const added = await addSilence(store, by(), wish);
      assert.ok(added.kind === 'added');
      const node = newNode();
      await node.look(NOW, [finding(), finding({ accountId: other })]);
      assert.equal((await notices()).length, 2, 'of the other account alone');
      assert.equal(await countFiring(store, acme), 1);
      const [silence] = await readSilences(store, NOW, acme);
      assert.deepEqual([silence?.madeBy, silence?.reason, silence?.endsAt], ['Ada', 'maintenance', until]);
      assert.ok(await liftSilence(store, by(), added.id));
      assert.equal(await liftSilence(store, by(), added.id), false);
      await node.look(NOW + MINUTE, [finding(), finding({ accountId: other })]);
      assert.equal((await notices()).length, 4);
      const actions = (await readAuditLog(store, acme)).entries.map(
        ({ action, detail }) => `${action} ${detail}`,
      );
      assert.ok(actions.includes(`alerts.silenced until ${new Date(until).toISOString()}: maintenance`));
      for (const endsAt of [NOW, NOW - 1, NOW + 31 * DAY]) {
        assert.equal((await addSilence(store, by(), { ...wish, endsAt })).kind, 'wrong');
      }
      const many = await Promise.all(Array.from({ length: 120 }, () => addSilence(store, by(), wish)));
      assert.equal(many.filter(({ kind }) => kind === 'added').length, MAX_SILENCES);
    });

    test('rules are changed for one account, side by side, and the default comes back', async () => {
      const changes = [
        changeRule(store, by(), 'sign-ins-failed', { threshold: 5 }),
        changeRule(store, by(), 'owner-new', { on: false }),
        changeRule(store, by(other), 'spend-over', { threshold: 12.5 }),
      ];
      for (const { kind } of await Promise.all(changes)) assert.equal(kind, 'changed');
      assert.deepEqual(await readRuleWishes(store, acme), {
        'sign-ins-failed': { threshold: 5 },
        'owner-new': { on: false },
      });
      assert.deepEqual((await readAllRuleWishes(store)).get(other), { 'spend-over': { threshold: 12.5 } });
      assert.equal((await changeRule(store, by(), 'sign-ins-failed', { threshold: 2 })).kind, 'wrong');
      assert.equal((await changeRule(store, by(), 'carrier-down', { on: false })).kind, 'unknown');
      await changeRule(store, by(), 'owner-new', {});
      assert.equal(inForce('owner-new', await readRuleWishes(store, acme)).on, true);
      const { entries } = await readAuditLog(store, acme);
      assert.deepEqual(
        entries
          .filter(({ action }) => action === 'alerts.rule-changed')
          .map(({ detail }) => detail)
          .sort(),
        ['default', 'off', 'threshold: 5'],
      );
    });

    test('the webhook is sealed, shown by its host alone, replaced and removed', async () => {
      const deps = { records: store, keyring, privateNetworks: [] };
      assert.equal((await placeAlertWebhook(deps, by(), 'https://10.0.0.1/')).kind, 'wrong');
      const placed = await placeAlertWebhook(deps, by(), URL);
      assert.ok(placed.kind === 'placed');
      assert.deepEqual(await openAlertWebhook(store, keyring, acme), { url: URL, secret: placed.secret });
      assert.equal(await openAlertWebhook(store, keyring, other), undefined);
      const { webhook } = await readAlertChannels(store, acme);
      assert.deepEqual(webhook, { host: 'hooks.example.com', addedBy: 'Ada', addedAt: NOW });
      const kept = JSON.stringify([
        await query(store, 'SELECT * FROM alert_webhook'),
        await query(store, 'SELECT * FROM audit_entry'),
      ]);
      assert.ok(!kept.includes('precious') && !kept.includes(placed.secret));
      const rotated = new Keyring('second secret'.padEnd(32, '.'), 'first secret'.padEnd(32, '.'));
      assert.deepEqual(await resealAlertWebhooks(store, rotated), { sealed: 1, lost: 0 });
      const alone = new Keyring('second secret'.padEnd(32, '.'));
      assert.equal((await openAlertWebhook(store, alone, acme))?.url, URL);
      assert.deepEqual(await resealAlertWebhooks(store, new Keyring('third secret'.padEnd(32, '.'))), {
        sealed: 0,
        lost: 1,
      });
      assert.ok(await removeAlertWebhook(store, by()));
      assert.equal(await removeAlertWebhook(store, by()), false);
    });

    test('mail is for members who asked for it, while they may have it', async () => {
      const personId = await addMember(acme, 'developer');
      await subscribe(store, { ...by(), personId });
      await subscribe(store, { ...by(), personId });
      const ids = async () => (await readAlertChannels(store, acme)).subscribers.map(({ id }) => id);
      assert.deepEqual(await ids(), [personId]);
      await query(store, "UPDATE member SET role = 'viewer' WHERE person_id = $1", personId);
      assert.deepEqual(await ids(), []);
      await query(store, "UPDATE member SET role = 'owner' WHERE person_id = $1", personId);
      assert.deepEqual(await ids(), [personId]);
      await unsubscribe(store, { ...by(), personId });
      assert.deepEqual(await ids(), []);
    });

    test('what is over is forgotten after ninety days', async () => {
      const node = newNode();
      await node.look(NOW, [finding()]);
      await node.look(NOW + MINUTE, []);
      assert.equal((await readOver(store, acme, NOW + 89 * DAY)).length, 1);
      assert.equal((await readOver(store, acme, NOW + 91 * DAY)).length, 0);
    });

    /** Counts as the store keeps them. */
    async function count(
      at: number,
      width: number,
      wanted: {
        readonly account?: string;
        readonly country?: string;
        readonly carrier?: string;
        readonly requested?: number;
        readonly submitted?: number;
        readonly confirmed?: number;
        readonly cost?: number;
        readonly test?: boolean;
      },
    ): Promise<void> {
      const {
        account = acme,
        country = 'DE',
        carrier = '',
        requested = 0,
        submitted = 0,
        confirmed = 0,
        cost = 0,
      } = wanted;
      await store.transact([
        {
          sql: `INSERT INTO tally (width, at, account_id, test, channel, country, carrier, key_id, requested, submitted, delivered,
              undelivered, failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
            VALUES (CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, CAST($4 AS INTEGER) = 1, 'sms', $5, $6, 'key_1', CAST($7 AS INTEGER),
              CAST($8 AS INTEGER), 0, 0, 0, CAST($9 AS INTEGER), 0, 0, 0, CAST($10 AS BIGINT))`,
          args: [
            width,
            at,
            account,
            Number(wanted.test ?? false),
            country,
            carrier,
            requested,
            submitted,
            confirmed,
            cost,
          ],
        },
      ]);
    }
    const TEN_SECONDS = 10 * SECOND;

    async function countHour(
      at: number,
      width: number,
      asked: number,
      confirmed: number,
      rest: { country?: string; test?: boolean; account?: string } = {},
    ) {
      await count(at, width, { ...rest, requested: asked });
      await count(at, width, { ...rest, carrier: 'smsc', submitted: asked, confirmed });
    }

    test('conversion that fell against the same hours of a week is found, by country and by carrier', async () => {
      const before = NOW - HOUR;
      const hour = before - (before % HOUR);
      for (let day = 1; day <= 7; day++) {
        await countHour(hour - day * DAY, HOUR, 400, 320);
        await countHour(hour - day * DAY, HOUR, 400, 320, { country: 'FR' });
        // Another hour of the day, when hardly anybody confirms.
        await countHour(hour - day * DAY - 6 * HOUR, HOUR, 4_000, 10);
      }
      await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 300, 90);
      await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 300, 270, { country: 'FR' });
      // Codes that may still be confirmed, and those of test keys, say nothing.
      await countHour(NOW - 5 * MINUTE, TEN_SECONDS, 5_000, 0, { country: 'FR' });
      await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 5_000, 0, { country: 'FR', test: true });
      const found = await findings(createConversionWatch(new CountedTraffic()));
      assert.deepEqual(
        found.map(({ accountId, subject, level, place }) => [accountId, subject, level, place]),
        [
          [acme, 'country DE', 'bad', 'overview?country=DE'],
          [acme, 'carrier smsc', 'near', 'overview?carrier=smsc'],
        ],
      );
      assert.match(found[0]?.detail ?? '', /Germany, 30 % .*\(90 of 300\); usual at this hour: 80 %/);
    });

    test('what is added up look by look is what a look at everything finds, whatever is merged meanwhile', async () => {
      const start = Date.UTC(2026, 10, 20, 20);
      for (let minute = 0; minute < 6 * 60; minute += 3) {
        const at = start + minute * MINUTE;
        await count(at, TEN_SECONDS, { requested: minute + 1, country: minute % 2 === 0 ? 'DE' : 'FR' });
        await count(at, TEN_SECONDS, {
          carrier: 'smsc',
          submitted: minute + 1,
          confirmed: 1,
          cost: minute * 1_000,
        });
      }
      const sums = ({ hour, spent }: CountedTraffic) => {
        const groups = Map.groupBy(hour, ({ country, carrier }) => `${country} ${carrier}`);
        const added = [...groups].map(([name, list]) => [
          name,
          ...(['requested', 'submitted', 'confirmed'] as const).map((field) =>
            list.reduce((sum, counts) => sum + counts[field], 0),
          ),
        ]);
        return { hour: added.sort(), spent: [...spent] };
      };
      const going = new CountedTraffic();
      // A node that has no turn for hours begins anew.
      const slept = new CountedTraffic();
      await slept.advance(store, start + 30 * MINUTE);
      // Past midnight, when the day begins anew.
      for (let minute = 30; minute < 6 * 60; minute += 7) {
        const now = start + minute * MINUTE;
        await going.advance(store, now);
        await going.advance(store, now);
        const anew = new CountedTraffic();
        await anew.advance(store, now);
        assert.deepEqual(sums(going), sums(anew), `after ${minute} minutes`);
        if (minute === 233) {
          await slept.advance(store, now);
          assert.deepEqual(sums(slept), sums(anew), 'after a pause');
          assert.ok(sums(anew).hour.length > 0 && sums(anew).spent.length > 0);
        }
        while (await store.purge(now));
      }
    });

    test('no usual is no alarm', async () => {
      await countHour(NOW - 40 * MINUTE, TEN_SECONDS, 300, 0);
      assert.deepEqual(await findings(createConversionWatch(new CountedTraffic())), []);
    });

    test('a day that costs more than usual, or than stated, is found', async () => {
      const today = NOW - (NOW % DAY);
      for (const day of [1, 2, 3, 4, 5]) {
        await count(today - day * DAY + HOUR, HOUR, { carrier: 'smsc', submitted: 200, cost: 10_000_000 });
      }
      await count(today + HOUR, HOUR, { carrier: 'smsc', submitted: 500, cost: 20_000_000 });
      await count(NOW - 15 * MINUTE, TEN_SECONDS, {
        carrier: 'smsc',
        submitted: 500,
        cost: 12_000_000,
      });
      await count(today + HOUR, HOUR, {
        account: other,
        carrier: 'smsc',
        submitted: 5_000,
        cost: 90_000_000,
      });
      const high = await findings(createSpendWatch(new CountedTraffic(), 'EUR'));
      assert.deepEqual(
        high.map(({ rule, accountId }) => [rule, accountId]),
        [['spend-high', acme]],
      );
      assert.match(high[0]?.detail ?? '', /32\.00 EUR so far; usual: 10\.00 EUR/);
      const stated = await createSpendWatch(
        new CountedTraffic(),
        'EUR',
      )({
        records: store,
        now: NOW,
        inForce: (rule) => inForce(rule, { 'spend-over': { threshold: 32 }, 'spend-high': { on: false } }),
      });
      assert.deepEqual(
        stated.map(({ rule, accountId }) => [rule, accountId]),
        [['spend-over', other]],
      );
    });

    test('refused sign-ins, new owners and removed factors are found in the audit log', async () => {
      const [owner, developer] = [await addMember(acme, 'owner'), await addMember(acme, 'developer')];
      const entry = async (action: string, subject: string, detail = '', times = 1, at = NOW - MINUTE) => {
        await store.transact([
          {
            sql: `INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail, times)
              VALUES ($1, $2, $3, 'Ada', NULL, $4, $5, $6, CAST($7 AS BIGINT))`,
            args: [acme, unique('aud'), at, action, subject, detail, times],
          },
        ]);
      };
      await entry('password.refused', `${owner}@example.com`, '', 15);
      assert.deepEqual(
        (await findings(watchSignIns)).map(({ level }) => level),
        ['near'],
      );
      await entry('second-factor.refused', `${owner}@example.com`, '', 5);
      await entry('password.refused', `${owner}@example.com`, '', 500, NOW - 2 * HOUR);
      const [refused] = await findings(watchSignIns);
      assert.deepEqual([refused?.level, refused?.accountId], ['bad', acme]);
      assert.match(refused?.detail ?? '', /^20 passwords/);

      await entry('member.role-changed', 'new@example.com', 'viewer to owner');
      await entry('member.role-changed', 'less@example.com', 'owner to viewer');
      await entry('member.joined', 'joined@example.com', 'as owner');
      await entry('member.joined', 'view@example.com', 'as viewer');
      await entry('totp.removed', `${owner}@example.com`);
      await entry('totp.removed', `${developer}@example.com`);
      await entry('person.reset', `${owner}@example.com`, '', 1, NOW - 2 * DAY);
      assert.deepEqual((await findings(watchOwners)).map(({ rule }) => rule).sort(), [
        'factor-removed',
        'owner-new',
        'owner-new',
      ]);
    });

    test('places where the guard acts, and budgets of periods that go on, are found', async () => {
      const event = async (
        id: string,
        at: number,
        name: string,
        place: string,
        account: string | null = null,
      ) => {
        await store.transact([
          {
            sql: `INSERT INTO guard_event (id, at, name, account_id, place, detail) VALUES ($1, $2, $3, $4, $5, 'words')`,
            args: [id, at, name, account, place],
          },
        ]);
      };
      await event('evt_1', NOW - HOUR, 'guard.acting', 'range4 +4474');
      await event('evt_2', NOW - HOUR, 'guard.acting', 'account', acme);
      await event('evt_3', NOW - MINUTE, 'guard.recovered', 'range4 +4474');
      await event('evt_0', NOW - 3 * DAY, 'guard.acting', 'range4 +4475');
      assert.deepEqual(
        (await findings(watchGuard)).map(({ accountId, subject }) => [accountId, subject]),
        [[acme, 'account']],
      );
      const today = NOW - (NOW % DAY);
      await event(
        `bud_account_${acme}_day_${today}_0.8`,
        NOW - HOUR,
        'budget.reached',
        'account per day',
        acme,
      );
      await event(
        `bud_installation__hour_${today}_1`,
        today + HOUR / 2,
        'budget.reached',
        'installation per hour',
      );
      await event(
        `bud_installation__month_${Date.UTC(2026, 10)}_1`,
        NOW - DAY,
        'budget.reached',
        'installation per month',
      );
      assert.deepEqual(
        (await findings(watchBudgets)).map(({ accountId, detail }) => [accountId, detail]),
        [
          [acme, 'Of the budget "account per day", words.'],
          [null, 'Of the budget "installation per month", words.'],
        ],
      );
    });

    test('a carrier that no message passes is found, whichever node sees it', async () => {
      const seen = { node: 'a', lastError: null, at: NOW - SECOND } as const;
      await store.noteCarrierStates([
        { ...seen, carrier: 'good', breaker: 'closed' },
        { ...seen, carrier: 'open', breaker: 'open', lastError: { reason: 'HTTP 503', at: NOW - MINUTE } },
        { ...seen, node: 'b', carrier: 'open', breaker: 'closed' },
        { ...seen, carrier: 'tried', breaker: 'half-open' },
        {
          ...seen,
          carrier: 'cut',
          breaker: 'closed',
          lastError: { reason: 'no link: ECONNREFUSED', at: NOW - MINUTE },
        },
        {
          ...seen,
          carrier: 'was-cut',
          breaker: 'closed',
          lastError: { reason: 'no link: ECONNREFUSED', at: NOW - 9 * MINUTE },
        },
        { ...seen, carrier: 'silent', breaker: 'open', at: NOW - HOUR },
      ]);
      assert.deepEqual(
        (await findings(watchCarriers)).map(({ subject, level, detail }) => [subject, level, detail]),
        [
          ['carrier cut', 'bad', 'cut takes no messages: no link: ECONNREFUSED.'],
          ['carrier open', 'bad', 'open takes no messages: HTTP 503.'],
          ['carrier tried', 'near', 'tried takes no messages.'],
        ],
      );
    });

    test('the oldest message that waits is known by its time, and none of those that were sent', async () => {
      assert.equal(await store.oldestWaiting(), undefined);
      const [first, second] = [NOW - 3 * MINUTE, NOW - MINUTE];
      const old = await issueOne(store, { createdAt: first });
      await issueOne(store, { createdAt: second });
      assert.equal(await store.oldestWaiting(), first);
      assert.equal((await store.confirm(guessAt(old, 'right'))).kind, 'confirmed');
      assert.equal(await store.oldestWaiting(), second);
    });
  });
}
