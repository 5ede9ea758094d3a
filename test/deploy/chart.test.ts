import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Check, Errors } from 'typebox/schema';
import { parse, parseAllDocuments } from 'yaml';
import { loadText } from '../../src/config/fixture.ts';
import { readValues, renderChart } from './chart-renderer.ts';
import { ROOT, readProjectFile, VARIABLES } from './project.ts';

const FOLDER = 'deploy/helm/countersign';
const CHART = parse(readProjectFile(`${FOLDER}/Chart.yaml`));
const SCHEMA = JSON.parse(readProjectFile(`${FOLDER}/values.schema.json`));

/** The manifests by kind, as Kubernetes reads them: YAML 1.1. */
function render(own: Record<string, unknown>) {
  const values = readValues(join(ROOT, FOLDER), own);
  const [, errors] = Errors(SCHEMA, values);
  assert.deepEqual(errors, []);
  const files = renderChart(join(ROOT, FOLDER), {
    Values: values,
    Chart: { AppVersion: CHART.appVersion },
    Release: { Name: 'verify', Namespace: 'identity', Service: 'Helm' },
  });
  const documents = [...files]
    .filter(([file]) => file.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text, { version: '1.1' }))
    .filter((document) => document.contents !== null);
  for (const { errors } of documents) assert.deepEqual(errors, []);
  const manifests = new Map(documents.map((document) => [document.get('kind'), document.toJS()]));
  const manifest = (kind: string) => manifests.get(kind) ?? assert.fail(`no ${kind}`);
  const pod = manifest('Deployment').spec.template.spec;
  return { manifest, kinds: [...manifests.keys()].sort(), notes: files.get('NOTES.txt') ?? '', pod };
}

const TLS = { secretName: 'keys', tlsSecretName: 'certificate' };
const PROXIED = { secretName: 'keys', config: { trustProxy: ['10.0.0.0/8'] } };

describe('the chart', () => {
  it('has the version of the project', () => {
    const { version } = JSON.parse(readProjectFile('package.json'));
    assert.equal(CHART.appVersion, version);
  });

  it('makes a deployment, its service, configuration and disruption budget', () => {
    const { kinds, manifest, pod } = render(TLS);
    assert.deepEqual(kinds, ['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service']);
    const { template, selector, replicas } = manifest('Deployment').spec;
    assert.equal(replicas, 2);
    assert.equal(pod.containers[0].image, `countersign:${CHART.appVersion}`);
    for (const [key, value] of Object.entries(selector.matchLabels)) {
      assert.equal(template.metadata.labels[key], value);
    }
    assert.deepEqual(manifest('Service').spec.selector, selector.matchLabels);
    assert.deepEqual(manifest('PodDisruptionBudget').spec.selector, selector);
    for (const { labelSelector } of pod.topologySpreadConstraints) assert.deepEqual(labelSelector, selector);
    const [{ name: port }] = pod.containers[0].ports;
    assert.equal(manifest('Service').spec.ports[0].targetPort, port);
  });

  it('hands its configuration over as the service reads it', () => {
    const config = {
      messages: { brand: 'Acme' },
      routes: [{ channel: 'sms', prefixes: ['+4915'], carriers: ['simulator'] }],
    };
    const { manifest } = render({ ...TLS, config });
    const loaded = loadText(manifest('ConfigMap').data['countersign.yaml']);
    assert.equal(loaded.messages.brand, 'Acme');
    assert.deepEqual(loaded.routes[0]?.prefixes, ['+4915']);
  });

  it('rolls the pods when the configuration changes', () => {
    const checksum = (config: object) =>
      render({ ...TLS, config }).manifest('Deployment').spec.template.metadata.annotations['checksum/config'];
    assert.equal(checksum({ code: { length: 6 } }), checksum({ code: { length: 6 } }));
    assert.notEqual(checksum({ code: { length: 6 } }), checksum({ code: { length: 7 } }));
  });

  it('sets only variables that the service or glibc knows, each file of them mounted', () => {
    for (const values of [TLS, PROXIED]) {
      const { pod } = render(values);
      const [{ env, volumeMounts }] = pod.containers;
      const foreign = env.filter(({ name }: { name: string }) => !VARIABLES.has(name));
      assert.deepEqual(foreign, [{ name: 'MALLOC_ARENA_MAX', value: '1' }]);
      for (const { name, value } of env) {
        const mounted = volumeMounts.some(({ mountPath }: { mountPath: string }) =>
          value.startsWith(`${mountPath}/`),
        );
        assert.equal(mounted, value.startsWith('/'), name);
      }
      const volumes = pod.volumes.map(({ name }: { name: string }) => name);
      assert.deepEqual(
        volumeMounts.map(({ name }: { name: string }) => name),
        volumes,
      );
      for (const { secret } of pod.volumes) assert.equal(secret?.defaultMode ?? 0o440, 0o440);
    }
  });

  it('probes in clear only where a proxy ends TLS', () => {
    const schemes = (values: object) => {
      const [{ startupProbe, livenessProbe, readinessProbe }] = render({ ...values }).pod.containers;
      return [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.scheme);
    };
    assert.deepEqual(schemes(TLS), ['HTTPS', 'HTTPS', 'HTTPS']);
    assert.deepEqual(schemes(PROXIED), ['HTTP', 'HTTP', 'HTTP']);
  });

  it('runs without root, capabilities or a writable root', () => {
    const { pod } = render(TLS);
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.equal(pod.automountServiceAccountToken, false);
    assert.deepEqual(pod.containers[0].securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('leaves the number of pods to the autoscaler where there is one', () => {
    const { manifest } = render({ ...TLS, autoscaling: { enabled: true } });
    assert.equal('replicas' in manifest('Deployment').spec, false);
    const { scaleTargetRef, minReplicas, metrics } = manifest('HorizontalPodAutoscaler').spec;
    assert.equal(scaleTargetRef.name, manifest('Deployment').metadata.name);
    assert.equal(minReplicas, 2);
    assert.equal(metrics[0].resource.target.averageUtilization, 70);
  });

  it('lets only those in who are named', () => {
    const from = [{ podSelector: { matchLabels: { app: 'prometheus' } } }];
    const { manifest } = render({ ...TLS, allowFrom: from });
    assert.deepEqual(manifest('NetworkPolicy').spec.ingress, [{ ports: [{ port: 'service' }], from }]);
  });

  it('takes everything else that its values offer', () => {
    const { manifest, pod } = render({
      ...TLS,
      image: { repository: 'registry.example.com/countersign', tag: 'abc' },
      imagePullSecrets: [{ name: 'pull' }],
      service: { type: 'LoadBalancer', annotations: { a: 'b' } },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'a', operator: 'Exists' }],
    });
    assert.equal(pod.containers[0].image, 'registry.example.com/countersign:abc');
    assert.deepEqual(pod.imagePullSecrets, [{ name: 'pull' }]);
    assert.deepEqual(pod.nodeSelector, { disk: 'ssd' });
    assert.deepEqual(pod.tolerations, [{ key: 'a', operator: 'Exists' }]);
    assert.deepEqual(manifest('Service').metadata.annotations, { a: 'b' });
    const { type, externalTrafficPolicy } = manifest('Service').spec;
    assert.deepEqual(
      [type, externalTrafficPolicy],
      ['LoadBalancer', 'Local'],
      'clients keep their addresses',
    );
  });

  it('refuses values that are incomplete, contradict each other, or do not exist', () => {
    assert.throws(() => render({}), /^Error: secretName: name the Secret/);
    assert.throws(() => render({ secretName: 'keys' }), /^Error: tlsSecretName: name the Secret/);
    assert.throws(() => render({ ...PROXIED, ...TLS }), /exclude each other/);
    assert.ok(!Check(SCHEMA, readValues(join(ROOT, FOLDER), { replica: 3 })));
    assert.ok(!Check(SCHEMA, readValues(join(ROOT, FOLDER), { image: { repository: '' } })));
  });

  it('says in the notes when nothing would reach a telephone', () => {
    assert.match(render(TLS).notes, /nothing reaches a telephone yet/);
    const routes = [{ channel: 'sms', carriers: ['simulator'] }];
    assert.doesNotMatch(render({ ...TLS, config: { routes } }).notes, /telephone/);
  });
});
