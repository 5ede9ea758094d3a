/** RCS: no code comes late or twice, and whose word is taken. */
import type { Mutant } from '../../mutant.ts';

const GOOGLE = ['test/carriers/rcs/google.test.ts'];
const BROKERS = ['test/carriers/rcs/brokers.test.ts'];
const REVOCATION = ['src/delivery/revocation.test.ts'];

export const RCS: readonly Mutant[] = [
  {
    breaks: 'an event from Google is signed',
    file: 'src/carriers/google/receipt.ts',
    from: "if (!isSigned(callback, data, clientToken)) return { kind: 'forged' };",
    to: '',
    tests: GOOGLE,
  },
  {
    breaks: 'the signature of an event is of what is read',
    file: 'src/carriers/google/receipt.ts',
    from: '.update(data).digest(',
    to: '.update(callback.body).digest(',
    tests: GOOGLE,
  },
  {
    breaks: "only who knows the token is answered Google's handshake",
    file: 'src/carriers/google/receipt.ts',
    from: 'given !== undefined && areEqual(given, clientToken);',
    to: 'given !== undefined;',
    tests: GOOGLE,
  },
  {
    breaks: 'what is sent back to Google is no page',
    file: 'src/carriers/google/receipt.ts',
    from: 'return isOurs && CHALLENGE.test(secret) ?',
    to: 'return isOurs ?',
    tests: GOOGLE,
  },
  {
    breaks: 'what concerns another agent of the account is passed over',
    file: 'src/carriers/google/receipt.ts',
    from: 'return agents.has(agent) ?',
    to: 'return agents.size > 0 ?',
    tests: GOOGLE,
  },
  {
    breaks: 'no code leaves for a telephone without RCS',
    file: 'src/carriers/google/carrier.ts',
    from: 'if (isSuccess(answer)) return token;',
    to: 'return token;',
    tests: GOOGLE,
  },
  {
    breaks: 'a token that Google refuses is not used again',
    file: 'src/carriers/google/carrier.ts',
    from: 'if (answer.status === 401) tokens.forget(token);',
    to: '',
    tests: GOOGLE,
  },
  {
    breaks: 'what nobody takes back is over when the next channel has its turn',
    file: 'src/carriers/rcs.ts',
    from: 'Math.min(replacedAt, expiresAt)',
    to: 'expiresAt',
    tests: GOOGLE,
  },
  {
    breaks: 'Twilio sends no SMS of its own where RCS does not reach',
    file: 'src/carriers/twilio/request.ts',
    from: 'To: `rcs:',
    to: 'To: `',
    tests: BROKERS,
  },
  {
    breaks: 'nobody waits for receipts of RCS that Telnyx is not asked for',
    file: 'src/carriers/telnyx/type.ts',
    from: "...(channel !== 'voice' && { publicKey })",
    to: "...(channel === 'sms' && { publicKey })",
    tests: BROKERS,
  },
  {
    breaks: 'nothing is sent after a message that arrived while it was taken back',
    file: 'src/delivery/revocation.ts',
    from: "if (answers.some(({ came }) => came === 'arrived')) return true;",
    to: '',
    tests: REVOCATION,
  },
  {
    breaks: 'a message that was just arriving has time to say so',
    file: 'src/delivery/revocation.ts',
    from: "if (answers.some(({ came }) => came === 'unless-arriving')) await sleep(clock, ARRIVING_MS);",
    to: '',
    tests: REVOCATION,
  },
  {
    breaks: 'a code that was confirmed while its message was taken back is not sent again',
    file: 'src/delivery/revocation.ts',
    from: 'if (!kept.has(held.id)) {',
    to: 'if (kept.has(held.id) && kept.size > 1) {',
    tests: REVOCATION,
  },
  {
    breaks: 'the carrier whose message was taken back is not asked for it again',
    file: 'src/delivery/revocation.ts',
    from: 'held.spend(carrierOn(attempt.carrier, attempt.channel));',
    to: '',
    tests: REVOCATION,
  },
  {
    breaks: 'a message is not taken back from the channel that has its turn',
    file: 'src/delivery/revocation.ts',
    from: 'if (over === channel) return [];',
    to: '',
    tests: REVOCATION,
  },
  {
    breaks: 'only a channel whose messages end by themselves asks when the next has its turn',
    file: 'src/delivery/round.ts',
    from: 'isTimed(message.channel) ? timed(startedAt) : message',
    to: 'timed(startedAt)',
    tests: ['src/delivery/round-steps.test.ts'],
  },
  {
    breaks: 'a carrier that fails to take a message back keeps nobody from the next channel',
    file: 'src/delivery/gate/gate.ts',
    from: "?.catch((): Revocation => 'unknown')",
    to: '',
    tests: ['src/delivery/gate/gate.test.ts'],
  },
  {
    breaks: 'nothing is taken back where nobody is to send it on the next channel',
    file: 'src/delivery/dispatcher.ts',
    from: 'choices.some(({ gate }) => !gate.isClosed)',
    to: 'choices.length >= 0',
    tests: ['src/delivery/revocation.test.ts'],
  },
  {
    breaks: 'nothing is taken back while every carrier of the next channel is of no use',
    file: 'src/delivery/dispatcher.ts',
    from: 'choices.some(({ gate }) => !gate.isClosed)',
    to: 'choices.length > 0',
    tests: ['src/delivery/revocation.test.ts'],
  },
  {
    breaks: 'what can be taken back is written as a receipt, also of a carrier that sends none',
    file: 'src/delivery/gate/gate.ts',
    from: 'carrier.silent === true && carrier.revoke === undefined',
    to: 'carrier.silent === true',
    tests: ['src/delivery/gate/gate.test.ts'],
  },
];
