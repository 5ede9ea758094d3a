/** What is loaded before what: a start is as long as what has to wait for something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesLoadedBy } from '../loaded.ts';

test('what opens the store and the certificate is loaded before the rest of the service, so that both are under way meanwhile', () => {
  const loaded = filesLoadedBy('src/cli/serve.ts');
  assert.ok(loaded.includes('src/store/open.ts') && loaded.includes('src/http/connection/tls.ts'));
  assert.deepEqual(
    loaded.filter((path) => /^src\/(assembly\.ts|delivery|guard|http\/routes|portal)/.test(path)),
    [],
  );
});
