import { literal, singleQuoted } from './literal.ts';
import { ADDRESS, type SampleRequest } from './request.ts';

const NOTATION = {
  object: ['[', ']'],
  key: (name: string) => `${singleQuoted(name)} => `,
  text: singleQuoted,
} as const;

export function php({ path, token, body }: SampleRequest): string {
  const headers = [
    ...(token === undefined ? [] : [`        'Authorization: Bearer ' . getenv('${token}'),`]),
    ...(body === undefined ? [] : ["        'Content-Type: application/json',"]),
  ];
  return [
    '<?php',
    `$request = curl_init(getenv('${ADDRESS}') . '${path}');`,
    'curl_setopt_array($request, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_TIMEOUT => 10,',
    ...(headers.length === 0 ? [] : ['    CURLOPT_HTTPHEADER => [', ...headers, '    ],']),
    // With a body it is a POST.
    ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, NOTATION)}),`]),
    ']);',
    '$answer = curl_exec($request);',
    'if ($answer === false) {',
    '    throw new RuntimeException(curl_error($request));',
    '}',
    "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join('\n');
}
