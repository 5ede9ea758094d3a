import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANNEL_NAMES, type Channel } from './channel.ts';
import { parseAnyDestination, parseDestination } from './destination.ts';
import { createScreens, type NeverSendOptions, type Screen, USUAL_SCREENS } from './never-sent.ts';

const judge = (number: string, screen: Screen, channel: Channel = 'voice') => {
  const parsed = parseDestination(number, channel, screen);
  return parsed.ok ? 'sent' : parsed.code;
};
const liveWith = (options: Partial<NeverSendOptions>) =>
  createScreens({ allow: [], add: [], ...options }).live;

const NEVER_SENT = [
  ['+80812345678', 'shared_cost', 'International Shared Cost Service'],
  ['+870773123456', 'satellite', 'Inmarsat'],
  ['+878101234567890', 'personal_number', 'Universal Personal Telecommunication'],
  ['+881612345678', 'satellite', 'Iridium'],
  ['+881812345678', 'satellite', 'Globalstar'],
  ['+881012345678', 'satellite', 'a spare code of the satellite systems'],
  ['+88213300001', 'satellite', 'EMSAT'],
  ['+88216123456789', 'satellite', 'Thuraya'],
  ['+883510001234567', 'never_sent', 'an international network'],
  ['+88812345678901', 'never_sent', 'disaster relief'],
  ['+979123456789', 'premium_rate', 'International Premium Rate Service'],
  ['+31842123456', 'personal_number', 'Netherlands: personal assistance'],
  ['+31872123456', 'personal_number', 'Netherlands: personal assistance'],
  ['+61147123456', 'satellite', 'Australia: satellite'],
  ['+6286812345678', 'satellite', 'Indonesia: satellite'],
  ['+672106123', 'satellite', 'the Antarctic'],
  ['+79541234567', 'satellite', 'Russia: Globalstar'],
  ['+8613491234567', 'satellite', 'China: satellite'],
  ['+8617401234567', 'satellite', 'China: satellite'],
  ['+911600223999', 'never_sent', 'India: service calls of authorities'],
  ['+911601223999', 'never_sent', 'India: service calls of banks'],
  ['+447012345678', 'personal_number', 'United Kingdom: personal'],
  ['+4970012345678', 'personal_number', 'Germany: personal'],
  ['+491801234567', 'shared_cost', 'Germany: shared cost'],
  ['+19002345678', 'premium_rate', 'United States: premium rate'],
  ['+448451234567', 'premium_rate', 'United Kingdom: premium rate'],
] as const;

for (const [number, code, what] of NEVER_SENT) {
  test(`never sent to, over any channel: ${what} (${number})`, () => {
    for (const channel of CHANNEL_NAMES) assert.equal(judge(number, USUAL_SCREENS.live, channel), code);
    assert.equal(judge(number, liveWith({ allow: [number.slice(0, 7)] })), 'sent');
    assert.ok(parseAnyDestination(number).ok, 'what was sent there can be looked up');
  });
}

test('people are sent to: mobiles, landlines, companies, and VoIP', () => {
  for (const number of [
    '+4915112345678',
    '+14155550123',
    '+16002012345',
    '+442071838750',
    '+447400123456',
    '+41581234567',
    '+79161234567',
    '+628123456789',
    '+919876543210',
    '+911602223999',
    '+911607223999',
    '+61412345678',
    '+8613812345678',
    '+672322123',
    '+31612345678',
    '+80012345678',
  ])
    assert.equal(judge(number, USUAL_SCREENS.live), 'sent', number);
  assert.equal(
    judge('tel:+88216123456789;ext=1', USUAL_SCREENS.live),
    'satellite',
    'an extension changes nothing',
  );
  assert.equal(
    judge('sip:+88216123456789@example.com', USUAL_SCREENS.live),
    'sent',
    'a SIP URI is no number',
  );
});

test('an operator allows and adds ranges; the longest that fits decides, and a type gives way to any', () => {
  const live = liveWith({ allow: ['+88216', '+4470', '+1900'], add: ['+88216123', '+4915', '+44701'] });
  assert.equal(judge('+88216456789', live), 'sent');
  assert.equal(judge('+88216123456789', live), 'never_sent');
  assert.equal(judge('+88213300001', live), 'satellite');
  assert.equal(judge('+4915112345678', live), 'never_sent');
  assert.equal(judge('+447022345678', live), 'sent');
  assert.equal(judge('+447012345678', live), 'never_sent');
  assert.equal(judge('+19002345678', live, 'sms'), 'sent');
  assert.equal(
    judge('+491641112345', liveWith({ allow: ['+49'] }), 'sms'),
    'pager',
    'what cannot be reached',
  );
});

test('who is told why learns the range', () => {
  const rangeOf = (number: string) => {
    const parsed = parseDestination(number, 'voice', liveWith({ add: ['+4915'] }));
    return parsed.ok ? undefined : parsed.range;
  };
  assert.equal(rangeOf('+88216123456789'), '+88216');
  assert.equal(rangeOf('+4915112345678'), '+4915');
  assert.equal(rangeOf('+19002345678'), undefined);
});

test('a test key is refused by type only, and an allowed range is allowed for it, too', () => {
  const { test: screen } = USUAL_SCREENS;
  assert.equal(judge('+881612345678', screen), 'sent');
  assert.equal(judge('+447012345678', screen), 'sent');
  assert.equal(judge('+15005550001', screen), 'sent');
  assert.equal(judge('+19002345678', screen), 'premium_rate');
  assert.equal(judge('+491801234567', screen), 'shared_cost');
  assert.equal(judge('+491801234567', createScreens({ allow: ['+49180'], add: [] }).test), 'sent');
});
