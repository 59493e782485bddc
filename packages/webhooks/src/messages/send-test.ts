import { AppError, uuidv7, utcDay } from '@pulsewire/kernel';
import { exampleDataJson, type MessageSentBody } from '@pulsewire/contract';
import { run } from '@pulsewire/database';
import type { EndpointContext } from '../model/context.ts';
import { findEnabledRow } from '../model/endpoint-row.ts';
import { messageIdOf } from '../model/message-id.ts';
import { webhookTestEvents } from '../model/tables.ts';
import { enqueue } from './enqueue.ts';
import { testShard } from './test-events.ts';

/**
 * Sends the example of an event type to one endpoint through the normal delivery path, marked by the header `webhook-test`. Throws
 * AppErrors `endpoint_not_found`, `endpoint_disabled`, `event_type_without_example`.
 */
export async function sendTest(
  { database, clock }: EndpointContext,
  teamId: string,
  endpointId: string,
  eventType: string,
): Promise<MessageSentBody> {
  await findEnabledRow(database, teamId, endpointId);
  if (exampleDataJson(eventType) === undefined)
    throw new AppError({ code: 'event_type_without_example', kind: 'invalid', message: 'This event type has no example' });
  const now = clock.now();
  const eventId = uuidv7(now.getTime());
  await database.transaction(async (tx) => {
    await run(tx.orm.insert(webhookTestEvents).values({ eventId, teamId, endpointId, eventType, createdAt: now.toISOString() }));
    const day = utcDay(now);
    await enqueue(tx, { endpointId, eventId, shard: testShard, offset: 0, day, userId: null, eventType });
  });
  return { message_id: messageIdOf(eventId), event_type: eventType, status: 'queued' };
}
