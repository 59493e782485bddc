import { base62ToUuid, uuidToBase62 } from '@pulsewire/kernel';

/** The `webhook-id` of a message: `msg_` and the event's UUID in base62, 27 characters. */
export function messageIdOf(eventId: string): string {
  return `msg_${uuidToBase62(eventId)}`;
}

/** The event id of a `webhook-id`; undefined when the text is malformed. */
export function eventIdOf(messageId: string): string | undefined {
  return /^msg_[0-9A-Za-z]{27}$/.test(messageId) ? base62ToUuid(messageId.slice(4)) : undefined;
}
