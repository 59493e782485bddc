import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
const nobody = '00000000-0000-4000-8000-000000000000';
let harness: ApiHarness;
let caller: Caller;
let address: URL;
let endpointId: string;
let userId: string;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  caller = await harness.newCaller();
  address = new URL((await harness.api.listen()).url);
  endpointId = (await caller.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' })).body.id;
  userId = (await caller.call('POST', '/v2/user', { client_user_id: 'someone' })).body.user_id;
});
afterAll(() => harness.close());

/** Sends the text over a new connection and returns everything received. */
async function exchange(text: string): Promise<{ status: number; head: string; body: unknown }> {
  const socket = connect(Number(address.port), address.hostname).setEncoding('utf8');
  let response = '';
  socket.on('data', (chunk: string) => (response += chunk)).on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  const [head = '', body = ''] = response.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: body === '' ? null : JSON.parse(body) };
}

const request = (line: string, headers = '') => `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;

describe('a client error', () => {
  it.each(['QUERY', 'PROPFIND', 'TRACE', 'DELETE', 'HEAD'])(
    'in the method %s is a 405 with Allow on a known path, a 404 elsewhere',
    async (method) => {
      const known = await exchange(request(`${method} /v2/providers`));
      expect([known.status, known.head]).toEqual([405, expect.stringContaining('\r\nallow: get\r\n')]);
      expect((await exchange(request(`${method} /v2/nothing`))).status).toBe(404);
      expect((await exchange(request(`${method} /v2/team/webhook/${nobody}`))).head).toContain(
        method === 'DELETE' ? ' 401 ' : 'allow: delete, get, patch\r\n',
      );
    },
  );

  it.each([
    ['DELETE', `/v2/user/providers/${nobody}`, 'GET'],
    ['PATCH', '/v2/user/metrics', 'GET'],
    ['DELETE', '/v2/user/undo_delete/', 'POST'],
    ['DELETE', `/v2/user/${nobody}/sign_in_token?a=b`, 'POST'],
    ['GET', '/v2/link/connect/demo', 'POST'],
    ['OPTIONS', '/v2/user/metrics', 'GET'],
  ] as const)('in the method is a 405 that allows only the methods of the literal path: %s %s', async (method, path, allow) => {
    const { head } = await exchange(request(`${method} ${path}`, `x-service-api-key: ${caller.key}\r\n`));
    expect(head).toContain(' 405 ');
    expect(head).toContain(`\r\nallow: ${allow.toLowerCase()}\r\n`);
  });

  it('at the protocol level has the same body format as every other error', async () => {
    const detail = { detail: expect.any(String) };
    const large = await exchange(request('GET /v2/user', `x-large: ${'x'.repeat(40_000)}\r\n`));
    expect([large.status, large.body]).toEqual([431, detail]);
    const unread = await exchange('NONSENSE\r\n\r\n');
    expect([unread.status, unread.body]).toEqual([400, detail]);
    const hostless = await exchange('GET /v2/user HTTP/1.1\r\n\r\n');
    expect([hostless.status, hostless.body]).toEqual([400, detail]);
    const twoHosts = await exchange(request('GET /v2/user', 'Host: other\r\n'));
    expect([twoHosts.status, twoHosts.body]).toEqual([400, { detail: 'The request has more than one Host header' }]);
    const expecting = await exchange(request('POST /v2/user', 'Expect: 200-ok\r\nContent-Length: 2\r\n'));
    expect([expecting.status, expecting.body]).toEqual([417, detail]);
  });

  it.each([2_147_483_648, 100_001, 1e15])('rejects the rate limit %d of an endpoint', async (limit) => {
    for (const [method, url] of [
      ['POST', '/v2/team/webhook'],
      ['PATCH', `/v2/team/webhook/${endpointId}`],
    ] as const) {
      const reply = await caller.call(method, url, { url: 'https://receiver.test/hook', rate_limit: limit });
      expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['body', 'rate_limit']]);
    }
  });

  it.each([47.08, 5.000_000_1, 59.999])('accepts a refresh with the timeout %d', async (timeout) => {
    expect((await caller.call('POST', `/v2/user/refresh/${userId}?timeout=${timeout}`)).status).toBeLessThan(500);
  });

  it('accepts or rejects (422) any calendar instant as a bound', async () => {
    for (const instant of [
      '0001-01-01',
      '0001-01-01T00:00:00Z',
      '0050-06-01T00:00:00Z',
      '1950-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
    ]) {
      const at = encodeURIComponent(instant);
      for (const url of [
        `/v2/team/message?since=${at}`,
        `/v2/team/message?until=${at}`,
        `/v2/team/events?since=${at}`,
        `/v2/team/webhook/${endpointId}/attempt?since=${at}`,
        `/v2/team/webhook/${endpointId}/attempt?until=${at}`,
        `/v2/summary/sleep/${userId}?start_date=${at}&end_date=${at}`,
        `/v2/summary/sleep/${userId}?start_date=0001-01-01&end_date=${at}`,
        `/v2/timeseries/${userId}/heartrate/grouped?start_date=${at}&end_date=${at}`,
      ])
        expect([url, (await caller.call('GET', url)).status]).toEqual([
          url,
          expect.toSatisfy((status) => status === 200 || status === 422),
        ]);
      for (const [path, body] of [
        ['replay', { since: instant, dry_run: true }],
        ['replay', { since: '2026-01-01T00:00:00Z', until: instant, dry_run: true }],
        ['recover', { since: instant }],
      ] as const) {
        const { status } = await caller.call('POST', `/v2/team/webhook/${endpointId}/${path}`, body);
        expect([path, body, status]).toEqual([path, body, expect.toSatisfy((one) => one < 500)]);
      }
      const key = { label: 'x', expires_at: instant };
      expect((await caller.call('POST', '/v2/team/api_key', key)).status).toBeLessThan(500);
      const user = { client_user_id: instant, fallback_birth_date: '0001-01-01', ingestion_start: '0001-01-01' };
      expect((await caller.call('POST', '/v2/user', user)).status).toBeLessThan(500);
    }
  });

  it('rejects a forged cursor on every list, even one in our format', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      'x',
      '%00',
      '0',
      '🙂',
      'a.b',
      'zzzzzzzzz.x',
      encode(null),
      encode([]),
      encode({ s: 'x' }),
      encode({ after: ['x'] }),
    ].map((cursor) => (cursor.startsWith('%') ? cursor : encodeURIComponent(cursor)));
    for (const cursor of forged)
      for (const url of [
        `/v2/team/message?next_cursor=${cursor}`,
        `/v2/team/events?next_cursor=${cursor}`,
        `/v2/team/webhook?next_cursor=${cursor}`,
        `/v2/team/webhook/${endpointId}/attempt?next_cursor=${cursor}`,
        `/v2/team/webhook/${endpointId}/replay?next_cursor=${cursor}`,
        `/v2/link/bulk_op?next_cursor=${cursor}`,
        `/v2/timeseries/${userId}/heartrate/grouped?start_date=2026-01-01&next_cursor=${cursor}`,
      ])
        expect([url, (await caller.call('GET', url)).status]).toEqual([url, 422]);
  });

  it('for a wrong Content-Length matches the document, even if an operation has its own 400', async () => {
    for (const path of ['/v2/link/provider/password/whoop/complete_mfa', '/v2/user', `/v2/user/undo_delete?user_id=${nobody}`]) {
      // The harness validates the response against the document.
      const reply = await caller.call('POST', path, { mfa_code: '0' }, { 'content-length': '7' });
      expect([reply.status, reply.body]).toEqual([400, { detail: 'The body does not match its Content-Length' }]);
    }
  });

  it('rejects a bulk operations cursor with a day that does not exist', async () => {
    const filtered = JSON.stringify({ list: 'bulk_op', teamId: caller.team.teamId });
    const filter = createHash('sha256').update(filtered).digest('base64url').slice(0, 12);
    const cursor = Buffer.from(JSON.stringify({ after: ['2026-99-99T99:99:99.999Z', nobody], filter })).toString('base64url');
    expect((await caller.call('GET', `/v2/link/bulk_op?next_cursor=${cursor}`)).status).toBe(422);
  });

  it('rejects text that cannot be stored in any part of a request', async () => {
    for (const text of ['%00', 'a%00b', '%FF', '%ED%A0%80', '%C3']) {
      for (const path of [`/v2/user/resolve/${text}`, `/v2/user/${text}`, `/v2/team/message/${text}`])
        expect([path, (await caller.call('GET', path)).status]).toEqual([path, expect.toSatisfy((one) => one === 404 || one === 422)]);
      for (const query of [`client_user_id=${text}`, `offset=${text}`, `limit=1&x=${text}`]) {
        const { status } = await caller.call('GET', `/v2/user?${query}`);
        expect([query, status]).toEqual([query, expect.toSatisfy((one) => one === 422 || (one === 200 && text.includes('%00')))]);
      }
      expect((await caller.call('GET', `/v2/team/users/search?query_id=${text}`)).status).toBe(422);
    }
    for (const broken of ['\u0080', 'ÿ', '\u00C3'])
      expect((await exchange(request('GET /v2/user', `x-service-api-key: ${broken}\r\n`))).status).toBe(401);
  });
});

describe('the OpenAPI document and the docs page', () => {
  it('mark a body as optional where none of its fields is required', async () => {
    const { body } = await harness.bare('GET', '/openapi.json');
    const isRequired = (path: string, method: string) => body.paths[path][method].requestBody.required;
    const webhook = '/v2/team/webhook/{webhook_id}';
    expect([isRequired(webhook, 'patch'), isRequired(`${webhook}/secret/rotate`, 'post')]).toEqual([false, false]);
    expect([isRequired('/v2/team/webhook', 'post'), isRequired('/v2/user/{user_id}', 'patch')]).toEqual([true, true]);
    expect((await caller.call('PATCH', `/v2/team/webhook/${endpointId}`)).status).toBe(200);
    expect((await caller.call('PATCH', `/v2/user/${userId}`)).status).toBe(400);
  });

  it('are built once, carry an ETag, and respond with 304 to a client that has them', async () => {
    for (const url of ['/openapi.json', '/docs']) {
      const first = await harness.bare('GET', url);
      const etag = String(first.headers['etag']);
      expect(first.status).toBe(200);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await harness.bare('GET', url, undefined, { 'if-none-match': known });
        expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
      }
      expect((await harness.bare('GET', url, undefined, { 'if-none-match': '"other"' })).status).toBe(200);
    }
  });
});
