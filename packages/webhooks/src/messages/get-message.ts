import type { AttemptBody, MessageBody } from '@pulsewire/contract';
import { isErased, readEvents } from '@pulsewire/eventlog';
import { toAttemptBody, type AttemptRow } from '../model/attempt-row.ts';
import { messageIdOf } from '../model/message-id.ts';
import type { MessageContext } from './context.ts';
import { findMessage } from './find-message.ts';
import { toMessageFields } from './message-fields.ts';
import { readDeliveries, type MessageAddress } from './read-deliveries.ts';
import { loadTeamBodies } from './team-bodies.ts';
import { readTestEvents, testShard } from './test-events.ts';

/** A message with its body and attempts. */
export interface MessageDetail extends MessageBody {
  /** The exact webhook body; null when it was erased or cannot be built. */
  readonly body: string | null;
  readonly attempts: readonly (AttemptBody & { readonly webhook_id: string })[];
}

const attemptsMax = 1000;

/** One message of a team, with its body and its attempts at all endpoints. Throws AppError `message_not_found`. */
export async function getMessage(context: MessageContext, teamId: string, messageId: string): Promise<MessageDetail> {
  const { database } = context;
  const header = await findMessage(database, teamId, messageId);
  const deliveries = await readDeliveries(database, teamId, [header]);
  return {
    ...toMessageFields(header),
    deliveries: [...(deliveries.get(header.eventId) ?? [])],
    body: await readBody(context, teamId, header),
    attempts: await readAttempts(context, header),
  };
}

async function readBody(context: MessageContext, teamId: string, address: MessageAddress): Promise<string | null> {
  const { database } = context;
  const isTest = address.shard === testShard;
  const event = isTest
    ? (await readTestEvents(database, [address.eventId])).get(address.eventId)
    : (await readEvents(database, [address])).at(0);
  if (event === undefined || isErased(event)) return null;
  const bodies = await loadTeamBodies(context, database, teamId);
  const id = messageIdOf(address.eventId);
  return (
    bodies
      .build(event)
      .find(({ messageId }) => messageId === id)
      ?.body.toString('utf8') ?? null
  );
}

async function readAttempts({ database: { sql } }: MessageContext, address: MessageAddress): Promise<MessageDetail['attempts']> {
  const rows = await sql<(AttemptRow & { endpoint_id: string })[]>`
    SELECT a.endpoint_id, a.attempted_at, a.event_id, a.event_type, a.attempt, a.outcome, a.status, a.error, a.duration_ms,
           CASE WHEN NOT e.is_disabled THEN nullif(p.due_at, 'infinity') END AS next_attempt_at
    FROM webhook_attempts a
    LEFT JOIN webhook_endpoints e ON e.endpoint_id = a.endpoint_id
    LEFT JOIN webhook_pending p ON p.endpoint_id = a.endpoint_id AND p.event_id = a.event_id AND p.attempts = a.attempt
    WHERE a.shard = ${address.shard} AND a."offset" = ${address.offset} AND a.day >= ${address.day}::date - 1 AND a.event_id = ${address.eventId}
    ORDER BY a.attempted_at DESC LIMIT ${attemptsMax}`;
  return rows.map((row) => ({ webhook_id: row.endpoint_id, ...toAttemptBody(row) }));
}
