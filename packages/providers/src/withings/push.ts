import { hourMs } from '@pulsewire/kernel';
import { msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { readNotices, readPushForm } from '../kit/push/parse-push.ts';
import { noticeBytesMax } from '../kit/push/push-limits.ts';
import type { PushNotice, PushSupport } from '../kit/types/connector.ts';
import { subscribeWithings } from './subscribe.ts';

/** `appli`: the categories with data to pull. */
const categories: ReadonlySet<string> = new Set(['1', '2', '4', '16', '44', '54']);
const profileCategory = '46';
/** A notification about a longer range concerns everything, which polling and the historical pull read. */
const spanMsMax = 366 * 86_400_000;

/** The days that instants may fall on in any time zone. */
function daysOf(notice: JsonNode): { readonly startDate: string; readonly endDate: string } {
  const date = notice.at('date').optional((node) => node.day());
  if (date !== null) return { startDate: date, endDate: date };
  const endMs = notice.at('enddate').amount() * 1000;
  const startMs = Math.max(notice.at('startdate').amount() * 1000, endMs - spanMsMax);
  if (startMs > endMs || endMs > 1e14) throw notice.at('enddate').fail('bad_time');
  return { startDate: msToDay(startMs - 12 * hourMs), endDate: msToDay(endMs + 14 * hourMs) };
}

function readNotice(notice: JsonNode): PushNotice[] {
  const providerUserId = notice.at('userid').id();
  const category = notice.at('appli').id();
  const { value: action } = notice.at('action');
  if (category === profileCategory) return action === 'unlink' || action === 'delete' ? [{ kind: 'revoked', providerUserId }] : [];
  if (!categories.has(category)) return [];
  return [{ kind: 'changed', providerUserId, collection: category, window: daysOf(notice) }];
}

/** Withings' notifications: a form with the user, the category and a time range. They are not signed. */
export const withingsPush: PushSupport = {
  isSigned: false,
  acceptedStatus: 200,
  rejectedStatus: 404,
  bodyBytesMax: noticeBytesMax,
  // Requested when a subscription is created.
  handshake: ({ method }) => (method === 'HEAD' ? { status: 200, body: '' } : null),
  // The unguessable segment of the address authenticates the request.
  verify: ({ method }) => method === 'POST',
  parse: ({ body }) => readNotices([readPushForm(body)], readNotice),
  subscribe: subscribeWithings,
};
