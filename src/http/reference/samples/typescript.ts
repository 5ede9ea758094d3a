import { literal } from './literal.ts';
import { ADDRESS, type SampleRequest } from './request.ts';

const singleQuoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

const NOTATION = {
  object: ['{ ', ' }'],
  key: (name: string) => `${/^\w+$/.test(name) ? name : singleQuoted(name)}: `,
  text: singleQuoted,
  indent: '  ',
} as const;

export function typeScript({ method, path, token, body, answersJson }: SampleRequest): string {
  const headers = [
    ...(token === undefined ? [] : [`    Authorization: \`Bearer \${process.env.${token}}\`,`]),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, NOTATION, '  ')}),`]),
  ];
  const url = `\`\${process.env.${ADDRESS}}${path}\``;
  return [
    ...(options.length === 0
      ? [`const response = await fetch(${url});`]
      : [`const response = await fetch(${url}, {`, ...options, '});']),
    `console.log(response.status, await response.${answersJson ? 'json' : 'text'}());`,
  ].join('\n');
}
