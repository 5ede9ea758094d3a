/** What agents are told is what the service does. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, type TestContext, test } from 'node:test';
import { lexer } from 'marked';
import { parse } from 'yaml';
import { CHANNEL_NAMES, CHANNELS } from '../../core/destination/channel.ts';
import { FIELD_ERROR_CODES } from '../../core/errors/field-error.ts';
import { MAGIC_DESTINATIONS } from '../../core/verification/magic.ts';
import { createFixture } from '../fixture.ts';
import type { OpenApiDocument } from '../openapi.ts';

const SKILL = new URL('../../../docs/skills/countersign/SKILL.md', import.meta.url);

async function open(t: TestContext) {
  const { app } = await createFixture(t);
  const document: OpenApiDocument = (await app.inject('/openapi.json')).json();
  return { app, document, text: (await app.inject('/docs/llms.txt')).body };
}

suite('what agents read', () => {
  test('is one file: a skill by its front matter, and without it what is served', async (t) => {
    const { text } = await open(t);
    const skill = await readFile(SKILL, 'utf8');
    const [, front = '', body] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(skill) ?? [];
    assert.equal(body, text);
    const { name, description, compatibility, ...rest } = parse(front);
    // It must be that of its folder.
    assert.equal(name, 'countersign');
    assert.ok(description.length > 100 && description.length <= 1_024);
    assert.ok(compatibility.length <= 500);
    assert.deepEqual(rest, { license: 'Apache-2.0' });
    assert.ok(skill.split('\n').length < 500);
  });

  test('has the form of llms.txt: a title, a summary, and lists of links below its headings', async (t) => {
    const { text } = await open(t);
    const tokens = lexer(text).filter(({ type }) => type !== 'space');
    assert.deepEqual(
      tokens.slice(0, 2).map(({ type }) => type),
      ['heading', 'blockquote'],
    );
    const sections = tokens.flatMap((token, index) => (token.type === 'heading' ? [{ token, index }] : []));
    assert.deepEqual(
      sections.map(({ token }) => [token.depth, token.text]),
      [
        [1, 'Countersign'],
        [2, 'Contract'],
        [2, 'Guides'],
        [2, 'Optional'],
      ],
    );
    for (const { index } of sections.slice(1)) assert.equal(tokens[index + 1]?.type, 'list');
  });

  test('every link leads to something', async (t) => {
    const { app, text } = await open(t);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 15);
    for (const link of links) {
      const { statusCode, headers } = await app.inject(link);
      assert.equal(statusCode, 200, link);
      assert.match(String(headers['content-type']), /^(text\/markdown|application\/json)/, link);
    }
  });

  test('names only operations that are there, and those that applications use', async (t) => {
    const { document, text } = await open(t);
    const used = [...text.matchAll(/`(GET|POST) (\/[a-z/{}]+)`/g)].map(
      ([, method = '', path = '']) => `${method.toLowerCase()} ${path}`,
    );
    const called = [...text.matchAll(/curl -sS "\$COUNTERSIGN_URL(\/[a-z/]+)[?"]([\s\S]*?)```/g)].map(
      ([, path = '', rest = '']) => `${rest.includes(' -d ') ? 'post' : 'get'} ${path}`,
    );
    const there = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { tags = [] }]) => ({ name: `${method} ${path}`, tags })),
    );
    const names = there.map(({ name }) => name);
    for (const name of [...used, ...called]) assert.ok(names.includes(name), name);
    const wanted = there.filter(({ tags }) => tags.some((tag) => tag !== 'operation'));
    for (const { name } of wanted) assert.ok([...used, ...called].includes(name), name);
  });

  test('the bodies of its commands are what the document asks for', async (t) => {
    const { document, text } = await open(t);
    const bodies = [...text.matchAll(/"\$COUNTERSIGN_URL(\/[a-z]+)"[\s\S]*?-d '([^']+)'/g)];
    assert.equal(bodies.length, 2);
    for (const [, path = '', body = ''] of bodies) {
      const schema = document.paths[path]?.post?.requestBody?.content['application/json']?.schema;
      const given: Record<string, unknown> = JSON.parse(body);
      for (const name of Object.keys(given)) assert.ok(schema?.properties?.[name], `${path}: ${name}`);
      for (const name of schema?.required ?? []) assert.ok(name in given, `${path}: ${name}`);
    }
    const { properties = {} } =
      document.paths['/verifications/{id}/feedback']?.post?.requestBody?.content['application/json']
        ?.schema ?? {};
    const verdicts = [...text.matchAll(/(\{"verdict":[^}]+\})/g)].map(
      ([, said = '']) => JSON.parse(said).verdict,
    );
    assert.deepEqual(verdicts, properties.verdict?.enum);
  });

  test('names every channel, by its value and, where somebody looks for it, by its name', async (t) => {
    const { text } = await open(t);
    const [, description = ''] = /^description: (.*)$/m.exec(await readFile(SKILL, 'utf8')) ?? [];
    for (const channel of CHANNEL_NAMES) {
      assert.match(text, new RegExp(`\`${channel}\``));
      assert.ok(description.includes(CHANNELS[channel].label), channel);
    }
  });

  test('names every refusal of the operations of applications with its status, and no other', async (t) => {
    const { document, text } = await open(t);
    const told = new Map<string, string>();
    for (const [, names = '', status = ''] of text.matchAll(/((?:`[a-z-]+`(?:, )?)+) \((4\d\d|503)\)/g))
      for (const [, name = ''] of names.matchAll(/`([a-z-]+)`/g)) told.set(name, status);
    const expected = new Map<string, string>();
    for (const operations of Object.values(document.paths)) {
      for (const { tags = [], responses } of Object.values(operations)) {
        if (!tags.includes('verification')) continue;
        for (const [status, { content }] of Object.entries(responses))
          for (const name of Object.keys(content?.['application/problem+json']?.examples ?? {}))
            expected.set(name, status);
      }
    }
    // Of a request that is no HTTP, and of a bug: nobody can prepare for them.
    for (const name of ['malformed-http', 'internal']) expected.delete(name);
    assert.deepEqual(new Map([...told].sort()), new Map([...expected].sort()));
    for (const [, code = ''] of text.matchAll(/`([a-z\d]+(?:_[a-z\d]+)+)`/g))
      assert.ok(
        code in FIELD_ERROR_CODES || text.includes(`"${code}"`) || code === 'attempts_remaining',
        code,
      );
  });

  test('knows the numbers with fixed outcomes', async (t) => {
    const { text } = await open(t);
    const told = [...text.matchAll(/`(\+1500555\d{4})`/g)].map(([, number]) => number);
    assert.deepEqual(told, [...MAGIC_DESTINATIONS.keys()]);
  });
});
