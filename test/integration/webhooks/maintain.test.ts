import { expect, it } from 'vitest';
import { createManualClock, uuidv7 } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { createAddressGuard } from '@pulsewire/outbound';
import { createEndpoint, maintainAttempts } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';

const file = useDatabase();

it('maintenance removes waiting deliveries of endpoints that are gone, and no others', async () => {
  const { current: database } = file;
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
  const clock = createManualClock(new Date('2026-01-04T10:00:00Z'));
  const { id } = await createEndpoint({ database, cipher, clock, guard: createAddressGuard() }, uuidv7(), { url: 'https://example.org' });
  for (const endpointId of [id, uuidv7()]) {
    await database.sql`
      INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at)
      VALUES (${endpointId}, ${uuidv7()}, 1, 5, '2026-01-04', 1, now())`;
  }
  await maintainAttempts(database, { today: '2026-01-04', keepDays: 90 });
  expect(await database.sql`SELECT endpoint_id FROM webhook_pending`).toEqual([{ endpoint_id: id }]);
});
