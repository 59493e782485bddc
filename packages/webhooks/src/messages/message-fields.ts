import { renderDateTime, type MessageBody } from '@pulsewire/contract';
import type { EventHeader } from '@pulsewire/eventlog';
import { messageIdOf } from '../model/message-id.ts';
import { testShard } from './test-events.ts';

/** The header as teams see it, without its deliveries. */
export function toMessageFields(header: EventHeader): Omit<MessageBody, 'deliveries'> {
  return {
    message_id: messageIdOf(header.eventId),
    event_id: header.eventId,
    event_type: header.eventType,
    user_id: header.userId,
    sequence: header.shard === testShard ? null : header.offset,
    created_at: renderDateTime(header.writtenAt),
  };
}
