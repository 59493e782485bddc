import { uuidToBase62 } from '@pulsewire/kernel';

/** The `webhook-id` of a message: `msg_` and the event's UUID in base62, 27 characters (contract 21.1). */
export function messageIdOf(eventId: string): string {
  return `msg_${uuidToBase62(eventId)}`;
}
