import { AppError } from '@pulsewire/kernel';
import type { MessageSentBody } from '@pulsewire/contract';
import type { EndpointContext } from '../model/context.ts';
import { findEnabledRow } from '../model/endpoint-row.ts';
import { messageIdOf } from '../model/message-id.ts';
import { enqueue, type EnqueueResult } from './enqueue.ts';
import { findMessage } from './find-message.ts';

/**
 * Sends one message to one endpoint, again or for the first time, regardless of the endpoint's filter, with the same `webhook-id` and body.
 * If it waits for its next attempt, it is made due now. `status` shows when nothing was enqueued because the message is being sent or is
 * held behind earlier ones of its user. Throws AppErrors `endpoint_not_found`, `endpoint_disabled`, `message_not_found` (also when it was
 * erased with its user).
 */
export async function resendMessage(
  { database }: EndpointContext,
  teamId: string,
  endpointId: string,
  messageId: string,
): Promise<MessageSentBody & { readonly status: EnqueueResult; readonly userId: string | null }> {
  await findEnabledRow(database, teamId, endpointId);
  const header = await findMessage(database, teamId, messageId);
  if (header.isErased)
    throw new AppError({ code: 'message_not_found', kind: 'not_found', message: 'The message was erased with its user' });
  const status = await enqueue(database, { ...header, endpointId });
  return { message_id: messageIdOf(header.eventId), event_type: header.eventType, status, userId: header.userId };
}
