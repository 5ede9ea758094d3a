/** WhatsApp and Telegram: what is paid for once, and whose word is taken. */
import type { Mutant } from '../../mutant.ts';

const META = ['test/carriers/messengers/meta.test.ts'];
const TELEGRAM = ['test/carriers/messengers/telegram.test.ts'];

export const MESSENGERS: readonly Mutant[] = [
  {
    breaks: 'a report from Meta is signed',
    file: 'src/carriers/meta/receipt.ts',
    from: "if (!isSigned(callback, webhook.appSecret)) return { kind: 'forged' };",
    to: '',
    tests: META,
  },
  {
    breaks: "only who knows the token is answered Meta's handshake",
    file: 'src/carriers/meta/receipt.ts',
    from: " && areEqual(query.get('hub.verify_token') ?? '', verifyToken)",
    to: " && verifyToken !== ''",
    tests: META,
  },
  {
    breaks: 'what is sent back to Meta is no page',
    file: 'src/carriers/meta/receipt.ts',
    from: 'return isOurs && CHALLENGE.test(echo) ?',
    to: 'return isOurs ?',
    tests: META,
  },
  {
    breaks: 'what concerns another number of the app is passed over',
    file: 'src/carriers/meta/receipt.ts',
    from: "textAt(change, 'value.metadata.phone_number_id') === phoneNumberId",
    to: "textAt(change, 'value.metadata.phone_number_id') !== undefined",
    tests: META,
  },
  {
    breaks: 'a landline of Brazil is no mobile number of before',
    file: 'src/core/destination/renumbered.ts',
    from: '([6-9]\\d{7})',
    to: '(\\d{8})',
    tests: META,
  },
  {
    breaks: 'a report from Telegram is signed',
    file: 'src/carriers/telegram/receipt.ts',
    from: ' && signature !== undefined && areEqual(signature, mac)',
    to: ' && signature !== mac.slice(1)',
    tests: TELEGRAM,
  },
  {
    breaks: 'a report from Telegram is recent',
    file: 'src/carriers/telegram/receipt.ts',
    from: 'isFresh(timestamp, TOLERANCE_S, now) && ',
    to: '',
    tests: TELEGRAM,
  },
  {
    breaks: 'a message that is tried again goes under the request that Telegram was paid for',
    file: 'src/carriers/telegram/carrier.ts',
    from: 'if (kept !== undefined) return kept;',
    to: '',
    tests: TELEGRAM,
  },
  {
    breaks: 'Telegram is not asked, and not paid, about a code that it does not take',
    file: 'src/carriers/telegram/carrier.ts',
    from: 'if (!CODE.test(code)) return { outcome: UNSENDABLE };',
    to: '',
    tests: TELEGRAM,
  },
  {
    breaks: 'a Telegram carrier that could send none of the codes refuses to start',
    file: 'src/carriers/telegram/type.ts',
    from: "(code.alphabet === 'digits' && code.length <= LONGEST_CODE)",
    to: "code.alphabet === 'digits'",
    tests: ['src/config/rules/route-rules.test.ts'],
  },
  {
    breaks: 'a message that Telegram has already taken is not tried again',
    file: 'src/carriers/telegram/carrier.ts',
    from: '(isSentAlready(answer) ? permit : undefined)',
    to: 'undefined',
    tests: TELEGRAM,
  },
  {
    breaks: "nobody is written to in a language that WhatsApp's template does not have",
    file: 'src/carriers/whatsapp/template.ts',
    from: "approved.get(findWritten(locale, approved.keys()) ?? '') ?? language",
    to: "approved.get(findWritten(locale, approved.keys()) ?? '') ?? locale",
    tests: ['src/carriers/whatsapp/template.test.ts'],
  },
];
