import type { Mutant } from '../mutant.ts';

const VONAGE = ['test/carriers/vonage.test.ts'];
const PLIVO = ['test/carriers/plivo.test.ts'];
const INFOBIP = ['test/carriers/infobip.test.ts'];
const SINCH = ['test/carriers/sinch.test.ts'];
const SNS = ['test/carriers/aws/receipts.test.ts'];
const OUTSTANDING = ['src/carriers/smpp/outstanding.test.ts'];

export const SIGNATURES: readonly Mutant[] = [
  {
    breaks: "a signed form of Vonage's is recent",
    file: 'src/carriers/vonage/signature.ts',
    from: "if (signature === undefined || !isFresh(fields.get('timestamp'), TOLERANCE_S, now)) return false;",
    to: 'if (signature === undefined || now < 0) return false;',
    tests: VONAGE,
  },
  {
    breaks: "the value of a field of Vonage's cannot name another field",
    file: 'src/carriers/vonage/signature.ts',
    from: ".replaceAll(/[&=]/g, '_')",
    to: '',
    tests: VONAGE,
  },
  {
    breaks: "a token of Vonage's is signed",
    file: 'src/carriers/vonage/signature.ts',
    from: 'if (!areEqual(signature, expected)) return false;',
    to: 'if (signature === expected + now) return false;',
    tests: VONAGE,
  },
  {
    breaks: "a token of Vonage's covers the body",
    file: 'src/carriers/vonage/signature.ts',
    from: "areEqual(textAt(claimed, 'payload_hash') ?? '', hash)",
    to: "hash !== ''",
    tests: VONAGE,
  },
  {
    breaks: "a token of Vonage's is recent",
    file: 'src/carriers/vonage/signature.ts',
    from: "isFresh(textAt(claimed, 'iat'), TOLERANCE_S, now) && ",
    to: '',
    tests: VONAGE,
  },
  {
    breaks: "a third signature of Plivo's that is wrong is not passed by with a second",
    file: 'src/carriers/plivo/signature.ts',
    from: 'if (third !== undefined) {',
    to: "if (third !== undefined && header(callback, 'x-plivo-signature-v2') === undefined) {",
    tests: PLIVO,
  },
  {
    breaks: "the third signature of Plivo's covers the fields",
    file: 'src/carriers/plivo/signature.ts',
    from: 'if (fields.length === 0) return',
    to: 'if (fields.length >= 0) return',
    tests: PLIVO,
  },
  {
    breaks: "an address of Infobip's is of our giving",
    file: 'src/carriers/infobip/callback-url.ts',
    from: "areEqual(params.get('token') ?? '', mac(id))",
    to: "mac(id) !== ''",
    tests: INFOBIP,
  },
  {
    breaks: "a report of Sinch's is signed",
    file: 'src/carriers/sinch/receipt.ts',
    from: " && areEqual(signature, mac.digest('base64'))",
    to: '',
    tests: SINCH,
  },
  {
    breaks: "a report of Sinch's is recent",
    file: 'src/carriers/sinch/receipt.ts',
    from: 'isFresh(timestamp, TOLERANCE_S, now) && ',
    to: '',
    tests: SINCH,
  },
  {
    breaks: 'a message of SNS is of our topic',
    file: 'src/carriers/aws/notification.ts',
    from: "envelope.get('TopicArn') !== topicArn || ",
    to: '',
    tests: SNS,
  },
  {
    breaks: 'a message of SNS is recent',
    file: 'src/carriers/aws/notification.ts',
    from: ' || !recent ||',
    to: ' ||',
    tests: SNS,
  },
  {
    breaks: 'a message of SNS is signed',
    file: 'src/carriers/aws/notification.ts',
    from: 'return verify(digest, Buffer.from(signed), key, signature)',
    to: 'return signature.length > 0',
    tests: SNS,
  },
  {
    breaks: 'a certificate of SNS comes from SNS',
    file: 'src/carriers/aws/notification.ts',
    from: 'return url.origin ===',
    to: "return url.origin !== '' || url.origin ===",
    tests: SNS,
  },
  {
    breaks: 'a certificate of SNS is in force',
    file: 'src/carriers/aws/certificates.ts',
    from: 'return inForce ? certificate.publicKey : undefined;',
    to: 'return inForce || now > 0 ? certificate.publicKey : undefined;',
    tests: SNS,
  },
  {
    breaks: 'nothing but a subscription is confirmed',
    file: 'src/carriers/aws/receipt.ts',
    from: " || address.searchParams.get('Action') !== 'ConfirmSubscription'",
    to: '',
    tests: SNS,
  },
  {
    breaks: 'a generic_nack is no acceptance',
    file: 'src/carriers/smpp/outstanding.ts',
    from: 'status: status || STATUS.unknownError',
    to: 'status',
    tests: OUTSTANDING,
  },
  {
    breaks: 'an answer is that of the request with its number',
    file: 'src/carriers/smpp/outstanding.ts',
    from: 'if (request?.sequence !== sequence) return;',
    to: 'if (request === undefined) return;',
    tests: OUTSTANDING,
  },
  {
    breaks: 'an answer is of the kind that was asked for',
    file: 'src/carriers/smpp/outstanding.ts',
    from: '} else if (command === responseTo(request.command)) {',
    to: '} else if (command !== request.command) {',
    tests: OUTSTANDING,
  },
];
