import { AppError } from '@pulsewire/kernel';
import { JsonNode, UnreadableError } from '../json-node.ts';
import type { ParsedPush, PushNotice } from '../types.ts';

/** The body of a push as JSON. Throws AppError `push_unreadable`. */
export function readPushJson(body: Buffer): JsonNode {
  try {
    return new JsonNode(JSON.parse(body.toString('utf8')) as unknown);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unreadable({ reason: 'not_json' });
  }
}

function unreadable(details: Readonly<Record<string, unknown>>): AppError {
  return new AppError({ code: 'push_unreadable', kind: 'invalid', message: 'The notification has an unknown shape.', details });
}

/** The items of a list in a push; throws AppError `push_unreadable` where there is none. */
export function readPushItems(list: JsonNode): JsonNode[] {
  try {
    return list.items();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw unreadable({ reason: error.reason, pointer: error.pointer });
  }
}

/** Reads each item's notices; what cannot be read is reported and the rest goes on. Providers repeat themselves: equal notices count once. */
export function readNotices(items: readonly JsonNode[], read: (item: JsonNode) => readonly PushNotice[]): ParsedPush {
  const notices: PushNotice[] = [];
  const seen = new Set<string>();
  const left: { reason: string; pointer: string }[] = [];
  for (const item of items) {
    try {
      for (const notice of read(item)) {
        // Data may be large and is written only where it differs anyway.
        const key = notice.kind === 'data' ? '' : JSON.stringify(notice);
        if (key !== '' && seen.has(key)) continue;
        seen.add(key);
        notices.push(notice);
      }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      left.push({ reason: error.reason, pointer: error.pointer });
    }
  }
  return { notices, unreadable: left };
}
