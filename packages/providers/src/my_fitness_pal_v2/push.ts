import { dayToMs } from '../kit/time/days.ts';
import { readNotices, readPushItems, readPushJson } from '../kit/push/parse-push.ts';
import type { PushNotice, PushSupport, SubscribeCall } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { unnamed, type MyFitnessPalValues } from './my-fitness-pal.ts';

/** One request may hold thousands of items of many users. */
const bodyBytesMax = 4 * 1024 * 1024;
const dayPattern = /\d{4}-\d{2}-\d{2}/;
const itemPattern = /\/v2\/(?:diary|measurements)\/([\w.~-]{1,200})$/;

const collections: ReadonlySet<string> = new Set(['diary_meal', 'diary_exercise', 'diary_steps', 'measurements', 'user_info']);

/** The address of an item names a day for meals, though not always as a parameter; any other is read for its day. */
function readNotice(item: JsonNode): PushNotice[] {
  const providerUserId = item.at('user_id').id();
  const collection = item.at('item_type').text();
  if (!collections.has(collection)) return [];
  const url = item.at('item_url').optional((node) => node.text()) ?? '';
  const day = url.includes('entry_date') ? dayPattern.exec(url.slice(0, 2000))?.[0] : undefined;
  if (day === undefined || dayToMs(day) === undefined)
    return [{ kind: 'object', providerUserId, collection, objectId: itemPattern.exec(url.slice(0, 2000))?.[1] ?? unnamed }];
  return [{ kind: 'changed', providerUserId, collection, window: { startDate: day, endDate: day } }];
}

/** A subscription without a body covers every type. The address is registered with MyFitnessPal, not in the call. */
const subscribe =
  (path: string) =>
  async ({ http }: SubscribeCall) => {
    const { body } = await http.get(path);
    const existing = new JsonNode(body).at('items').value;
    if (Array.isArray(existing) && existing.length > 0) return;
    await http.post(path, { accepts: 'any' });
  };

/** Notifications that name items; they are not signed, so the address has a secret segment. */
export const createMyFitnessPalPush = ({ subscriptionsPath }: MyFitnessPalValues): PushSupport => ({
  isSigned: false,
  acceptedStatus: 202,
  rejectedStatus: 404,
  bodyBytesMax,
  handshake: () => null,
  verify: ({ method }) => method === 'POST',
  parse: ({ body }) => readNotices(readPushItems(readPushJson(body)), readNotice),
  subscribe: subscribe(subscriptionsPath),
});
