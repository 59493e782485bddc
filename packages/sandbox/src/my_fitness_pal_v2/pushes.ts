import type { PushSpec, SimulatorParts } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';
import type { PushMessage } from '../kit/push/sender.ts';
import { dayNumber } from '../model/calendar.ts';
import { exerciseId, uploadId } from './diary.ts';
import { subscriptionsOf } from './subscriptions.ts';

interface Notice {
  readonly type: string;
  readonly path: string;
}

/** Meals have no id, so a query names their day; on some days it lacks its equals sign, as in the reference's own example. */
function mealNotice(date: string): Notice {
  const sign = dayNumber(date) % 2 === 0 ? '=' : '&';
  return { type: 'diary_meal', path: `/v2/diary?types=diary_meal&entry_date${sign}${date}` };
}

/** Deletions are not announced. */
function noticesOf({ kind, action, date, id }: Change, parts: SimulatorParts, providerUserId: string): readonly Notice[] {
  if (action === 'deleted') return [];
  const account = parts.accounts.byProviderUserId(providerUserId) ?? parts.accounts.list()[0];
  if (!account) return [];
  if (kind === 'workout') return [{ type: 'diary_exercise', path: `/v2/diary/${exerciseId(id)}` }];
  if (kind === 'body') {
    const [weighing] = account.person.day(date)?.weighings ?? [];
    return weighing ? [{ type: 'measurements', path: `/v2/measurements/m${weighing.id}` }] : [];
  }
  if (kind === 'activity') return [{ type: 'diary_steps', path: `/v2/diary/${uploadId(account, date)}` }, mealNotice(date)];
  return [];
}

/** The clients that are notified: those with a subscription, and all of them about an unknown user. */
function clientsFor(parts: SimulatorParts, providerUserId: string, type: string): readonly string[] {
  const clients = [...new Set(parts.pushes.targets().map(({ clientId }) => clientId))];
  if (!parts.accounts.byProviderUserId(providerUserId)) return clients;
  return clients.filter((clientId) => subscriptionsOf(parts, clientId, providerUserId).some((known) => known.content_type === type));
}

/** Unsigned lists of addresses to read again; the notification's own address was configured with the vendor. */
export const myFitnessPalV2Pushes: PushSpec = {
  messages: (change, { providerUserId }, parts): readonly PushMessage[] =>
    noticesOf(change, parts, providerUserId).flatMap(({ type, path }) =>
      clientsFor(parts, providerUserId, type).map((clientId) => ({
        topic: clientId,
        body: { user_id: providerUserId, item_type: type, item_url: `${parts.url()}${path}` },
      })),
    ),
  batch: { waitMs: 20, max: 1000 },
  concerns: (target, message) => target.clientId === message.topic,
};
