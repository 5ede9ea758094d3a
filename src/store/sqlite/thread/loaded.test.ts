import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesLoadedBy } from '../../../../test/loaded.ts';

for (const thread of ['worker', 'reader']) {
  test(`the ${thread}’s thread loads no package: each start and each command would wait for it`, () => {
    const loaded = filesLoadedBy(`src/store/sqlite/thread/${thread}.ts`);
    assert.ok(loaded.includes('src/store/sqlite/thread/batch.ts'));
    assert.deepEqual(
      loaded.filter((file) => file.startsWith('node_modules/')),
      [],
    );
  });
}
