import { JSON_NOTATION, literal } from './literal.ts';
import { ADDRESS, type SampleRequest } from './request.ts';

// A text of JSON is one of Python too.
const NOTATION = { ...JSON_NOTATION, words: { true: 'True', false: 'False', null: 'None' }, indent: '    ' };

/** With the standard library, so that it runs wherever Python does. It raises where others answer: a wrong code is no exception. */
export function python({ method, path, token, body, answersJson }: SampleRequest): string {
  const usesJson = body !== undefined || answersJson;
  const headers = [
    ...(token === undefined ? [] : [`        "Authorization": "Bearer " + os.environ["${token}"],`]),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
  ];
  return [
    ...(usesJson ? ['import json'] : []),
    'import os',
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    os.environ["${ADDRESS}"] + "${path}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, NOTATION, '    ')}).encode(),`]),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request, timeout=10)',
    'except urllib.error.HTTPError as problem:',
    '    response = problem',
    'with response:',
    `    print(response.status, ${answersJson ? 'json.load(response)' : 'response.read().decode()'})`,
  ].join('\n');
}
