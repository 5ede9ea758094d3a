/** Feeds recorded traffic through the guard, at its recorded times and without waiting. Sends nothing, needs no store. */
import { closeSync, existsSync, openSync, readSync, realpathSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { RecordedTraffic } from '../../guard/recorded/recorded-traffic.ts';
import { keepHeapSmall, keepYoungHeapSmall } from '../../runtime/small-heap.ts';
import { readConfiguration } from '../configuration.ts';
import { CommandFailure } from '../failure.ts';
import { formatTable } from '../table.ts';
import { MalformedLine, parseTrafficLine } from './traffic-line.ts';

export interface GuardReplayOptions {
  readonly input: string;
  readonly output: string;
  readonly config?: string;
}

/** Large enough for few calls, small enough that the young generation forgets it. */
const CHUNK = 1 << 16;

/** Writes one decision for each `verify`, in order, and prints how often each rule decided. */
export async function replayTraffic({ input, output, config }: GuardReplayOptions): Promise<void> {
  keepHeapSmall();
  keepYoungHeapSmall();
  const environment = config === undefined ? process.env : { ...process.env, COUNTERSIGN_CONFIG: config };
  const { limits } = await readConfiguration(undefined, environment);
  const source = openSync(input, 'r');
  try {
    if (existsSync(output) && realpathSync(output) === realpathSync(input)) {
      throw new CommandFailure('--output: expected another file than --input');
    }
    const target = openSync(output, 'w');
    try {
      console.log(describe(replay(new RecordedTraffic(limits), source, target, input)));
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** How often each rule decided what. */
type Counts = Map<string, number>;

function replay(traffic: RecordedTraffic, source: number, target: number, name: string): Counts {
  const counts: Counts = new Map();
  let answers = '';
  let number = 0;
  for (const line of readLines(source)) {
    number += 1;
    if (line.trim() === '') continue;
    answers += answer(traffic, line, `${name}:${number}`, counts);
    if (answers.length < CHUNK) continue;
    writeSync(target, answers);
    answers = '';
  }
  writeSync(target, answers);
  return counts;
}

/** The line of a decision; nothing for other events. */
function answer(traffic: RecordedTraffic, text: string, place: string, counts: Counts): string {
  try {
    const line = parseTrafficLine(text);
    if (line.op === 'confirm') traffic.confirm(line.ref, line.at, line.ok);
    if (line.op !== 'verify') return '';
    const { decision, rule, detail } = traffic.verify(line);
    const counted = `${decision} ${rule}`;
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
    return `${JSON.stringify({ ref: line.ref, decision, rule, detail })}\n`;
  } catch (error) {
    if (error instanceof MalformedLine) throw new CommandFailure(`${place}: ${error.message}`);
    throw error;
  }
}

function* readLines(source: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for (let size = readSync(source, buffer); size > 0; size = readSync(source, buffer)) {
    const text = rest + decoder.write(buffer.subarray(0, size));
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      yield text.slice(start, end);
      start = end + 1;
    }
    rest = text.slice(start);
  }
  const last = rest + decoder.end();
  if (last !== '') yield last;
}

function describe(counts: Counts): string {
  const rows = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([counted, requests]) => {
      const [decision = '', rule = ''] = counted.split(' ');
      return { decision, rule, requests: `${requests}` };
    });
  return rows.length === 0 ? 'no requests' : formatTable(rows);
}
