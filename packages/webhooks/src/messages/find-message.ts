import { AppError } from '@pulsewire/kernel';
import { isPipelineEvent } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { findTeamEvent, type EventHeader } from '@pulsewire/eventlog';
import { eventIdOf } from '../model/message-id.ts';
import { findHiddenUsers } from './hidden-users.ts';
import { findTestEvent } from './test-events.ts';

/**
 * Finds a team's message by its `webhook-id`: an event of the log, or a test event. Throws AppError `message_not_found`, also for another
 * team's, and for one about a deleted user.
 */
export async function findMessage(executor: Executor, teamId: string, messageId: string): Promise<EventHeader> {
  const eventId = eventIdOf(messageId);
  const header = eventId && ((await findTeamEvent(executor, teamId, eventId)) ?? (await findTestEvent(executor, teamId, eventId)));
  const isHidden = header && header.userId !== null && (await findHiddenUsers(executor, [header.userId])).size > 0;
  if (!header || isHidden || isPipelineEvent(header.eventType))
    throw new AppError({ code: 'message_not_found', kind: 'not_found', message: 'There is no such message' });
  return header;
}
