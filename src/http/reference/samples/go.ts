import { JSON_NOTATION, literal } from './literal.ts';
import { ADDRESS, type SampleRequest } from './request.ts';

const PANIC = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];

export function go({ method, path, token, body }: SampleRequest): string {
  const imports = ['fmt', 'io', 'net/http', 'os', ...(body === undefined ? [] : ['strings'])];
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    // A raw text holds everything but backquotes, which JSON can spell in another way.
    ...(body === undefined
      ? []
      : [`\tbody := strings.NewReader(\`${literal(body, JSON_NOTATION).replaceAll('`', '\\u0060')}\`)`]),
    `\trequest, err := http.NewRequest("${method}", os.Getenv("${ADDRESS}")+"${path}", ${body === undefined ? 'nil' : 'body'})`,
    ...PANIC,
    ...(token === undefined
      ? []
      : [`\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${token}"))`]),
    ...(body === undefined ? [] : ['\trequest.Header.Set("Content-Type", "application/json")']),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...PANIC,
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    ...PANIC,
    '\tfmt.Println(response.StatusCode, string(answer))',
    '}',
  ].join('\n');
}
