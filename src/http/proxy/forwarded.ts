/** What proxies report about a request's way: `Forwarded` (RFC 7239) and the older `X-Forwarded-...`. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * What the proxies wrote into one header, or into two that belong together. Each proxy appends, so the last entry comes from
 * the nearest one, and lists of unequal length are matched from their ends. An entry is empty if a proxy did not say.
 */
export interface Way {
  /** The address that each proxy got the request from. */
  readonly froms: readonly string[];
  /** The protocol that it came over, in lower case. */
  readonly protos: readonly string[];
}

/** The parameters of one element of `Forwarded`, by name in lower case. */
type Element = ReadonlyMap<string, string>;

// RFC 9110, section 5.6: a token, and a quoted-string.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"((?:[\t !#-\[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)"`;
/** An optional pair and its end: `;` before the next pair of the element, `,` before the next element. */
const PAIR = new RegExp(`[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|${QUOTED}))?[ \\t]*([;,]|$)`, 'y');

/** Reads a `Forwarded` header; undefined if it is malformed, because nobody can tell then which proxy wrote what. */
export function parseForwarded(header: string): readonly Element[] | undefined {
  const elements: Element[] = [];
  let element = new Map<string, string>();
  PAIR.lastIndex = 0;
  for (;;) {
    const found = PAIR.exec(header);
    if (found === null) return undefined;
    const [, name, token, quoted = '', separator] = found;
    if (name !== undefined) {
      const parameter = name.toLowerCase();
      // Section 4: an element has each parameter only once.
      if (element.has(parameter)) return undefined;
      element.set(parameter, token ?? quoted.replace(/\\(.)/gs, '$1'));
    }
    if (separator === ';') continue;
    // Empty elements of a list do not count (RFC 9110, section 5.6.1.2).
    if (element.size > 0) elements.push(element);
    element = new Map();
    if (separator === '') return elements;
  }
}

const NODE = /^(?:\[([0-9A-Fa-f:.]+)\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::(?:\d{1,5}|_[\w.-]+))?$/;

/** The address of a node (RFC 7239, section 6) such as `192.0.2.1:443` or `[2001:db8::1]`; other names stay as they are. */
function readNode(node: string): string {
  const [, ipv6, ipv4 = node] = NODE.exec(node) ?? [];
  return ipv6 ?? ipv4;
}

/** One way for each header; undefined for a header that cannot be read. */
export function readWays(headers: IncomingHttpHeaders): readonly (Way | undefined)[] {
  const legacy = {
    // Some proxies add the port, as Azure's Application Gateway does.
    froms: readList(headers['x-forwarded-for']).map(readNode),
    protos: readList(headers['x-forwarded-proto']).map((proto) => proto.toLowerCase()),
  };
  if (headers.forwarded === undefined) return [legacy];
  const elements = parseForwarded(headers.forwarded);
  return elements === undefined ? [legacy, undefined] : [legacy, readWay(elements)];
}

function readWay(elements: readonly Element[]): Way {
  const valuesOf = (name: string) => {
    const values = elements.map((element) => element.get(name) ?? '');
    return values.some((value) => value !== '') ? values : [];
  };
  return {
    froms: valuesOf('for').map(readNode),
    protos: valuesOf('proto').map((proto) => proto.toLowerCase()),
  };
}

function readList(header: string | readonly string[] | undefined): string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}
