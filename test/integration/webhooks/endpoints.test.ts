import { describe, expect, it } from 'vitest';
import { createManualClock, uuidv7 } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { createAddressGuard } from '@pulsewire/outbound';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  getHeaders,
  getSecret,
  listAttempts,
  listEndpoints,
  putHeaders,
  recoverSince,
  rotateSecret,
  updateEndpoint,
  type EndpointContext,
} from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase();
const start = new Date('2026-01-04T10:00:00.123Z');

function harness(): { context: EndpointContext; teamId: string; clock: ReturnType<typeof createManualClock> } {
  const clock = createManualClock(start);
  const context = { database: file.current, cipher: createCipher(new Map([[1, Buffer.alloc(32, 3)]])), clock, guard: createAddressGuard() };
  return { context, teamId: uuidv7(), clock };
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: { code: string }) => error.code,
  );
const version = async (): Promise<number> =>
  Number((await file.current.sql<{ version: string }[]>`SELECT version FROM webhook_config`)[0]?.version);

async function insertAttempts(
  endpointId: string,
  rows: readonly { eventId: string; at: Date; outcome: number; attempt?: number }[],
): Promise<void> {
  for (const [offset, { eventId, at, outcome, attempt = 1 }] of rows.entries()) {
    const iso = at.toISOString();
    await file.current.sql`
      INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, status, duration_ms, error, event_type)
      VALUES (${iso.slice(0, 10)}, ${endpointId}, ${iso}, ${eventId}, 1, ${offset}, ${iso.slice(0, 10)}, ${attempt}, ${outcome}, 500, 12, null, 'daily.data.sleep.created')`;
  }
}

describe('endpoints', () => {
  it('are created with the defaults of the contract and read back', async () => {
    const { context, teamId } = harness();
    const made = await createEndpoint(context, teamId, { url: 'https://example.org/hook?x=1' });
    expect(made).toEqual({
      id: made.id,
      description: '',
      rate_limit: null,
      url: 'https://example.org/hook?x=1',
      disabled: false,
      filter_types: null,
      created_at: '2026-01-04T10:00:00.123+00:00',
      updated_at: '2026-01-04T10:00:00.123+00:00',
      ordering: 'none',
      skip_superseded: false,
      schedule: null,
      signature: 'v1',
      svix_headers: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    });
    expect(await getEndpoint(context, teamId, made.id)).toEqual(made);
    expect((await getSecret(context, teamId, made.id)).key).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });

  it('store secrets and header values encrypted', async () => {
    const { context, teamId } = harness();
    const { id } = await createEndpoint(context, teamId, { url: 'https://example.org' });
    await putHeaders(context, teamId, id, { headers: { authorization: 'Bearer top-secret' } });
    const { key } = await getSecret(context, teamId, id);
    const [row] = await file.current
      .sql`SELECT encode(secret, 'escape') AS secret, encode(headers, 'escape') AS headers FROM webhook_endpoints WHERE endpoint_id = ${id}`;
    expect(JSON.stringify(row)).not.toContain('top-secret');
    expect(JSON.stringify(row)).not.toContain(key.slice(6, 20));
  });

  it.each([
    ['ftp://example.org', 'endpoint_url_refused'],
    ['https://user:pass@example.org', 'endpoint_url_refused'],
    ['http://169.254.169.254/latest', 'endpoint_url_refused'],
    ['http://[::ffff:10.0.0.1]/', 'endpoint_url_refused'],
    ['http://2130706433/', 'endpoint_url_refused'],
    ['https://example.org:25', 'endpoint_url_refused'],
    ['not a url', 'endpoint_url_refused'],
  ])('reject the URL %s', async (url, code) => {
    const { context, teamId } = harness();
    expect(await codeOf(createEndpoint(context, teamId, { url }))).toBe(code);
  });

  it('reject unknown event types and malformed secrets', async () => {
    const { context, teamId } = harness();
    const url = 'https://example.org';
    expect(await codeOf(createEndpoint(context, teamId, { url, filter_types: ['daily.data.sleep.craeted'] }))).toBe('event_type_unknown');
    expect(await codeOf(createEndpoint(context, teamId, { url, secret: 'whsec_c2hvcnQ=' }))).toBe('secret_invalid');
    expect(
      await codeOf(
        createEndpoint(context, teamId, { url, filter_types: ['message.attempt.exhausted', 'daily.timeseries.hypnogram.created'] }),
      ),
    ).toBe('none');
  });

  it('change only the fields that a patch names', async () => {
    const { context, teamId, clock } = harness();
    const made = await createEndpoint(context, teamId, {
      url: 'https://example.org',
      description: 'first',
      rate_limit: 5,
      filter_types: ['daily.data.sleep.created'],
    });
    clock.advance(60_000);
    const changed = await updateEndpoint(context, teamId, made.id, { rate_limit: null, disabled: true });
    const updated = '2026-01-04T10:01:00.123+00:00';
    const disabling = { disabled: true, disabled_reason: 'requested', disabled_at: updated, recovery: null };
    expect(changed).toEqual({ ...made, ...disabling, rate_limit: null, updated_at: updated });
    expect(await updateEndpoint(context, teamId, made.id, { filter_types: [] })).toMatchObject({
      filter_types: null,
      description: 'first',
    });
  });

  it('raise the routing version with every change that affects deliveries', async () => {
    const { context, teamId } = harness();
    const url = 'https://example.org';
    const seen = [await version()];
    const { id } = await createEndpoint(context, teamId, { url });
    seen.push(await version());
    await rotateSecret(context, teamId, id);
    seen.push(await version());
    await putHeaders(context, teamId, id, { headers: { 'x-a': 'b' } });
    seen.push(await version());
    await deleteEndpoint(context, teamId, id);
    seen.push(await version());
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(new Set(seen).size).toBe(5);
  });

  it('of another team are unknown to every function', async () => {
    const { context, teamId } = harness();
    const { id } = await createEndpoint(context, teamId, { url: 'https://example.org' });
    const other = uuidv7();
    const calls = (endpointId: string, team: string) => [
      getEndpoint(context, team, endpointId),
      updateEndpoint(context, team, endpointId, { disabled: true }),
      getHeaders(context, team, endpointId),
      putHeaders(context, team, endpointId, { headers: {} }),
      getSecret(context, team, endpointId),
      rotateSecret(context, team, endpointId),
      listAttempts(context, team, endpointId, { limit: 10 }),
      recoverSince(context, team, endpointId, start),
      deleteEndpoint(context, team, endpointId),
    ];
    for (const [endpointId, team] of [
      [id, other],
      [uuidv7(), teamId],
      ['not-a-uuid', teamId],
    ] as const) {
      expect(await Promise.all(calls(endpointId, team).map(codeOf))).toEqual(Array.from({ length: 9 }, () => 'endpoint_not_found'));
    }
    expect(await listEndpoints(context, other, { limit: 10 })).toEqual({ data: [], next_cursor: null });
    expect(await getEndpoint(context, teamId, id)).toMatchObject({ disabled: false });
  });

  it('are listed once each over all pages', async () => {
    const { context, teamId, clock } = harness();
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      made.push((await createEndpoint(context, teamId, { url: `https://example.org/${i}` })).id);
      if (i % 2 === 0) clock.advance(1000);
    }
    const listed: string[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; cursor !== null; pages++) {
      const page = await listEndpoints(context, teamId, { limit: 2, ...(cursor === undefined ? {} : { next_cursor: cursor }) });
      listed.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
      expect(pages).toBeLessThan(4);
    }
    expect(listed).toHaveLength(5);
    expect(new Set(listed)).toEqual(new Set(made));
    expect(await codeOf(listEndpoints(context, teamId, { limit: 2, next_cursor: 'nonsense' }))).toBe('cursor_invalid');
  });
});

describe('headers of an endpoint', () => {
  it('hide sensitive values and keep them when written back', async () => {
    const { context, teamId } = harness();
    const { id } = await createEndpoint(context, teamId, { url: 'https://example.org' });
    await putHeaders(context, teamId, id, {
      headers: { 'x-plain': 'a', 'x-hidden': 'b', authorization: 'Bearer c' },
      sensitive: ['X-Hidden'],
    });
    const read = await getHeaders(context, teamId, id);
    expect(read).toEqual({ headers: { 'x-plain': 'a' }, sensitive: ['x-hidden', 'authorization'] });
    await putHeaders(context, teamId, id, { headers: { 'x-plain': 'changed' }, sensitive: read.sensitive });
    expect(await getHeaders(context, teamId, id)).toEqual({ headers: { 'x-plain': 'changed' }, sensitive: ['x-hidden', 'authorization'] });
    await putHeaders(context, teamId, id, { headers: {} });
    expect(await getHeaders(context, teamId, id)).toEqual({ headers: {}, sensitive: [] });
  });

  it.each([
    { 'webhook-id': 'x' },
    { Host: 'x' },
    { 'svix-signature': 'x' },
    { 'content-length': '1' },
    { 'x y': 'z' },
    { 'x-a': 'b\r\nx-c: d' },
    { 'X-A': '1', 'x-a': '2' },
  ])('the headers of an endpoint cannot be %j', async (headers) => {
    const { context, teamId } = harness();
    const { id } = await createEndpoint(context, teamId, { url: 'https://example.org' });
    expect(await codeOf(putHeaders(context, teamId, id, { headers }))).toBe('header_refused');
  });
});

describe('attempts of an endpoint', () => {
  it('are listed newest first, by status, page by page', async () => {
    const { context, teamId } = harness();
    const { id } = await createEndpoint(context, teamId, { url: 'https://example.org' });
    const ids = Array.from({ length: 6 }, () => uuidv7());
    await insertAttempts(
      id,
      ids.map((eventId, i) => ({ eventId, at: new Date(start.getTime() + i * 1000), outcome: i % 2 === 0 ? 1 : 2 })),
    );
    await file.current.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at) VALUES (${id}, ${ids[5] ?? ''}, 1, 5, '2026-01-04', 1, '2026-01-04T12:00:00Z')`;
    const first = await listAttempts(context, teamId, id, { limit: 4 });
    expect(first.data[0]).toEqual({
      message_id: expect.stringMatching(/^msg_[0-9A-Za-z]{27}$/),
      event_id: ids[5],
      event_type: 'daily.data.sleep.created',
      attempt: 1,
      status: 'failed',
      response_status: 500,
      error: null,
      duration_ms: 12,
      attempted_at: '2026-01-04T10:00:05.123+00:00',
      next_attempt_at: '2026-01-04T12:00:00+00:00',
    });
    const second = await listAttempts(context, teamId, id, { limit: 4, next_cursor: first.next_cursor ?? '' });
    expect([...first.data, ...second.data].map((one) => one.event_id)).toEqual(ids.toReversed());
    expect(second.next_cursor).toBeNull();
    expect((await listAttempts(context, teamId, id, { limit: 10, status: 'failed' })).data.map((one) => one.event_id)).toEqual([
      ids[5],
      ids[3],
      ids[1],
    ]);
    expect(await codeOf(listAttempts(context, teamId, id, { limit: 4, status: 'failed', next_cursor: first.next_cursor ?? '' }))).toBe(
      'cursor_invalid',
    );
  });
});
