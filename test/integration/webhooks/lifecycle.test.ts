import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, uuidv7 } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { createEndpoint, deleteEndpoint, updateEndpoint, watchEndpoints, type EndpointContext } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase();
const start = Date.parse('2026-01-04T00:00:00Z');
const hourMs = 3_600_000;
const [succeeded, failed, exhausted, superseded] = [1, 2, 3, 4];
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));

let clock: ReturnType<typeof createManualClock>;
let context: EndpointContext;
let teamId: string;
let endpointId: string;

beforeEach(async () => {
  const { sql } = file.current;
  await sql`DELETE FROM webhook_endpoints`;
  await sql`DELETE FROM webhook_attempts`;
  await sql`DELETE FROM log_events`;
  clock = createManualClock(new Date(start));
  context = { database: file.current, cipher, clock };
  teamId = uuidv7();
  endpointId = await newEndpoint();
});

async function newEndpoint(): Promise<string> {
  return (await createEndpoint(context, teamId, { url: 'https://example.org' })).id;
}

/** Adds attempts at the given hours after the start. */
async function attempts(
  outcome: number,
  hours: readonly number[],
  { endpoint = endpointId, error = 'timeout', status = 500 } = {},
): Promise<void> {
  for (const hour of hours) {
    const at = new Date(start + hour * hourMs).toISOString();
    await file.current.sql`
      INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, status, duration_ms, error, event_type)
      VALUES (${at.slice(0, 10)}, ${endpoint}, ${at}, ${uuidv7()}, 1, 1, ${at.slice(0, 10)}, 1, ${outcome}, ${status}, 5, ${error}, 'daily.data.sleep.created')`;
  }
}

async function lookAt(hour: number): Promise<object> {
  clock.advance(start + hour * hourMs - clock.now().getTime());
  return watchEndpoints(context);
}

async function state(): Promise<{
  failing_since: string | null;
  is_disabled: boolean;
  disabled_reason: string | null;
  disabled_at: string | null;
}> {
  const [row] = await file.current.sql`
    SELECT failing_since, is_disabled, disabled_reason, disabled_at FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`;
  return row as Awaited<ReturnType<typeof state>>;
}

async function events(): Promise<{ event_type: string; user_id: string | null; client_user_id: string | null; data: object }[]> {
  const rows = await file.current.sql<{ event_type: string; user_id: string | null; client_user_id: string | null; json: string }[]>`
    SELECT event_type, user_id, client_user_id, json FROM log_events WHERE team_id = ${teamId} ORDER BY written_at, "offset"`;
  return rows.map(({ json, ...row }) => ({ ...row, data: JSON.parse(json) as object }));
}
const eventTypes = async () => (await events()).map((event) => event.event_type);

const nothing = { started: 0, cleared: 0, warned: 0, disabled: 0, refused: 0 };
const every = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

describe('the clock of an endpoint that fails', () => {
  it.each([
    ['only two failures', [0, 12]],
    ['failures close together', [0, 5, 11.9]],
    ['failures of more than a day ago', [-30, -29, -28, 0, 11]],
  ])('does not start with %s', async (_what, hours) => {
    await attempts(failed, hours);
    expect(await lookAt(12)).toEqual(nothing);
  });

  it('starts and disables for every endpoint except one whose values Postgres rejects', async () => {
    const other = await newEndpoint();
    await file.current.sql.unsafe(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '22003'; END $$;
      CREATE TRIGGER refuses BEFORE UPDATE ON webhook_endpoints FOR EACH ROW WHEN (NEW.endpoint_id = '${other}') EXECUTE FUNCTION refuse()`);
    try {
      for (const endpoint of [endpointId, other]) await attempts(failed, [0, 6, 12], { endpoint });
      expect(await lookAt(12.1)).toEqual({ ...nothing, started: 1, refused: 1 });
      expect((await state()).failing_since).not.toBeNull();
      await file.current.sql`ALTER TABLE webhook_endpoints DISABLE TRIGGER refuses`;
      await lookAt(12.2);
      await file.current.sql`ALTER TABLE webhook_endpoints ENABLE TRIGGER refuses`;
      for (const endpoint of [endpointId, other]) await attempts(failed, every(24, 140, 12), { endpoint });
      expect(await lookAt(140)).toEqual({ ...nothing, disabled: 1, refused: 1 });
      expect((await state()).is_disabled).toBe(true);
      expect(await eventTypes()).toEqual(['endpoint.disabled']);
    } finally {
      await file.current.sql.unsafe('DROP TRIGGER refuses ON webhook_endpoints; DROP FUNCTION refuse()');
    }
  });

  it('starts with several failures within a day, at least half a day apart, exhausted ones included', async () => {
    await attempts(failed, [0, 6]);
    await attempts(exhausted, [12]);
    expect(await lookAt(12.1)).toEqual({ ...nothing, started: 1 });
    expect(Date.parse((await state()).failing_since ?? '')).toBe(start + 12 * hourMs);
    expect(await lookAt(12.2)).toEqual(nothing);
  });

  it('does not start when a delivery succeeded in between', async () => {
    await attempts(failed, [0, 6, 12]);
    await attempts(succeeded, [7]);
    expect(await lookAt(12.1)).toEqual(nothing);
  });

  it('ignores attempts that do not depend on the endpoint', async () => {
    for (const error of ['event_gone', 'body_unreadable', 'erased', 'aborted', 'aborted_by_receiver'])
      await attempts(exhausted, [0, 6, 12], { error });
    await attempts(superseded, [0, 6, 12]);
    expect(await lookAt(12.1)).toEqual(nothing);
  });

  it('ends with the first success, and can start again afterwards', async () => {
    await attempts(failed, every(0, 48, 6));
    await lookAt(13);
    await attempts(succeeded, [49]);
    await attempts(failed, [50]);
    expect(await lookAt(50.5)).toEqual({ ...nothing, cleared: 1 });
    expect((await state()).failing_since).toBeNull();
    await attempts(failed, [56, 62]);
    expect(await lookAt(62.1)).toEqual({ ...nothing, started: 1 });
  });

  it('survives a restart of all processes', async () => {
    await attempts(failed, every(0, 140, 6));
    await lookAt(13);
    context = { ...context, clock: createManualClock(new Date(start + 139 * hourMs)) };
    expect(await watchEndpoints(context)).toEqual({ ...nothing, disabled: 1 });
  });
});

describe('an endpoint that has only failed', () => {
  it('is announced as failing after half of five days and disabled after them, each once', async () => {
    await attempts(failed, every(0, 200, 6));
    await lookAt(12.1);
    expect(await lookAt(12 + 59)).toEqual(nothing);
    expect(await lookAt(12 + 60.1)).toEqual({ ...nothing, warned: 1 });
    expect(await lookAt(12 + 119)).toEqual(nothing);
    expect(await lookAt(12 + 120.1)).toEqual({ ...nothing, disabled: 1 });
    expect(await lookAt(12 + 127)).toEqual(nothing);
    expect(await state()).toMatchObject({ is_disabled: true, disabled_reason: 'failing' });

    const data = { endpoint_id: endpointId, failing_since: '2026-01-04T12:00:00+00:00', last_status: 500 };
    expect(await events()).toEqual([
      {
        event_type: 'endpoint.failing',
        user_id: null,
        client_user_id: null,
        data: { ...data, last_attempt_at: '2026-01-07T00:00:00+00:00' },
      },
      {
        event_type: 'endpoint.disabled',
        user_id: null,
        client_user_id: null,
        data: { ...data, reason: 'failing', last_attempt_at: '2026-01-09T12:00:00+00:00' },
      },
    ]);
  });

  it('is announced once by concurrent checks', async () => {
    await attempts(failed, every(0, 132, 6));
    await lookAt(12.1);
    await lookAt(72.1);
    clock.advance(60 * hourMs);
    const seen = await Promise.all(Array.from({ length: 4 }, () => watchEndpoints(context)));
    expect(seen.reduce((sum, { disabled }) => sum + disabled, 0)).toBe(1);
    expect(await eventTypes()).toEqual(['endpoint.failing', 'endpoint.disabled']);
  });

  it('is not disabled while nothing is sent to it, and its clock ends after a week without attempts', async () => {
    await attempts(failed, [0, 6, 12, 18]);
    await lookAt(12.1);
    expect(await lookAt(18 + 160)).toEqual(nothing);
    expect(await lookAt(18 + 169)).toEqual({ ...nothing, cleared: 1 });
    expect(await eventTypes()).toEqual([]);
  });

  it('is not disabled when one of two dispatchers reaches it', async () => {
    await attempts(failed, every(0, 140, 3));
    for (const hour of every(20, 140, 20)) {
      await attempts(succeeded, [hour - 0.5]);
      await lookAt(hour);
    }
    expect(await state()).toMatchObject({ is_disabled: false });
    expect(await eventTypes()).toEqual([]);
  });

  it('stays unchanged when its team has disabled or removed it meanwhile', async () => {
    const other = await newEndpoint();
    for (const endpoint of [endpointId, other]) await attempts(failed, every(0, 140, 6), { endpoint });
    expect(await lookAt(12.1)).toEqual({ ...nothing, started: 2 });
    await updateEndpoint(context, teamId, endpointId, { disabled: true });
    await deleteEndpoint(context, teamId, other);
    expect(await lookAt(140)).toEqual(nothing);
  });

  it('starts with a clear record when it is enabled again', async () => {
    await attempts(failed, every(0, 138, 6));
    for (const hour of [12.1, 72.1, 132.1]) await lookAt(hour);
    expect(await state()).toMatchObject({ is_disabled: true });
    clock.advance(30 * hourMs);
    await updateEndpoint(context, teamId, endpointId, { disabled: false });
    expect(await state()).toMatchObject({ is_disabled: false, failing_since: null, disabled_at: null });
    await attempts(failed, [163]);
    expect(await lookAt(163.1)).toEqual(nothing);
    expect(await eventTypes()).toEqual(['endpoint.failing', 'endpoint.disabled', 'endpoint.enabled']);
    expect((await events()).at(-1)?.data).toEqual({
      endpoint_id: endpointId,
      enabled_at: '2026-01-10T18:06:00+00:00',
      missed_since: '2026-01-04T12:00:00+00:00',
    });
  });
});

it('a check covers any number of endpoints', async () => {
  const { sql } = file.current;
  await sql`
    INSERT INTO webhook_endpoints (endpoint_id, team_id, url, secret, created_at, updated_at)
    SELECT gen_random_uuid(), ${teamId}, 'https://example.org', '\\x00', now(), now() FROM generate_series(1, 1200)`;
  await sql`
    INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, duration_ms, event_type)
    SELECT '2026-01-04', endpoint_id, '2026-01-04T00:00:00Z'::timestamptz + hours * interval '1 hour', gen_random_uuid(), 1, 1, '2026-01-04', 1, 2, 1, 'x'
    FROM webhook_endpoints, unnest('{0,6,12}'::int[]) AS hours WHERE endpoint_id <> ${endpointId}`;
  expect(await lookAt(12.1)).toEqual({ ...nothing, started: 1200 });
  expect(await lookAt(12 + 190)).toEqual({ ...nothing, cleared: 1200 });
}, 60_000);
