import { AppError, decodeText, isCleanText, jsonFault } from '@pulsewire/kernel';
import { JsonNode, UnreadableError } from '../values/json-node.ts';
import type { ParsedPush, PushNotice } from '../types/connector.ts';
import { pushItemsMax, unreadableListed } from './push-limits.ts';

/** The body of a push as JSON. Throws AppError `push_unreadable`. */
export function readPushJson(body: Buffer): JsonNode {
  const reason = jsonFault(body);
  if (reason !== null) throw unreadable({ reason });
  try {
    return new JsonNode(JSON.parse(decodeText(body) ?? '') as unknown);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unreadable({ reason: 'not_json' });
  }
}

function isCleanForm(text: string): boolean {
  try {
    return isCleanText(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** The body of a push as a form. Throws AppError `push_unreadable`, also when the decoded text is not UTF-8. */
export function readPushForm(body: Buffer): JsonNode {
  const text = decodeText(body);
  if (text === null || !isCleanForm(text)) throw unreadable({ reason: 'bad_text' });
  return new JsonNode(Object.fromEntries(new URLSearchParams(text)));
}

function unreadable(details: Readonly<Record<string, unknown>>): AppError {
  return new AppError({ code: 'push_unreadable', kind: 'invalid', message: 'The notification has an unknown format.', details });
}

/** The items of a list in a push; throws AppError `push_unreadable` when it is not a list. */
export function readPushItems(list: JsonNode): JsonNode[] {
  try {
    return list.items();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw unreadable({ reason: error.reason, pointer: error.pointer });
  }
}

/**
 * Reads the notices of each item, up to `pushItemsMax` items; unreadable items are reported and the others kept. Equal notices are
 * merged, because providers repeat them.
 */
export function readNotices(items: readonly JsonNode[], read: (item: JsonNode) => readonly PushNotice[]): ParsedPush {
  const notices: PushNotice[] = [];
  const seen = new Set<string>();
  const left: { reason: string; pointer: string }[] = [];
  let leftOut = Math.max(0, items.length - pushItemsMax);
  for (const item of items.slice(0, pushItemsMax)) {
    try {
      for (const notice of read(item)) {
        // Data notices are not deduplicated: they may be large, and ingest writes only changes.
        const key = notice.kind === 'data' ? '' : JSON.stringify(notice);
        if (key !== '' && seen.has(key)) continue;
        seen.add(key);
        notices.push(notice);
      }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      if (left.length < unreadableListed) left.push({ reason: error.reason, pointer: error.pointer });
      else leftOut += 1;
    }
  }
  return { notices, unreadable: left, ...(leftOut > 0 && { leftOut }) };
}
