/** RCS over carriers that take nothing back, in the whole service: all that is known of a telephone comes by their callbacks. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Gateway, startGateway } from '../gateway.ts';
import { type Account, BROKERS, type Fate } from './broker-accounts.ts';
import { codeIn, type RcsService, startRcs } from './service-rig.ts';

/** Before the next channel has its turn, unless it is known earlier that RCS does not reach. */
const AFTER_S = 120;

for (const broker of BROKERS) {
  for (const kind of ['embedded', 'shared'] as const) {
    suite(`RCS over ${broker.name}, then SMS, with the ${kind} store`, () => {
      const parts = new AsyncDisposableStack();
      let gateway: Gateway;
      let rcs: RcsService;
      const { name } = broker;
      const configured = (account: Account) => ({ [name]: broker.options(gateway.url, account) });

      before(async () => {
        gateway = await startGateway(undefined, broker.apart);
        parts.defer(() => gateway.close());
        // Each message is known by how many came before it.
        gateway.play((response) => broker.accepted(`m-${gateway.requests.length}`)(response));
        const env = await broker.surround(parts);
        rcs = parts.use(await startRcs(kind, configured('first'), `${AFTER_S}s`, env));
      });
      after(() => parts.disposeAsync());

      /** The latest message that the carrier was asked to send to the number, once its answer is written. */
      async function sentTo(id: string, number: string, states: string) {
        await rcs.until(id, states);
        const place = gateway.requests.findLastIndex(({ body }) => body.includes(number));
        const { text, ...sent } = broker.read(gateway.requests[place] ?? assert.fail());
        return { id, number, code: codeIn(text), reference: `m-${place + 1}`, ...sent };
      }
      async function ask() {
        const { id, number } = await rcs.ask();
        return await sentTo(id, number, 'rcs submitted');
      }
      type Asked = Awaited<ReturnType<typeof ask>>;

      const tell = ({ body, headers }: ReturnType<typeof broker.report>, carrier: string = name) => {
        const only = Object.entries(headers).map(([key, value]) => [key, String(value)]);
        return rcs.tell(carrier, body.toString(), Object.fromEntries(only));
      };
      const report = ({ reference }: Asked, fate: Fate, account: Account = 'first') =>
        tell(broker.report(reference, fate, account));

      async function isSentBySms({ id, number, code }: Asked, before = 'rcs undelivered'): Promise<void> {
        const text = await rcs.wait(() => rcs.byText(number)[0]);
        assert.equal(text.code, code);
        await rcs.until(id, `${before},sms submitted`);
        assert.deepEqual([await rcs.confirm(id, code), await rcs.confirm(id, code)], [200, 409]);
        assert.equal(rcs.byText(number).length, 1);
      }
      async function isDelivered({ id, number }: Asked): Promise<void> {
        await rcs.until(id, 'rcs delivered');
        assert.equal(rcs.byText(number).length, 0);
      }

      test('a telephone without RCS gets the same code by SMS as soon as that is known, and not on a forged word', async () => {
        const asked = await ask();
        assert.ok(asked.life > 10 && asked.life <= AFTER_S, `${asked.life}`);
        assert.equal(await tell(broker.forge(asked.reference, 'undelivered')), 403);
        assert.equal(await report(asked, 'pending'), 204);
        assert.equal(rcs.byText(asked.number).length, 0);
        assert.equal(await report(asked, 'undelivered'), 204);
        await isSentBySms(asked);
      });

      test('one that has it gets no SMS, and may answer STOP', async () => {
        const asked = await ask();
        assert.equal(await report(asked, 'delivered'), 204);
        await isDelivered(asked);
        const say = (text: string) => tell(broker.says(asked.number, text, 'first'));
        assert.equal(await say('STOP'), 204);
        const refused = await rcs.service.client.verify(asked.number, 'rcs');
        assert.deepEqual([refused.status, /do-not-send list/.test(refused.text)], [400, true]);
        assert.equal(await say('START'), 204);
        await rcs.ask(asked.number);
      });

      test('what was sent before other credentials is heard of, and what comes after goes by those', async () => {
        const [reached, unreached] = [await ask(), await ask()];
        assert.equal(reached.by, 'first');
        await rcs.reload(configured('second'));
        const later = await ask();
        assert.equal(later.by, 'second');
        assert.equal(await tell(broker.forge(unreached.reference, 'undelivered')), 403);
        assert.equal(await report(reached, 'delivered', 'first'), 204);
        assert.equal(await report(unreached, 'undelivered', 'first'), 204);
        assert.equal(await report(later, 'undelivered', 'second'), 204);
        await isDelivered(reached);
        for (const each of [unreached, later]) await isSentBySms(each);
      });

      test('what was sent by a carrier that is gone is heard of, and goes by the one that is there before any SMS', async () => {
        await rcs.reload(configured('first'));
        const [reached, unreached] = [await ask(), await ask()];
        await rcs.reload({ other: broker.options(gateway.url, 'second') });
        assert.equal(await tell(broker.forge(unreached.reference, 'undelivered')), 403);
        assert.equal(await report(reached, 'delivered'), 204);
        assert.equal(await report(unreached, 'undelivered'), 204);
        await isDelivered(reached);
        const { id, number, code } = unreached;
        const again = await sentTo(id, number, 'rcs undelivered,rcs submitted');
        assert.deepEqual([again.by, again.code, rcs.byText(number).length], ['second', code, 0]);
        assert.equal(await tell(broker.report(again.reference, 'undelivered', 'second'), 'other'), 204);
        await isSentBySms(again, 'rcs undelivered,rcs undelivered');
      });
    });
  }
}
