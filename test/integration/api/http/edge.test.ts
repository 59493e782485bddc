import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Logger } from '@pulsewire/kernel';
import { createApiKey, createTeam, listApiKeys, revokeApiKey } from '@pulsewire/connections';
import { describeApi } from '@pulsewire/service-api';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller, idleIngest } from '../support/harness.ts';

const database = useDatabase();
const lines: { level: string; fields: Record<string, unknown>; event: string }[] = [];
const write = (level: string) => (fields: object, event: string) =>
  void lines.push({ level, fields: fields as Record<string, unknown>, event });
const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error'), child: () => logger };
let harness: ApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { logger });
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

describe('keys', () => {
  it('are stored only as a hash, show their kind in the prefix, and stop working once revoked', async () => {
    expect(caller.key).toMatch(/^pk_[0-9A-Za-z]{40}$/);
    const rows = await database.current.sql<{ text: string }[]>`SELECT k::text AS text FROM api_keys k`;
    expect(rows.some(({ text }) => text.includes(caller.key.slice(3)))).toBe(false);
    const team = await createTeam(database.current, harness.clock, { name: 'Short', isSandbox: true });
    const { key, apiKey } = await createApiKey(database.current, harness.clock, { team, label: 'gone' });
    expect(key).toMatch(/^sk_/);
    const ask = () => harness.bare('GET', '/v2/user', undefined, { 'x-service-api-key': key });
    expect((await ask()).status).toBe(200);
    await revokeApiKey(database.current, harness.clock, team.teamId, apiKey.keyId);
    expect((await ask()).status).toBe(401);
    expect((await listApiKeys(database.current, team.teamId))[0]?.revokedAt).not.toBeNull();
  });

  it('are required before any part of the request is examined', async () => {
    for (const key of [undefined, '', 'pk_wrong', 'x'.repeat(10_000)]) {
      const reply = await harness.bare('POST', '/v2/user', '{broken', key === undefined ? {} : { 'x-service-api-key': key });
      expect([reply.status, typeof reply.body.detail]).toEqual([401, 'string']);
    }
  });
});

describe('the edge', () => {
  it("rejects unknown paths, huge bodies and odd content types in the contract's format", async () => {
    expect([(await caller.call('GET', '/v2/nothing')).status, (await caller.call('GET', '/v2/nothing')).body]).toEqual([
      404,
      { detail: 'Not found' },
    ]);
    const huge = await caller.call('POST', '/v2/user', JSON.stringify({ client_user_id: 'x'.repeat(1_100_000) }));
    expect([huge.status, typeof huge.body.detail]).toEqual([413, 'string']);
    const form = await caller.call('POST', '/v2/user', 'client_user_id=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, form.body.detail[0].type]).toEqual([422, 'model_attributes_type']);
  });

  it('responds with 415 to a malformed content type, without logging a failure', async () => {
    lines.length = 0;
    const garbage = { 'content-type': 'garbage' };
    const created = await caller.call('POST', '/v2/user', '{}', garbage);
    expect([created.status, created.body]).toEqual([415, { detail: expect.any(String) }]);
    expect((await harness.bare('POST', '/v2/push/fitbit', '[]', garbage)).status).toBe(415);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('rejects text that would be altered when stored, naming the field or the body', async () => {
    for (const broken of [String.raw`a\ud800`, String.raw`a\udfffb`, String.raw`a\u0000`]) {
      const reply = await caller.call('POST', '/v2/user', `{"client_user_id":"${broken}"}`);
      expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['body', 'client_user_id']]);
    }
    const payload = Buffer.concat([Buffer.from('{"client_user_id":"a'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { 'content-type': 'application/json', 'x-service-api-key': caller.key };
    const reply = await harness.api.app.inject({ method: 'POST', url: '/v2/user', headers, payload });
    expect([reply.statusCode, reply.json()]).toEqual([422, { detail: [expect.objectContaining({ loc: ['body'], msg: 'Must be UTF-8' })] }]);
  });

  it('rejects a deeply nested body with 422, although the error cannot include it', async () => {
    const levels = 100_000;
    const reply = await caller.call('POST', '/v2/user', `{"client_user_id":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    expect([reply.status, reply.body.detail]).toEqual([
      422,
      [expect.objectContaining({ type: 'json_invalid', msg: 'Must not be nested deeper than 64 levels' })],
    ]);
  });

  it('responds with 404 to paths that the router rejects, without echoing them', async () => {
    for (const segment of ['%E0%A4%A', 'x'.repeat(5000)]) {
      lines.length = 0;
      const reply = await caller.call('GET', `/v2/user/resolve/${segment}`, undefined, { 'x-request-id': 'req.2' });
      expect(lines).toEqual([
        expect.objectContaining({ event: 'request.completed', fields: expect.objectContaining({ status: 404, route: 'unmatched' }) }),
      ]);
      expect([reply.status, reply.body, reply.headers['x-request-id']]).toEqual([404, { detail: 'Not found' }, 'req.2']);
    }
  });

  it('responds with 422 to a time whose offset does not exist', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    const read = await caller.call('GET', `/v2/summary/sleep/${nobody}?start_date=2026-03-14T10:00:00%2B99:99`);
    expect([read.status, read.body.detail[0].loc]).toEqual([422, ['query', 'start_date']]);
    const recover = await caller.call('POST', `/v2/team/webhook/${nobody}/recover`, { since: '2026-03-14T10:00:00+99:99' });
    expect([recover.status, recover.body.detail[0].loc]).toEqual([422, ['body', 'since']]);
  });

  it('hides the cause of an internal failure from the client, and logs it', async () => {
    const broken = await createApiHarness(database.current, {
      logger,
      overrides: {
        ingest: {
          ...idleIngest,
          receivePush: () => Promise.reject(new Error('secret detail')),
        },
      },
    });
    const reply = await broken.bare('POST', '/v2/push/fitbit', '{}');
    expect([reply.status, reply.body]).toEqual([500, { detail: 'Internal server error' }]);
    expect(lines.at(-2)).toMatchObject({ level: 'error', event: 'request.crashed' });
    await broken.close();
  });

  it('names its port and the setting when the port is in use', async () => {
    const first = await createApiHarness(database.current);
    const { port } = await first.api.listen();
    const second = await createApiHarness(database.current, { config: { port } });
    await expect(second.api.listen()).rejects.toMatchObject({
      code: 'port_taken',
      message: `Port ${port} is in use. Set PORT to another one, or to 0 for any free one.`,
    });
    await second.close();
    await first.close();
  });

  it('logs one line per request, with ids and without values', async () => {
    lines.length = 0;
    const reply = await caller.call(
      'POST',
      '/v2/user?secret=query',
      { client_user_id: 'hidden-reference' },
      { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'x-request-id': 'req.1' },
    );
    expect(reply.headers['x-request-id']).toBe('req.1');
    expect(lines).toHaveLength(1);
    const who = {
      teamId: caller.team.teamId,
      keyId: expect.any(String) as string,
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as string,
    };
    expect(lines[0]).toMatchObject({
      event: 'request.completed',
      fields: { method: 'POST', route: '/v2/user', status: 200, requestId: 'req.1', ...who },
    });
    expect(JSON.stringify(lines)).not.toMatch(/hidden-reference|secret=query|pk_/);
  });

  it('logs whose key was refused and from where, for keys that are revoked or bound to other addresses', async () => {
    const team = await createTeam(database.current, harness.clock, { name: 'Refused', isSandbox: true });
    const bound = await createApiKey(database.current, harness.clock, { team, label: 'bound', allowedAddresses: ['203.0.113.0/24'] });
    const revoked = await createApiKey(database.current, harness.clock, { team, label: 'revoked' });
    await revokeApiKey(database.current, harness.clock, team.teamId, revoked.apiKey.keyId);
    lines.length = 0;
    const replies = [];
    for (const key of [bound.key, revoked.key, 'pk_unknown'])
      replies.push(await harness.bare('GET', '/v2/user', undefined, { 'x-service-api-key': key }));
    expect(replies.map(({ status }) => status)).toEqual([403, 401, 401]);
    expect(JSON.stringify(replies.map(({ body }) => body))).not.toContain(team.teamId);
    expect(lines.map(({ fields }) => [fields['teamId'], fields['keyId'], fields['address']])).toEqual([
      [team.teamId, bound.apiKey.keyId, '127.0.0.1'],
      [team.teamId, revoked.apiKey.keyId, '127.0.0.1'],
      [undefined, undefined, '127.0.0.1'],
    ]);
    expect(JSON.stringify(lines)).not.toContain(bound.key);
  });

  it('returns 503 with Retry-After as soon as the drain begins, and completes running requests', async () => {
    const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const receivePush = async () => {
      arrived.resolve();
      await release.promise;
      return { status: 204, body: '' };
    };
    const ingest = { ...idleIngest, receivePush };
    const draining = await createApiHarness(database.current, { overrides: { ingest } });
    const { url } = await draining.api.listen();
    const controller = new AbortController();
    const running = draining.api.worker.run(controller.signal);
    const slow = fetch(`${url}/v2/push/fitbit`, { method: 'POST', body: '{}' });
    await arrived.promise;
    const refused = draining.bare('GET', '/docs');
    controller.abort();
    const late = await draining.bare('GET', '/docs');
    expect([(await refused).status, late.status, late.headers['retry-after']]).toEqual([200, 503, '5']);
    release.resolve();
    expect((await slow).status).toBe(204);
    await running;
    await expect(fetch(`${url}/docs`)).rejects.toThrow();
    await draining.close();
  });
});

describe('the OpenAPI document', () => {
  it('equals the committed document for the registered providers', async () => {
    const committed = await readFile(path.join(import.meta.dirname, '../../../../schemas/openapi/openapi.json'), 'utf8');
    expect(`${JSON.stringify(await describeApi(), null, 2)}\n`).toBe(committed);
  });

  it('is OpenAPI 3.1, lists every operation once, and all its references resolve', async () => {
    const { body, text } = await harness.bare('GET', '/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const operations = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(operations).size).toBe(operations.length);
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
      expect(body.components[kind as string]).toHaveProperty([name as string]);
  });

  it('has a page that loads only our own files, under a CSP without inline scripts', async () => {
    const page = await harness.bare('GET', '/docs');
    expect(page.status).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy.match(/\b(?:https?|data|blob|unsafe-\w+)\b/g)).toEqual(['unsafe-inline', 'data']);
    expect(policy).toContain("style-src 'self' 'unsafe-inline'; img-src 'self' data:");
    const scripts = [...page.text.matchAll(/<script([^>]*)>([^<]*)/g)].map(([, attributes, text]) => [attributes, text]);
    expect(scripts).toEqual([
      [' src="/docs/viewer.js"', ''],
      [' src="/docs/start.js"', ''],
    ]);
    expect(page.text).not.toMatch(/https?:/);
    for (const name of ['viewer.js', 'start.js']) {
      const script = await harness.bare('GET', `/docs/${name}`, undefined, { 'accept-encoding': 'gzip' });
      expect([script.status, script.headers['content-type'], script.headers['content-encoding']]).toEqual([
        200,
        'text/javascript; charset=utf-8',
        'gzip',
      ]);
    }
  });

  it('shows in four languages how to verify a webhook, and its links point to operations', async () => {
    const { body } = await harness.bare('GET', '/openapi.json');
    const tags = body.tags as readonly { readonly name: string; readonly description: string }[];
    const operations = Object.values(body.paths as Record<string, Record<string, { operationId: string; tags: string[] }>>)
      .flatMap((item) => Object.values(item))
      .flatMap((operation) => operation.tags.map((tag) => [tag, operation.operationId]));
    expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(operations.map(([tag]) => tag)));
    const guide = tags.find(({ name }) => name === 'webhooks')?.description ?? '';
    expect([...guide.matchAll(/```(\w+)/g)].map(([, language]) => language)).toEqual(['typescript', 'python', 'go', 'shell']);
    const links = [...guide.matchAll(/\(#tag\/(\w+)\/(\w+)\)/g)].map(([, tag, operation]) => [tag, operation]);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(operations).toContainEqual(link);
  });
});
