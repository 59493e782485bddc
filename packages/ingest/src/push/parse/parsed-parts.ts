import { errorCode, isAppError } from '@pulsewire/kernel';
import { pushItemsMax, type Connector, type ParsedPush, type PushNotice } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import { readBody } from './read-body.ts';
import type { StoredPush } from '../inbox/begin-push.ts';
import { splitBody, type BodyPart } from './split-body.ts';

/** The notices of a part of a push, or why it cannot be read: then it is the last part. */
export interface ParsedPart {
  readonly parsed: ParsedPush | { readonly errorCode: string };
  /** Items of the push up to the end of this part; 0 where it is read as a whole. */
  readonly itemsEnd: number;
  readonly isLast: boolean;
}

/** Larger items are left out; a day-long activity with a reading every second takes about 25 MiB. */
const itemBytesMax = 32 * 1024 * 1024;
/** Smaller bodies are not worth splitting. */
const wholeBytesMax = 64 * 1024;

const nothing: ParsedPush = { notices: [], unreadable: [] };

function parse(connector: Connector, stored: StoredPush, { body, tooLong }: Pick<BodyPart, 'body' | 'tooLong'>): ParsedPart['parsed'] {
  const { headers, query } = stored;
  try {
    const { notices, unreadable, leftOut = 0 } = connector.push?.parse({ method: 'POST', headers, query, body }) ?? nothing;
    // A change that is announced twice is read once. Data is not compared here: equal records are written once anyway.
    const keyOf = (notice: PushNotice, index: number) => (notice.kind === 'data' ? String(index) : JSON.stringify(notice));
    const oversized = Array.from({ length: tooLong }, () => ({ reason: 'too_large', pointer: '' }));
    return {
      unreadable: [...unreadable, ...oversized],
      leftOut,
      notices: [...new Map(notices.map((notice, index) => [keyOf(notice, index), notice])).values()],
    };
  } catch (error) {
    return { errorCode: errorCode(error) };
  }
}

/**
 * A push in parts that are stored one by one: one part for most pushes, several of bounded size for a large body. Parts that are done
 * already are skipped. Throws what `readBody` throws.
 */
export async function* parsedParts(context: IngestContext, stored: StoredPush): AsyncGenerator<ParsedPart> {
  const connector = context.connectorFor(stored.provider);
  if (!connector) {
    yield { parsed: { errorCode: 'provider_unknown' }, itemsEnd: 0, isLast: true };
    return;
  }
  const { pushPartBytes: partBytes } = context.settings;
  const chunks = readBody(context, stored);
  const inParts = connector.push?.inParts;
  if (!inParts || (stored.itemsDone === 0 && (stored.bodyBytes ?? 0) <= Math.min(partBytes, wholeBytesMax))) {
    const all: Buffer[] = [];
    for await (const chunk of chunks) all.push(chunk);
    const body = Buffer.concat(all);
    yield { parsed: parse(connector, stored, { body, tooLong: 0 }), itemsEnd: 0, isLast: true };
    return;
  }
  try {
    for await (const part of splitBody(chunks, inParts, { skip: stored.itemsDone, partBytes, itemBytesMax, partItemsMax: pushItemsMax })) {
      const parsed = parse(connector, stored, part);
      yield { parsed, itemsEnd: part.itemsEnd, isLast: part.isLast || 'errorCode' in parsed };
    }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'push_unreadable') throw error;
    yield { parsed: { errorCode: error.code }, itemsEnd: 0, isLast: true };
  }
}
