import { expect, it } from 'vitest';
import { errorCode, silentLogger, uuidv7, type Logger } from '@pulsewire/kernel';
import { createEndpoint, deleteEndpoint } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';
import { useHarness } from '../dispatcher/harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);

it('deletes endpoints without a deadlock while a dispatcher disables them', async () => {
  const harness = await createHarness();
  const { receiver, url } = await harness.receiver();
  const codes: string[] = [];
  const note = (fields: object) => void codes.push(String((fields as { code?: unknown }).code));
  const logger: Logger = { ...silentLogger, warn: note, error: note };
  harness.start({ scheduleMs: [0, 0, 0], inFlightMax: 64 }, { logger });
  let gone = 0;
  for (let round = 0; round < 40; round++) {
    const endpoints = await Promise.all(
      Array.from({ length: 4 }, () => createEndpoint(harness.context, harness.teamId, { url, filter_types: null })),
    );
    // The batch that disables the endpoints also settles rows of them.
    receiver.respond = (_request, response) => void response.writeHead(410).end();
    await file.current.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, event_type)
      SELECT e.id::uuid, gen_random_uuid(), 0, 1000000, now()::date, 0, now(), 'unknown'
      FROM unnest(${endpoints.map(({ id }) => id)}::text[]) AS e(id), generate_series(1, 20)`;
    await file.current.sql`SELECT pg_notify('pulsewire_webhooks', '')`;
    const before = receiver.received.length;
    await harness.emit(3, { userId: uuidv7() });
    await receiver.untilTrue(() => receiver.received.length > before);
    const results = await Promise.allSettled(endpoints.map(({ id }) => deleteEndpoint(harness.context, harness.teamId, id)));
    for (const result of results) if (result.status === 'rejected') codes.push(errorCode(result.reason));
    gone += results.length;
  }
  expect(gone).toBe(160);
  expect(codes.filter((code) => code === '40P01')).toEqual([]);
}, 120_000);
