import { AppError } from '@pulsewire/kernel';
import { JsonNode } from '../kit/values/json-node.ts';
import { readNotices, readPushJson } from '../kit/push/parse-push.ts';
import { headerOf, isSameText } from '../kit/push/signatures.ts';
import type { ParsedPush, PushNotice, PushSupport } from '../kit/types/connector.ts';
import { collections, mapSummaries } from './collections.ts';
import { growthOf } from './growth.ts';

type Reader = (item: JsonNode) => readonly PushNotice[];
type DataNotice = Extract<PushNotice, { kind: 'data' }>;

const urlLengthMax = 1500;
/** Garmin's documented maximum for activityDetails. */
const bodyBytesMax = 100 * 1024 * 1024;

/** Parses a summary: a ping contains the URL of the summaries, a push the summaries themselves. */
function readSummary(key: string): Reader {
  return (item) => {
    const about = { providerUserId: item.at('userId').id(), collection: key };
    const callback = item.at('callbackURL');
    if (callback.isMissing) {
      const growth = growthOf(key, item);
      return [{ kind: 'data', ...about, payload: [item.value], ...(growth !== null && { growth }) }];
    }
    const objectId = callback.text();
    if (objectId.length > urlLengthMax) throw callback.fail('unknown_shape');
    // The URL contains a token in its query.
    return [{ kind: 'object', ...about, objectId, isSecret: true }];
  };
}

/** A quarter of an hour may have several rows, which must be summed together. */
function joinEpochs(notices: readonly PushNotice[]): PushNotice[] {
  const others: PushNotice[] = [];
  const groups = new Map<string, DataNotice[]>();
  for (const notice of notices) {
    if (notice.kind !== 'data' || notice.growth === undefined) {
      others.push(notice);
      continue;
    }
    const place = `${notice.providerUserId}\n${notice.growth.item}`;
    const group = groups.get(place);
    if (group) group.push(notice);
    else groups.set(place, [notice]);
  }
  const joined = [...groups.values()].map((group) => {
    const furthest = group.reduce((best, notice) => ((notice.growth?.extent ?? 0) > (best.growth?.extent ?? 0) ? notice : best));
    return { ...(group.at(-1) ?? furthest), growth: furthest.growth, payload: group.flatMap(({ payload }) => payload as unknown[]) };
  });
  return [...others, ...joined] as PushNotice[];
}

/** The user of an item: a user's epochs stay together, for `joinEpochs`. */
function ownerOf(item: unknown): string | null {
  const { value } = new JsonNode(item).at('userId');
  return typeof value === 'string' ? value : null;
}

const readDeregistration: Reader = (item) => [{ kind: 'revoked', providerUserId: item.at('userId').id() }];

const readPermissions: Reader = (item) => {
  const grantedScopes = item
    .at('permissions')
    .items()
    .map((node) => node.text());
  return [{ kind: 'scopes', providerUserId: item.at('userId').id(), grantedScopes }];
};

/** Oldest first, because the last one takes precedence. */
function byTime(items: readonly JsonNode[]): JsonNode[] {
  const timeOf = (item: JsonNode) => Number(item.at('changeTimeInSeconds').value ?? 0) || 0;
  return items.toSorted((a, b) => timeOf(a) - timeOf(b));
}

function readKey(root: JsonNode, key: string, read: Reader, order = (items: readonly JsonNode[]) => items): ParsedPush {
  const list = root.at(key);
  if (list.isMissing) return { notices: [], unreadable: [] };
  if (!Array.isArray(list.value)) return { notices: [], unreadable: [{ reason: 'unknown_shape', pointer: list.pointer }] };
  return readNotices(order(list.items()), read);
}

function parse(body: Buffer): ParsedPush {
  const root = readPushJson(body);
  if (typeof root.value !== 'object' || root.value === null || Array.isArray(root.value)) {
    throw new AppError({ code: 'push_unreadable', kind: 'invalid', message: 'The notification has an unknown format.' });
  }
  const parts = [
    readKey(root, 'userPermissionsChange', readPermissions, byTime),
    ...collections.map(({ key }) => {
      const part = readKey(root, key, readSummary(key));
      return key === 'epochs' ? { ...part, notices: joinEpochs(part.notices) } : part;
    }),
    readKey(root, 'deregistrations', readDeregistration),
  ];
  const leftOut = parts.reduce((sum, part) => sum + (part.leftOut ?? 0), 0);
  const notices = parts.flatMap((part) => part.notices);
  return { notices, unreadable: parts.flatMap((part) => part.unreadable), ...(leftOut > 0 && { leftOut }) };
}

/**
 * Garmin's pushes: data of many users by kind of summary, unsigned. They are authenticated by their address and the header with our client
 * id.
 */
export const garminPush: PushSupport = {
  isSigned: false,
  acceptedStatus: 200,
  rejectedStatus: 403,
  bodyBytesMax,
  inParts: { together: { epochs: ownerOf } },
  handshake: () => null,
  verify: (push, { application }) => push.method === 'POST' && isSameText(headerOf(push, 'garmin-client-id') ?? '', application.clientId),
  parse: ({ body }) => parse(body),
  map: ({ collection, payload, user }) => mapSummaries(collection, payload, user),
};
