/** Telnyx Number Lookup. Request and answers are those of the npm package `telnyx` 7.24.0, by its types. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { answer } from '../carriers/gateway.ts';
import { NUMBER, openLookup } from './rig.ts';

const options = (url: string) => ({ type: 'telnyx', apiKey: 'KEY-1', url });

const shown = (type: string | undefined, portability: object = {}) => ({
  data: {
    record_type: 'number_lookup',
    country_code: 'DE',
    phone_number: NUMBER,
    carrier: {
      mobile_country_code: '262',
      mobile_network_code: '01',
      name: 'Telekom',
      type,
      error_code: null,
    },
    portability: { ...{ line_type: 'mobile', ported_status: '', ported_date: '' }, ...portability },
  },
});

suite('Telnyx Number Lookup', () => {
  test('the request', async (t) => {
    const { provider, ask } = await openLookup(t, options);
    provider.play(answer(200, shown('mobile')));
    assert.deepEqual(await ask(), { lineType: 'mobile', ported: undefined });
    const [request] = provider.requests;
    assert.equal(`${request?.method} ${request?.url}`, 'GET /v2/number_lookup/+4915112345678?type=carrier');
    assert.equal(request?.headers.authorization, 'Bearer KEY-1');
  });

  for (const [word, lineType] of [
    ['fixed line', 'landline'],
    ['voip', 'voip'],
    ['toll free', 'toll_free'],
    ['uan', 'company_wide'],
    ['fixed line or mobile', undefined],
    ['unknown', undefined],
    [undefined, undefined],
  ] as const) {
    test(`${word} means ${lineType}`, async (t) => {
      const { provider, ask } = await openLookup(t, options);
      provider.play(answer(200, shown(word)));
      assert.deepEqual(await ask(), { lineType, ported: undefined });
    });
  }

  // Today is the 30th, noon in UTC.
  for (const [ported_status, ported_date, hours, ported] of [
    ['N', '', 48, false],
    ['Y', '2026-11-29', 48, true],
    ['Y', '2026-11-28', 25, true],
    ['Y', '2026-11-28', 24, false],
    ['Y', '2017-10-20', 2_400, false],
    ['N', '2026-11-29', 48, true],
    ['Y', '', 48, undefined],
    ['', '', 48, undefined],
    [undefined, undefined, 48, undefined],
    ['Y', '2026-11-29', undefined, undefined],
  ] as const) {
    test(`${ported_status} on "${ported_date}", within ${hours} hours: ${ported}`, async (t) => {
      const { provider, ask } = await openLookup(t, options);
      provider.play(answer(200, shown('mobile', { ported_status, ported_date })));
      assert.deepEqual(await ask({ portedWithinHours: hours }), { lineType: 'mobile', ported });
    });
  }

  test('an answer about other hours is another one', async (t) => {
    const { provider, ask, recall } = await openLookup(t, options);
    provider.play(answer(200, shown('mobile', { ported_status: 'N' })));
    await ask({ portedWithinHours: 24 });
    assert.equal(recall({ portedWithinHours: 48 }), undefined);
    assert.notEqual(recall({ portedWithinHours: 24 }), undefined);
  });

  test('what is wrong is told by its status only', async (t) => {
    const { provider, ask, said } = await openLookup(t, options);
    provider.play(answer(422, { errors: [{ code: '10016', detail: NUMBER }] }));
    assert.equal(await ask(), 'failed');
    assert.doesNotMatch(said.join('\n'), /4915112345678/);
  });
});
