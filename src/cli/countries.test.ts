import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkplace } from './fixture.ts';

test('countries: all as a table', async () => {
  using place = createWorkplace();
  const { status, stdout, stderr } = await place.run(['countries']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(
    stdout,
    /^COUNTRY +NAMES +NUMBERS +SINCE +WHAT BECOMES OF OTHERS +LINKS +BRAND IN TEXT +UNSURE\n/,
  );
  assert.match(
    stdout,
    /\nFI +registered +registered +2026-05-04 +arrives as Unknown or is blocked +- +- +yes\n/,
  );
  assert.match(stdout, /\nMY +no +- +- +- +blocked +yes +-\n/);
  assert.match(stdout, /\nWhat was found; .*\n$/);
});

test('countries CODE: in full, with the sources', async () => {
  using place = createWorkplace();
  const { status, stdout } = await place.run(['countries', 'TR', 'UY', 'DJ']);
  assert.equal(status, 0);
  const [turkey = '', uruguay = '', djibouti = ''] = stdout.split('\n\n');
  assert.deepEqual(turkey.split('\n').slice(0, 10), [
    'TR',
    '  names: must be registered (BTK and the operators); an unregistered one is blocked',
    '  form of a name: 3 to 11 letters A to Z, digits, blanks and . - *',
    '  refused if alone: info, sms, notice',
    '  numbers: are replaced or not delivered as senders',
    '  links in texts: are blocked, since 1 April 2026',
    '  note: links are blocked in texts from abroad. İleti Merkezi: only capital letters and digits everywhere',
    '  sources:',
    '    İleti Merkezi 2026-04-30, read 2026-11-29: How to get an SMS sender ID in Turkey (iletimerkezi.com/en/docs/guides/sms-basligi-nasil-alinir)',
    '    Mektep SMS, read 2026-11-29: Names of senders in Türkiye (mektepsms.com/toplu-sms-baslik-olusturma)',
  ]);
  assert.match(uruguay, /^UY\n {2}names: a name is not delivered as a sender\n {2}sources:\n/);
  assert.equal(djibouti, 'DJ\n  nothing was found; ask your carrier\n');
  const all = await place.run(['countries', 'FR', 'GB', 'MX']);
  assert.match(
    all.stdout,
    /names: must be registered \(the operators and AWS; there is no register of the state\), since 31 October 2023;/,
  );
  assert.match(all.stdout, /numbers: those of other countries are blocked or replaced\n/);
  assert.match(
    all.stdout,
    /form of a name: only letters A to Z and digits, since 1 March 2026; another one is replaced or blocked\n/,
  );
  assert.match(all.stdout, /unsure: AWS, ClickSend, /);
});

test('countries: what is no country is refused', async () => {
  using place = createWorkplace();
  const { status, stderr } = await place.run(['countries', 'au', 'DE', 'XX']);
  assert.deepEqual(
    [status, stderr],
    [1, 'countersign: no such countries (ISO 3166 alpha-2, such as AU): au, XX\n'],
  );
});
