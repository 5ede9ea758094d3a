/**
 * For tests: renders a Helm chart, because Helm is not an npm package. Supports the part of Go's text/template and of
 * Helm's functions that our chart uses, and throws for everything else: an unknown construct, a missing value.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipeline: string }
  | { readonly kind: 'block'; readonly keyword: string; readonly branches: Branch[] };

/** `if`, `with` or `range` with its pipeline, or `else`, and its content. */
interface Branch {
  readonly pipeline: string | undefined;
  readonly body: Node[];
}

interface Scope {
  readonly dot: unknown;
  readonly root: unknown;
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Everything that templates see: `.Values`, `.Release`, `.Chart`. */
export type ChartData = Readonly<Record<string, unknown>>;

/** Renders all templates of a chart; returns the text of each by its file name. Throws what `fail` says. */
export function renderChart(folder: string, data: ChartData): ReadonlyMap<string, string> {
  const definitions = new Map<string, Node[]>();
  const files = readdirSync(join(folder, 'templates')).sort();
  const parsed = files.map((file) => {
    const source = readFileSync(join(folder, 'templates', file), 'utf8');
    return [file, parseTemplate(source, definitions)] as const;
  });

  const include = (name: unknown, dot: unknown) => {
    const body = definitions.get(String(name));
    if (body === undefined) throw new Error(`no template is called ${name}`);
    return renderNodes(body, { dot, root: dot, variables: new Map() });
  };
  const functions: Readonly<Record<string, (...values: unknown[]) => unknown>> = {
    ...FUNCTIONS,
    include,
  };

  function renderNodes(nodes: readonly Node[], scope: Scope): string {
    return nodes.map((node) => renderNode(node, scope)).join('');
  }

  function renderNode(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'print') return print(evaluate(node.pipeline, scope), node.pipeline);
    for (const { pipeline, body } of node.branches) {
      if (pipeline === undefined) return renderNodes(body, scope);
      const [, variable, source = ''] = /^(?:(\$\w+)\s*:=\s*)?([\s\S]+)$/.exec(pipeline) ?? [];
      const value = evaluate(source, scope);
      if (!isTrue(value)) continue;
      if (node.keyword === 'range') {
        if (!Array.isArray(value)) throw new Error(`range over what is no list: ${pipeline}`);
        return value.map((dot) => renderNodes(body, narrow(scope, dot, variable))).join('');
      }
      return renderNodes(body, node.keyword === 'with' ? narrow(scope, value, variable) : scope);
    }
    return '';
  }

  function evaluate(source: string, scope: Scope): unknown {
    const tokens = source.match(/"(?:\\.|[^"\\])*"|[()|]|[^\s()|]+/g) ?? [];
    let at = 0;
    const readPipeline = (): unknown => {
      let value = readCommand([]);
      while (tokens[at] === '|') {
        at += 1;
        value = readCommand([value]);
      }
      return value;
    };
    const readCommand = (piped: readonly unknown[]): unknown => {
      const name = tokens[at] ?? '';
      const call = functions[name];
      if (call !== undefined) at += 1;
      const operands: unknown[] = [];
      for (
        let token = tokens[at];
        token !== undefined && token !== '|' && token !== ')';
        token = tokens[at]
      ) {
        at += 1;
        operands.push(token === '(' ? readGroup() : readOperand(token, scope));
      }
      if (call !== undefined) return call(...operands, ...piped);
      if (operands.length !== 1 || piped.length > 0) throw new Error(`cannot read: ${source}`);
      return operands[0];
    };
    const readGroup = (): unknown => {
      const value = readPipeline();
      if (tokens[at] !== ')') throw new Error(`a bracket is not closed: ${source}`);
      at += 1;
      return value;
    };
    const value = readPipeline();
    if (at !== tokens.length) throw new Error(`cannot read: ${source}`);
    return value;
  }

  return new Map(
    parsed
      .filter(([file]) => !file.startsWith('_'))
      .map(([file, nodes]) => [file, renderNodes(nodes, { dot: data, root: data, variables: new Map() })]),
  );
}

const FUNCTIONS: Readonly<Record<string, (...values: unknown[]) => unknown>> = {
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  not: (value) => !isTrue(value),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  eq: (value, other) => value === other,
  fail: (message) => {
    throw new Error(String(message));
  },
  list: (...values) => values,
  nindent: (spaces, text) => `\n${String(text).replace(/^/gm, ' '.repeat(Number(spaces)))}`,
  printf: (format, ...values) => String(format).replace(/%s/g, () => String(values.shift())),
  quote: (value) => JSON.stringify(String(value)),
  sha256sum: (text) => createHash('sha256').update(String(text)).digest('hex'),
  toYaml: (value) => stringify(value, { version: '1.1' }).trimEnd(),
};

function parseTemplate(source: string, definitions: Map<string, Node[]>): Node[] {
  const parts = source.split(/(\{\{[\s\S]*?\}\})/);
  const top: Node[] = [];
  /** Where nodes go now, and what opened each of the blocks around it. */
  const open: { body: Node[]; block?: { keyword: string; branches: Branch[] } }[] = [{ body: top }];
  parts.forEach((part, index) => {
    const body = open.at(-1)?.body ?? top;
    if (!part.startsWith('{{')) {
      const before = parts[index - 1]?.endsWith('-}}') ? part.trimStart() : part;
      const text = parts[index + 1]?.startsWith('{{-') ? before.trimEnd() : before;
      body.push({ kind: 'text', text });
      return;
    }
    const action = part.replace(/^\{\{-?\s*|\s*-?\}\}$/g, '');
    const [, keyword = '', rest = ''] = /^(if|with|range|define|else|end)\b\s*([\s\S]*)$/.exec(action) ?? [];
    if (action.startsWith('/*')) return;
    if (keyword === '') {
      body.push({ kind: 'print', pipeline: action });
    } else if (keyword === 'define') {
      const definition: Node[] = [];
      definitions.set(rest.replaceAll('"', ''), definition);
      open.push({ body: definition });
    } else if (keyword === 'end') {
      open.pop();
      if (open.length === 0) throw new Error('an end too many');
    } else if (keyword === 'else') {
      const block = open.pop()?.block;
      if (block === undefined || rest !== '') throw new Error(`else out of place: ${action}`);
      const branch: Branch = { pipeline: undefined, body: [] };
      block.branches.push(branch);
      open.push({ body: branch.body, block });
    } else {
      const branch: Branch = { pipeline: rest, body: [] };
      const block = { kind: 'block' as const, keyword, branches: [branch] };
      body.push(block);
      open.push({ body: branch.body, block });
    }
  });
  if (open.length !== 1) throw new Error('a block is not ended');
  return top;
}

function narrow(scope: Scope, value: unknown, variable: string | undefined): Scope {
  const variables =
    variable === undefined ? scope.variables : new Map([...scope.variables, [variable, value]]);
  return { ...scope, dot: value, variables };
}

function readOperand(token: string, { dot, root, variables }: Scope): unknown {
  if (token.startsWith('"')) return JSON.parse(token);
  if (/^\d+$/.test(token)) return Number(token);
  const [, start = '', path = ''] = /^(\$\w*)?((?:\.\w+)+|\.)?$/.exec(token) ?? [
    undefined,
    undefined,
    undefined,
  ];
  if (start === '' && path === '') throw new Error(`unknown: ${token}`);
  const from = start === '' ? dot : start === '$' ? root : variables.get(start);
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce((value, name) => readMember(value, name, token), from);
}

function readMember(value: unknown, name: string, token: string): unknown {
  if (typeof value !== 'object' || value === null) throw new Error(`nothing to find ${name} in: ${token}`);
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function print(value: unknown, pipeline: string): string {
  if (value === undefined || value === null) throw new Error(`no such value: ${pipeline}`);
  return String(value);
}

/** Go's truth: zero, the empty text, list and map are false. */
function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** The values that a chart is rendered with: its own, overridden by the user's. */
export function readValues(folder: string, own: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return overlay(parse(readFileSync(join(folder, 'values.yaml'), 'utf8')), own);
}

function overlay(
  base: Record<string, unknown>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const under = merged[key];
    merged[key] = isMap(under) && isMap(value) ? overlay(under, value) : value;
  }
  return merged;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
