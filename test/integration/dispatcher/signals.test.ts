import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger, type Logger } from '@pulsewire/kernel';
import { createIngest } from '@pulsewire/ingest';
import { createMetrics } from '../../../packages/runtime/src/metrics/metrics.ts';
import { useDatabase } from '../../support/database.ts';
import { createHarness } from '../ingest/support/harness.ts';
import { useHarness } from './harness.ts';
import { useReplays } from './replays/replay-rows.ts';

const file = useDatabase();
const openHarness = useHarness(file);
const { replay, ended } = useReplays(file);
const readme = path.join(import.meta.dirname, '../../../services/dispatcher/README.md');

interface Line {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that stores its lines. */
function keepLines(): { logger: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const keep = (fields: object, event: string) => void lines.push({ event, fields: fields as Line['fields'] });
  return { logger: { ...silentLogger, debug: keep, info: keep, warn: keep, error: keep }, lines };
}

describe('one trace id', () => {
  it('links pull, log entry, failed attempt and request, and no log line contains a body or a secret', async () => {
    const ingestHarness = await createHarness(file.current);
    onTestFinished(() => ingestHarness.close());
    const { logger, lines } = keepLines();
    const ingest = createIngest({ ...ingestHarness.options, logger });
    const harness = await openHarness();
    const { receiver, secret } = await harness.endpoint({ teamId: ingestHarness.teamId, filterTypes: ['daily.data.weight.created'] });
    let isFirst = true;
    receiver.respond = (_request, response) => {
      response.writeHead(isFirst ? 400 : 204).end();
      isFirst = false;
    };
    harness.start({ scheduleMs: [0, 50] }, { logger });
    ingestHarness.wristband.setValue('scales', '2026-03-19', 71_234);
    const { userId } = await ingestHarness.link();
    await ingest.drain();
    await receiver.until(1);
    await harness.caughtUp();
    await expect.poll(async () => (await harness.pending()).length).toBe(0);

    const pulled = new Set(lines.filter(({ event }) => event === 'window.pulled').map(({ fields }) => fields['traceId']));
    const received = receiver.received.map(({ headers }) => String(headers['traceparent']).split('-')[1]);
    expect(received.length).toBeGreaterThan(0);
    expect(received.filter((traceId) => !pulled.has(traceId))).toEqual([]);
    const [failed] = lines.filter(({ event }) => event === 'delivery.failed');
    expect(failed?.fields['traceId']).toBe(received[0]);
    const logged = await file.current.sql<{ trace_id: string }[]>`SELECT DISTINCT trace_id FROM log_events WHERE user_id = ${userId}`;
    expect(received.every((traceId) => logged.some((row) => row.trace_id === traceId))).toBe(true);

    const text = JSON.stringify(lines);
    expect(text).not.toContain(secret.replace('whsec_', ''));
    for (const { body } of receiver.received) {
      const { data } = JSON.parse(body) as { data: object };
      expect(text).not.toContain(JSON.stringify(JSON.stringify(data)).slice(1, -1));
    }
    expect(text).not.toContain('71234');
  });
});

describe('the metrics of the README', () => {
  it('are all reported, without labels that grow with teams, endpoints or users', async () => {
    const metrics = createMetrics({ service: 'dispatcher' });
    const harness = await openHarness();
    const made = await Promise.all([harness.endpoint(), harness.endpoint(), harness.endpoint()]);
    const [good, bad, slow] = made;
    bad.receiver.respond = (_request, response) => void response.writeHead(400).end();
    slow.receiver.respond = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 400);
    // A batch that the database rejects once.
    await file.current.sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'`;
    await file.current.sql`CREATE TRIGGER refuse BEFORE INSERT ON webhook_attempts FOR EACH ROW EXECUTE FUNCTION refuse()`;
    // A row whose event was dropped.
    await file.current.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
      VALUES (${good.endpointId}, gen_random_uuid(), 1, 999999, '2026-01-05', 1, now())`;
    harness.start({ parkAfterMs: 100, scheduleMs: [0, 50] }, { metrics });
    await harness.emit(10);
    await expect.poll(async () => (await metrics.render()).body).toContain('webhook_record_failures_total');
    await file.current.sql`DROP TRIGGER refuse ON webhook_attempts`;
    await file.current.sql`DROP FUNCTION refuse`;
    await slow.receiver.until(10);
    await harness.caughtUp();
    await ended(await replay(harness, good.endpointId)).toBe('completed');
    await expect.poll(async () => (await harness.pending()).length).toBe(0);

    const { body } = await metrics.render();
    const named = new Set([...readFileSync(readme, 'utf8').matchAll(/`(webhook_[a-z_]+)/g)].map(([, name]) => name ?? ''));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !new RegExp(`^${name}(_bucket)?[{ ]`, 'm').test(body))).toEqual([]);
    const labels = [...body.matchAll(/([a-z_]+)="/g)].map(([, label]) => label);
    expect([...new Set(labels)].toSorted((a = '', b = '') => a.localeCompare(b))).toEqual(['kind', 'le', 'outcome', 'service']);
    for (const outcome of ['delivered', 'failed', 'exhausted'])
      expect(body).toMatch(new RegExp(`webhook_attempts_total\\{[^}]*"${outcome}"`));
    for (const kind of ['live', 'retry', 'replay']) expect(body).toMatch(new RegExp(`webhook_attempts_total\\{[^}]*"${kind}"`));
  });
});
