/** Checks the dashboard and the alerts against the service's metrics and the runbook. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { SYSTEM_CLOCK } from '../../src/core/seams/clock.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { readProjectFile } from './project.ts';

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook_url: string;
  };
}

const DASHBOARD: { panels: Panel[]; templating: { list: { name: string; query: unknown }[] } } = JSON.parse(
  readProjectFile('deploy/grafana/countersign.json'),
);
const ALERTS: Alert[] = parse(readProjectFile('deploy/prometheus/alerts.yaml')).groups[0].rules;
const RUNBOOK = readProjectFile('docs/operations.md');

const OPERATORS = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'offset', 'bool']);

/** The series that a PromQL expression selects, each with the labels that it matches. */
function listSelectors(expression: string): { name: string; labels: string[] }[] {
  const bare = expression
    .replace(/"[^"]*"/g, '""')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/offset \w+/g, '')
    .replace(/\b(by|without|on|ignoring) \([^)]*\)/g, '');
  return Array.from(bare.matchAll(/(?<![\w.$])([a-z_]\w*)\s*(\(|\{[^}]*\})?/g))
    .filter(([, name = '', rest]) => rest !== '(' && !OPERATORS.has(name))
    .map(([, name = '', matchers = '']) => ({
      name,
      labels: Array.from(matchers.matchAll(/(\w+)\s*[=!]/g), ([, label = '']) => label),
    }));
}

/** The labels of every series in a scrape, by name. Prometheus adds `job` and `instance`. */
async function listSeries(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = createMetrics({ clock: SYSTEM_CLOCK, freeBytes: async () => 1 });
  metrics.requested('sms', 'DE');
  metrics.attempted('smsc', 'accepted', 1);
  metrics.submitted('sms', 'DE', 'smsc', 1);
  metrics.delivered('sms', 'DE', 'smsc', 1);
  metrics.undelivered('sms', 'DE', 'smsc');
  metrics.confirmed('sms', 'DE', 'smsc', 1);
  metrics.failed('sms', 'DE');
  metrics.breaker('smsc', 'open');
  metrics.queueDepth(1);
  metrics.watchBudgets(async () => [['account per day', 0.8]]);
  metrics.guardDecided('refuse', 'closed:range4');
  metrics.lookedUp('swapped', { reason: 'HTTP 503', at: 1 });
  metrics.webhookTried('sent');
  metrics.watchWebhooks(async () => ({ count: 1, oldest: 1 }));
  metrics.unusable('smsc', 'unreadable', 1);
  metrics.watchDatabase({
    servers: [{ server: 'db1:5432', state: 'left-behind' }],
    countSynchronous: async () => 1,
  });
  metrics.clockOffset(1);
  metrics.certificateUntil(1);
  metrics.answered('/verify', 200, 1);
  const series = new Map([['up', new Set(['job', 'instance'])]]);
  for (const [, name = '', labels = ''] of (await metrics.render()).matchAll(/^(\w+)(\{.*\})? /gm)) {
    const known = series.get(name) ?? new Set(['job', 'instance']);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    series.set(name, known);
  }
  return series;
}

const SERIES = await listSeries();

function assertSelects(expression: string): void {
  const selectors = listSelectors(expression);
  assert.ok(selectors.length > 0, expression);
  for (const { name, labels } of selectors) {
    const known = SERIES.get(name) ?? assert.fail(`no metric is called ${name}: ${expression}`);
    for (const label of labels) assert.ok(known.has(label), `${name} has no label ${label}`);
  }
}

describe('the dashboard', () => {
  const panels = DASHBOARD.panels.filter(({ targets }) => targets !== undefined);

  it('shows metrics that exist', () => {
    assert.ok(panels.length > 10);
    for (const { targets = [] } of panels) for (const { expr } of targets) assertSelects(expr);
    for (const { query } of DASHBOARD.templating.list) {
      const of = /^label_values\((\w+), \w+\)$/.exec(JSON.parse(JSON.stringify(query)).query ?? '')?.[1];
      if (of !== undefined) assertSelects(of);
    }
  });

  it('uses variables that it defines', () => {
    const defined = new Set([
      ...DASHBOARD.templating.list.map(({ name }) => name),
      '__rate_interval',
      '__all',
    ]);
    for (const [, name = ''] of JSON.stringify(DASHBOARD).matchAll(/\$\{?(\w+)/g))
      assert.ok(defined.has(name), name);
  });

  it('has no panel on another', () => {
    const cells = DASHBOARD.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length);
  });
});

describe('the alerts', () => {
  for (const { alert, expr, labels, annotations } of ALERTS) {
    it(`${alert} watches metrics that exist, and its runbook says what to do`, () => {
      assertSelects(expr);
      assert.match(labels.severity, /^(critical|warning)$/);
      assert.ok(annotations.summary.endsWith('.') && annotations.description.endsWith('.'));
      assert.equal(annotations.runbook_url, `docs/operations.md#${alert.toLowerCase()}`);
      const section = RUNBOOK.split(/^#+ /m).find((text) => text.startsWith(`${alert}\n`));
      assert.ok(section !== undefined && section.length > 200, 'the runbook has no section on it');
    });
  }
});
