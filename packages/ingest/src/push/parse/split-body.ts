import { AppError, createJsonScanner, JsonScanError, type ScannedValue } from '@pulsewire/kernel';
import type { PushInParts } from '@pulsewire/providers';

/** Some of the items of a body, as a body of the same shape. */
export interface BodyPart {
  readonly body: Buffer;
  /** Items of the whole body up to the end of this part. */
  readonly itemsEnd: number;
  /** Items that were too long to read. */
  readonly tooLong: number;
  readonly isLast: boolean;
}

export interface SplitBounds {
  /** Items that were done before. */
  readonly skip: number;
  /** The target size of a part, unless one item, or items that belong together, are larger. */
  readonly partBytes: number;
  /** The maximum size of an item, and of items that are kept together. */
  readonly itemBytesMax: number;
  /** The maximum number of items of a part, whatever belongs together: reading many tiny items takes longer than their size suggests. */
  readonly partItemsMax: number;
}

const [openList, closeList, separator] = ['[', ']', ','].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

function bodyOf(values: readonly (ScannedValue & { readonly text: Buffer })[]): Buffer {
  const pieces: Buffer[] = [Buffer.from('{')];
  const byKey = Map.groupBy(values, ({ key, isItem }) => `${isItem ? 'list' : 'value'} ${key}`);
  for (const [name, group] of byKey) {
    if (pieces.length > 1) pieces.push(separator);
    pieces.push(Buffer.from(`${JSON.stringify(name.slice(name.indexOf(' ') + 1))}:`));
    if (!name.startsWith('list ')) {
      pieces.push(group.at(-1)?.text ?? Buffer.from('null'));
      continue;
    }
    pieces.push(openList);
    for (const [place, { text }] of group.entries()) pieces.push(...(place === 0 ? [text] : [separator, text]));
    pieces.push(closeList);
  }
  pieces.push(Buffer.from('}'));
  return Buffer.concat(pieces);
}

function groupKeyOf({ together }: PushInParts, { key, isItem, text }: ScannedValue): string | null {
  const read = isItem && text !== null && Object.hasOwn(together, key) ? together[key] : undefined;
  if (!read || text === null) return null;
  try {
    const word = read(JSON.parse(text.toString('utf8')));
    return word === null ? null : `${key} ${word}`;
  } catch {
    return null;
  }
}

/**
 * Cuts a body, an object of lists, into parts of bounded size while it is read; the last one may be empty. Throws AppError
 * `push_unreadable` when it is not such an object.
 */
export async function* splitBody(
  chunks: AsyncIterable<Buffer>,
  inParts: PushInParts,
  { skip, partBytes, itemBytesMax, partItemsMax }: SplitBounds,
): AsyncGenerator<BodyPart> {
  const scanner = createJsonScanner({ valueBytesMax: itemBytesMax });
  let values: (ScannedValue & { readonly text: Buffer })[] = [];
  let [bytes, items, tooLong] = [0, 0, 0];
  let itemsBefore = skip;
  let lastWord: string | null = null;
  const take = (isLast: boolean): BodyPart => {
    const part = { body: bodyOf(values), itemsEnd: items, tooLong, isLast };
    [values, bytes, tooLong, itemsBefore] = [[], 0, 0, items];
    return part;
  };
  try {
    for await (const chunk of chunks) {
      for (const value of scanner.write(chunk)) {
        const size = value.text?.length ?? 0;
        const word = groupKeyOf(inParts, value);
        const isTogether = word !== null && word === lastWord && bytes + size <= itemBytesMax;
        const isFull = items - itemsBefore >= partItemsMax || (bytes > 0 && bytes + size > partBytes && !isTogether);
        if (isFull && items > skip) yield take(false);
        lastWord = word;
        items += 1;
        if (items <= skip) continue;
        if (value.text === null) tooLong += 1;
        else values.push({ ...value, text: value.text });
        bytes += size;
      }
    }
    scanner.end();
  } catch (cause) {
    if (!(cause instanceof JsonScanError)) throw cause;
    throw new AppError({ code: 'push_unreadable', kind: 'invalid', message: 'The notification has an unknown format.', cause });
  }
  yield take(true);
}
