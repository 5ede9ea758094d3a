/** What the lists of verifications show once a person's data was erased: everything else, whole, and nothing of theirs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NumberErased } from '../../src/portal/numbers/contract.ts';
import type { VerificationCount, VerificationPage } from '../../src/portal/verifications/contract.ts';
import { eventually, wrongCode } from '../acceptance/client.ts';
import { envOf } from '../doors/doors.ts';
import { answer as answerWith, openGateway } from '../faults/gateway.ts';
import { startService } from '../service.ts';
import { firstAccount, openPortal, read } from './rig.ts';

const PAGE = 50;
const EACH = 14;
/** In turn, so that the last of the first page of each country is of whoever is erased. */
const PEOPLE = [0, 1, 2, 3, 4].flatMap((i) => [`+491511234000${i}`, `+33612345${i}00`]);
const ERASED = PEOPLE.slice(0, 2);

interface Sent {
  readonly id: string;
  readonly number: string;
  readonly is: Readonly<Record<'country' | 'carrier' | 'key' | 'status' | 'test', string>>;
}

for (const kind of ['embedded', 'shared'] as const) {
  test(`an erasure leaves whole pages and true counts, whatever they are filtered by (${kind})`, async (t) => {
    await using parts = new AsyncDisposableStack();
    const refusing = parts.use(await openGateway());
    refusing.behave(answerWith(400));
    const service = parts.use(
      await startService({
        withoutKeys: true,
        env: await envOf(kind, parts),
        config: {
          limits: { requestsPerKey: [], sendsPerDestination: ['1000/1h'] },
          code: { guesses: 1 },
          carriers: { refusing: refusing.carrier },
          routes: [
            { channel: 'sms', countries: ['FR'], carriers: ['refusing'] },
            { channel: 'sms', carriers: ['simulator'] },
          ],
        },
      }),
    );
    const { client } = service;
    const owner = await (await openPortal(t, service)).setUp();
    const { id: account, name } = await firstAccount(owner);
    const path = `/portal/api/accounts/${account}`;
    const secrets = [
      await service.createKey('one', { account: name }),
      await service.createKey('two', { account: name }),
      await service.createKey('trial', { account: name, test: true }),
    ] as const;
    const keys = read<{ id: string; name: string }[]>(await owner.get(`${path}/keys`));
    const keyOf = (index: number) =>
      keys.find((key) => key.name === ['one', 'two', 'trial'][index])?.id ?? assert.fail();

    async function send(number: string, i: number): Promise<Sent> {
      const which = i % 7 === 3 ? 2 : i % 2 === 1 ? 1 : 0;
      const key = secrets[which];
      const isTest = which === 2;
      const isRefused = number.startsWith('+33') && !isTest;
      const answer = await client.verify(number, 'sms', { key });
      const id = answer.json.id ?? assert.fail(answer.text);
      let status = isRefused ? 'failed' : 'pending';
      if (!isRefused && i % 3 > 0) {
        const { code } = await client.message(number, id, { key });
        status = i % 3 === 1 ? 'confirmed' : 'locked';
        await client.confirm(id, i % 3 === 1 ? code : wrongCode(code), { key });
      }
      const country = number.startsWith('+33') ? 'FR' : 'DE';
      const carrier = isRefused ? 'refusing' : 'simulator';
      return { id, number, is: { country, carrier, key: keyOf(which), status, test: String(isTest) } };
    }
    const sent: Sent[] = [];
    for (let i = 0; i < EACH; i++) for (const number of PEOPLE) sent.push(await send(number, i));

    type Filter = Partial<Sent['is']>;
    const listed = async (filter: Filter, before?: string) => {
      const query = new URLSearchParams({ ...filter, ...(before !== undefined && { before }) });
      return read<VerificationPage>(await owner.get(`${path}/verifications?${query}`));
    };
    const selected = (all: readonly Sent[], filter: Filter) =>
      all
        .filter(({ is }) =>
          Object.entries(filter).every(([field, value]) => Reflect.get(is, field) === value),
        )
        .map(({ id }) => id)
        .toReversed();
    const filters: readonly Filter[] = [
      {},
      { country: 'DE' },
      { country: 'FR' },
      ...['refusing', 'simulator'].map((carrier) => ({ carrier })),
      ...[0, 1, 2].map((index) => ({ key: keyOf(index) })),
      ...['pending', 'confirmed', 'failed', 'locked'].map((status) => ({ status })),
      { test: 'true' },
      { test: 'false' },
      { country: 'FR', carrier: 'refusing', key: keyOf(0), status: 'failed', test: 'false' },
    ];
    /** Page by page, counted, and as a file: what each filter is to find. */
    async function assertListed(all: readonly Sent[]): Promise<void> {
      for (const filter of filters) {
        const expected = selected(all, filter);
        const pages: string[][] = [];
        let next: string | null | undefined;
        do {
          const page: VerificationPage = await listed(filter, next ?? undefined);
          pages.push(page.verifications.map(({ id }) => id));
          next = page.next;
        } while (next !== null);
        assert.deepEqual(pages.flat(), expected, JSON.stringify(filter));
        assert.ok(
          pages.slice(0, -1).every(({ length }) => length === PAGE),
          'all pages but the last are whole',
        );
        const query = new URLSearchParams(filter);
        const counted = await owner.get(`${path}/verifications/count?${query}`);
        assert.equal(read<VerificationCount>(counted).count, expected.length);
        const { text } = await owner.get(`${path}/verifications.csv?${query}`);
        assert.equal(text.trimEnd().split('\r\n').length - 1, expected.length);
      }
    }
    const areFailed = async () =>
      (await listed({ status: 'failed', country: 'FR' })).verifications.length ===
        Math.min(PAGE, selected(sent, { status: 'failed' }).length) || undefined;
    assert.ok(await eventually(areFailed));
    await assertListed(sent);

    const cursors = await Promise.all(
      (['DE', 'FR'] as const).map(async (country) => (await listed({ country })).next ?? assert.fail()),
    );
    for (const [i, cursor] of cursors.entries())
      assert.equal(sent.find(({ id }) => id === cursor)?.number, ERASED[i]);
    for (const destination of ERASED) {
      let before: string | null = null;
      do {
        const body: object = { destination, also_do_not_send: false, ...(before !== null && { before }) };
        before = read<NumberErased>(await owner.post(`${path}/numbers/erase`, body)).next;
      } while (before !== null);
    }
    const left = sent.filter(({ number }) => !ERASED.includes(number));
    await assertListed(left);
    // Whoever was on the first page goes on from where it ended, although that one is gone.
    for (const [i, country] of ['DE', 'FR'].entries()) {
      const cursor = cursors[i] ?? '';
      const { verifications } = await listed({ country }, cursor);
      const place = sent.findIndex(({ id }) => id === cursor);
      const expected = selected(sent.slice(0, place), { country });
      const isLeft = (id: string) => left.some((each) => each.id === id);
      assert.deepEqual(
        verifications.map(({ id }) => id),
        expected.filter(isLeft),
      );
    }
    for (const { id, number } of sent.filter(({ number }) => ERASED.includes(number))) {
      assert.equal((await owner.get(`${path}/verifications/${id}`)).status, 404);
      for (const query of [id, number]) {
        const found = read<VerificationPage>(await owner.post(`${path}/verifications/search`, { query }));
        assert.deepEqual(found.verifications, []);
      }
    }

    // Who comes again is somebody new.
    const again = await send(ERASED[0] ?? '', 1);
    await assertListed([...left, again]);
  });
}
