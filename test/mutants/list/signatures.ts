import type { Mutant } from '../mutant.ts';

const VONAGE = ['test/carriers/vonage.test.ts'];
const PLIVO = ['test/carriers/plivo.test.ts'];
const INFOBIP = ['test/carriers/infobip.test.ts'];
const SINCH = ['test/carriers/sinch.test.ts'];
const SNS = ['test/carriers/aws/receipts.test.ts'];
const OUTSTANDING = ['src/carriers/smpp/outstanding.test.ts'];

export const SIGNATURES: readonly Mutant[] = [
  {
    breaks: 'a signed form from Vonage is recent',
    file: 'src/carriers/vonage/signature.ts',
    from: "if (signature === undefined || !isFresh(fields.get('timestamp'), TOLERANCE_S, now)) return false;",
    to: 'if (signature === undefined || now < 0) return false;',
    tests: VONAGE,
  },
  {
    breaks: 'the value of a field from Vonage cannot name another field',
    file: 'src/carriers/vonage/signature.ts',
    from: ".replaceAll(/[&=]/g, '_')",
    to: '',
    tests: VONAGE,
  },
  {
    breaks: 'a token from Vonage is signed',
    file: 'src/carriers/vonage/signature.ts',
    from: 'if (!areEqual(signature, expected)) return false;',
    to: 'if (signature === expected + now) return false;',
    tests: VONAGE,
  },
  {
    breaks: 'a token from Vonage covers the body',
    file: 'src/carriers/vonage/signature.ts',
    from: "areEqual(textAt(claimed, 'payload_hash') ?? '', hash)",
    to: "hash !== ''",
    tests: VONAGE,
  },
  {
    breaks: 'a token from Vonage is recent',
    file: 'src/carriers/vonage/signature.ts',
    from: "isFresh(textAt(claimed, 'iat'), TOLERANCE_S, now) && ",
    to: '',
    tests: VONAGE,
  },
  {
    breaks: 'a wrong third signature from Plivo is not saved by a right second one',
    file: 'src/carriers/plivo/signature.ts',
    from: 'if (third !== undefined) {',
    to: "if (third !== undefined && header(callback, 'x-plivo-signature-v2') === undefined) {",
    tests: PLIVO,
  },
  {
    breaks: "Plivo's third signature covers the fields",
    file: 'src/carriers/plivo/signature.ts',
    from: 'if (fields.length === 0) return',
    to: 'if (fields.length >= 0) return',
    tests: PLIVO,
  },
  {
    breaks: 'Infobip may report only to an address that we gave it',
    file: 'src/carriers/infobip/callback-url.ts',
    from: "areEqual(params.get('token') ?? '', mac(id))",
    to: "mac(id) !== ''",
    tests: INFOBIP,
  },
  {
    breaks: 'a report from Sinch is signed',
    file: 'src/carriers/sinch/receipt.ts',
    from: " && areEqual(signature, mac.digest('base64'))",
    to: '',
    tests: SINCH,
  },
  {
    breaks: 'a report from Sinch is recent',
    file: 'src/carriers/sinch/receipt.ts',
    from: 'isFresh(timestamp, TOLERANCE_S, now) && ',
    to: '',
    tests: SINCH,
  },
  {
    breaks: 'a message from SNS belongs to our topic',
    file: 'src/carriers/aws/notification.ts',
    from: "envelope.get('TopicArn') !== topicArn || ",
    to: '',
    tests: SNS,
  },
  {
    breaks: 'a message from SNS is recent',
    file: 'src/carriers/aws/notification.ts',
    from: ' || !recent ||',
    to: ' ||',
    tests: SNS,
  },
  {
    breaks: 'a message from SNS is signed',
    file: 'src/carriers/aws/notification.ts',
    from: 'return verify(digest, Buffer.from(signed), key, signature)',
    to: 'return signature.length > 0',
    tests: SNS,
  },
  {
    breaks: 'the certificate of SNS is fetched only from SNS',
    file: 'src/carriers/aws/notification.ts',
    from: 'return url.origin ===',
    to: "return url.origin !== '' || url.origin ===",
    tests: SNS,
  },
  {
    breaks: 'the certificate of SNS has not expired',
    file: 'src/carriers/aws/certificates.ts',
    from: 'return inForce ? certificate.publicKey : undefined;',
    to: 'return inForce || now > 0 ? certificate.publicKey : undefined;',
    tests: SNS,
  },
  {
    breaks: 'only subscriptions are confirmed',
    file: 'src/carriers/aws/receipt.ts',
    from: " || address.searchParams.get('Action') !== 'ConfirmSubscription'",
    to: '',
    tests: SNS,
  },
  {
    breaks: 'a generic_nack is not an acceptance',
    file: 'src/carriers/smpp/outstanding.ts',
    from: 'status: status || STATUS.unknownError',
    to: 'status',
    tests: OUTSTANDING,
  },
  {
    breaks: 'an answer belongs to the request with the same number',
    file: 'src/carriers/smpp/outstanding.ts',
    from: 'if (request?.sequence !== sequence) return;',
    to: 'if (request === undefined) return;',
    tests: OUTSTANDING,
  },
  {
    breaks: 'an answer has the type that was asked for',
    file: 'src/carriers/smpp/outstanding.ts',
    from: '} else if (command === responseTo(request.command)) {',
    to: '} else if (command !== request.command) {',
    tests: OUTSTANDING,
  },
];
