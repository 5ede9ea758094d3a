import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePrices } from './price-file.ts';
import { describeProblem } from './problem.ts';

const SERVED = new Map([
  ['smsc', ['sms']],
  ['twilio', ['sms', 'voice']],
] as const);

function read(text: string) {
  const problems: string[] = [];
  const rows = parsePrices(text, 'prices.csv', SERVED, (problem) => problems.push(describeProblem(problem)));
  return { rows, problems };
}

const problemOf = (line: string) => {
  const { rows, problems } = read(`carrier,channel,to,price\n${line}`);
  assert.deepEqual([rows, problems.length], [[], 1], line);
  return problems[0] ?? '';
};

test('lines are prices of a carrier, by country, prefix and default', () => {
  const { rows, problems } = read(`\ufeff# 2026-11
carrier, channel, to, price

twilio,sms,DE,0.0725
twilio,voice,DE,0.015\r
"smsc","sms","+49\u200b15","0.008"
\u2060
smsc,sms,49170,1000
smsc,sms,default,0
`);
  assert.deepEqual(problems, []);
  assert.deepEqual(rows, [
    { carrier: 'twilio', channel: 'sms', to: 'DE', price: 0.0725 },
    { carrier: 'twilio', channel: 'voice', to: 'DE', price: 0.015 },
    { carrier: 'smsc', channel: 'sms', to: '+4915', price: 0.008 },
    { carrier: 'smsc', channel: 'sms', to: '+49170', price: 1_000 },
    { carrier: 'smsc', channel: 'sms', to: 'default', price: 0 },
  ]);
});

test('columns come in any order, and without channels a price is for all', () => {
  const { rows, problems } = read('Price,To,Carrier\n0.05,FR,twilio');
  assert.deepEqual(
    [rows, problems],
    [[{ carrier: 'twilio', channel: undefined, to: 'FR', price: 0.05 }], []],
  );
});

test('what is wrong with a line names file, line and field', () => {
  assert.equal(
    problemOf('smcs,sms,DE,1'),
    'carrier (prices.csv:2): "smcs" is not a carrier; expected smsc, twilio; did you mean smsc?',
  );
  assert.match(
    problemOf('smsc,voice,DE,1'),
    /^channel \(prices.csv:2\): "voice" is not a channel of smsc; expected sms;/,
  );
  assert.match(problemOf('smsc,,DE,1'), /^channel \(prices.csv:2\): "" is not a channel/);
  assert.match(problemOf('smsc,sms,UK,1'), /^to \(prices.csv:2\): UK is not a country.*did you mean GB\?/);
  for (const to of ['de', 'Germany', '', '+', '+0491', '+1234567890123456']) {
    assert.match(problemOf(`smsc,sms,${to},1`), /^to \(prices.csv:2\): /);
  }
  for (const price of ['', '-1', '1e3', '1000.1', '0.0000001', 'free', '1 EUR', '.5']) {
    assert.match(
      problemOf(`smsc,sms,DE,${price}`),
      /^price \(prices.csv:2\): .* is not a price; expected a number from 0/,
    );
  }
  assert.match(
    problemOf('smsc,sms,DE,0,08'),
    /^line \(prices.csv:2\): has 5 fields.*write prices with a point/,
  );
  assert.match(problemOf('smsc,sms,DE'), /^line \(prices.csv:2\): has 3 fields/);
});

test('a price is listed once', () => {
  const { problems } = read('carrier,to,price\nsmsc,+4915,1\ntwilio,+4915,1\nsmsc,4915,2');
  assert.deepEqual(problems, [
    'to (prices.csv:4): +4915 is in line 2 already; expected one price for each; remove one of the two',
  ]);
});

test('the first line names the columns', () => {
  for (const [first, wrong] of [
    ['carrier;to;price', /"carrier;to;price" is not a column/],
    ['carrier,to,price,note', /"note" is not a column/],
    ['carrier,price', /the column to is missing/],
    ['carrier,to,to,price', /a column is named twice/],
    ['smsc,DE,0.08', /"smsc" is not a column/],
  ] as const) {
    const { rows, problems } = read(`\n${first}\nsmsc,DE,1\n`);
    assert.deepEqual(rows, []);
    assert.match(problems.join(), /^columns \(prices.csv:2\): /);
    assert.match(problems.join(), wrong);
  }
  assert.match(read('# nothing\n').problems.join(), /^columns \(prices.csv:1\): the file is empty/);
});

test('of a file that is wrong throughout, the first problems are told, and how many there are', () => {
  const { problems } = read(`carrier,to,price\n${'smsc,DE,x\n'.repeat(5_000)}`);
  assert.equal(problems.length, 21);
  assert.match(problems.at(-1) ?? '', /^prices.csv: 4980 more lines are wrong;/);
});
