/** Twilio Lookup 2, held against Twilio's own library for Node: both ask the same stand-in, and read the same. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import twilio from 'twilio';
import { answer } from '../carriers/gateway.ts';
import { NUMBER, openLookup } from './rig.ts';

const ACCOUNT = `AC${'a'.repeat(32)}`;
const TOKEN = 'the-auth-token';

const options = (tells: readonly string[]) => (url: string) => ({
  ...{ type: 'twilio', accountSid: ACCOUNT, authToken: TOKEN, url },
  tells,
});

const shown = (type: string | null, last_sim_swap: object | null = null) => ({
  ...{ calling_country_code: '49', country_code: 'DE', phone_number: NUMBER, valid: true },
  line_type_intelligence: { type, carrier_name: 'Telekom', error_code: null },
  sim_swap: { last_sim_swap, carrier_name: 'Telekom', error_code: null },
});

/** As Twilio's library asks. */
async function fetchBySdk(url: string, fields: string) {
  const client = twilio(ACCOUNT, TOKEN);
  client.lookups.baseUrl = url;
  return await client.lookups.v2.phoneNumbers(NUMBER).fetch({ fields });
}

suite('Twilio Lookup', () => {
  test('the request is that of Twilio’s library, and the line type is what it reads', async (t) => {
    const { provider, ask } = await openLookup(t, options(['lineType', 'swapped']));
    provider.play(answer(200, shown('nonFixedVoip'), { 'content-type': 'application/json' }));
    const bySdk = await fetchBySdk(provider.url, 'line_type_intelligence,sim_swap');
    assert.equal(bySdk.lineTypeIntelligence.type, 'nonFixedVoip');
    assert.deepEqual(await ask(), { lineType: 'voip', swapped: undefined });
    const [sdk, ours] = provider.requests.map(({ method, url, headers }) => [
      method,
      url,
      headers.authorization,
    ]);
    assert.deepEqual(ours, sdk);
  });

  for (const [word, lineType] of [
    ['mobile', 'mobile'],
    ['landline', 'landline'],
    ['fixedVoip', 'fixed_voip'],
    ['tollFree', 'toll_free'],
    ['uan', 'company_wide'],
    ['unknown', undefined],
    ['constructor', undefined],
    [null, undefined],
  ] as const) {
    test(`${word} means ${lineType}`, async (t) => {
      const { provider, ask } = await openLookup(t, options(['lineType']));
      provider.play(answer(200, shown(word)));
      assert.deepEqual(await ask(), { lineType, swapped: undefined });
      assert.match(provider.requests[0]?.url ?? '', /Fields=line_type_intelligence$/);
    });
  }

  const ago = (hours: number) => new Date(Date.UTC(2026, 10, 30, 12) - hours * 3_600_000).toISOString();
  for (const [name, last_sim_swap, swapped] of [
    [
      'a date within the hours',
      { last_sim_swap_date: ago(71), swapped_period: 'PT24H', swapped_in_period: false },
      true,
    ],
    [
      'a date before them',
      { last_sim_swap_date: ago(73), swapped_period: 'PT96H', swapped_in_period: true },
      false,
    ],
    [
      'yes, in a shorter period',
      { last_sim_swap_date: null, swapped_period: 'PT24H', swapped_in_period: true },
      true,
    ],
    [
      'yes, in a longer one',
      { last_sim_swap_date: null, swapped_period: 'P7D', swapped_in_period: true },
      undefined,
    ],
    [
      'no, in a longer one',
      { last_sim_swap_date: null, swapped_period: 'P3DT1H', swapped_in_period: false },
      false,
    ],
    [
      'no, in a shorter one',
      { last_sim_swap_date: null, swapped_period: 'PT48H', swapped_in_period: false },
      undefined,
    ],
    ['nothing', null, undefined],
  ] as const) {
    test(`of a SIM, ${name} says ${swapped}`, async (t) => {
      const { provider, ask } = await openLookup(t, options(['swapped']));
      provider.play(answer(200, shown(null, last_sim_swap), { 'content-type': 'application/json' }));
      const bySdk = await fetchBySdk(provider.url, 'sim_swap');
      assert.deepEqual(bySdk.simSwap.lastSimSwap, last_sim_swap);
      assert.deepEqual(await ask(), { lineType: undefined, swapped });
    });
  }

  test('what is wrong is told by its status only: the address holds the number', async (t) => {
    const { provider, ask, said } = await openLookup(t, options(['lineType']));
    for (const status of [401, 404, 429, 500]) {
      provider.play(answer(status, { message: `${NUMBER} ${TOKEN}` }));
      assert.equal(await ask(), 'failed');
    }
    provider.play((response) => response.socket?.resetAndDestroy());
    assert.equal(await ask(), 'failed');
    assert.match(said.join('\n'), /HTTP 401[\s\S]*HTTP 500[\s\S]*connection failed: ECONNRESET/);
    assert.doesNotMatch(said.join('\n'), /4915112345678|the-auth-token|PhoneNumbers/);
  });
});
