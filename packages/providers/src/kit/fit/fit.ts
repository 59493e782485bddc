/** The fields of a message, by number; null where the device recorded no value. */
export type FitFields = ReadonlyMap<number, number>;

/** The messages of a FIT file about a workout, with field numbers as keys and raw values. */
interface FitMessages {
  readonly sessions: readonly FitFields[];
  readonly activities: readonly FitFields[];
  readonly records: readonly FitFields[];
  readonly damage: FitDamage | null;
}

/** Why the rest of a file was not read: its end is missing, or a message has no definition; and the byte at which it begins. */
interface FitDamage {
  readonly reason: 'cut_off' | 'damaged';
  readonly at: number;
}

interface Field {
  readonly number: number;
  readonly size: number;
  readonly baseType: number;
}

interface Definition {
  readonly message: number;
  readonly isBigEndian: boolean;
  readonly fields: readonly Field[];
  readonly developerBytes: number;
}

const headerBytesMin = 12;
const checksumBytes = 2;
const messageNumbers = { session: 18, record: 20, activity: 34 } as const;
const timestampField = 253;

/** How to read each base type, and its value for "none". The upper bit of a type means that it has more than one byte. */
const readers: Readonly<Record<number, { readonly bytes: number; read(view: DataView, at: number, isLittle: boolean): number | null }>> = {
  0: whole(1, (view, at) => view.getUint8(at), 0xff),
  1: whole(1, (view, at) => view.getInt8(at), 0x7f),
  2: whole(1, (view, at) => view.getUint8(at), 0xff),
  3: whole(2, (view, at, isLittle) => view.getInt16(at, isLittle), 0x7fff),
  4: whole(2, (view, at, isLittle) => view.getUint16(at, isLittle), 0xffff),
  5: whole(4, (view, at, isLittle) => view.getInt32(at, isLittle), 0x7fffffff),
  6: whole(4, (view, at, isLittle) => view.getUint32(at, isLittle), 0xffffffff),
  8: whole(4, (view, at, isLittle) => view.getFloat32(at, isLittle), Number.NaN),
  9: whole(8, (view, at, isLittle) => view.getFloat64(at, isLittle), Number.NaN),
  10: whole(1, (view, at) => view.getUint8(at), 0),
  11: whole(2, (view, at, isLittle) => view.getUint16(at, isLittle), 0),
  12: whole(4, (view, at, isLittle) => view.getUint32(at, isLittle), 0),
};

function whole(bytes: number, read: (view: DataView, at: number, isLittle: boolean) => number, invalid: number) {
  return {
    bytes,
    read(view: DataView, at: number, isLittle: boolean): number | null {
      const value = read(view, at, isLittle);
      return Object.is(value, invalid) || !Number.isFinite(value) ? null : value;
    },
  };
}

function readDefinition(
  view: DataView,
  at: number,
  hasDeveloperFields: boolean,
): { readonly definition: Definition; readonly next: number } {
  const isBigEndian = view.getUint8(at + 1) === 1;
  const message = view.getUint16(at + 2, !isBigEndian);
  const count = view.getUint8(at + 4);
  let next = at + 5;
  const fields: Field[] = [];
  for (let index = 0; index < count; index++, next += 3)
    fields.push({ number: view.getUint8(next), size: view.getUint8(next + 1), baseType: view.getUint8(next + 2) & 0x1f });
  let developerBytes = 0;
  if (hasDeveloperFields) {
    const developerCount = view.getUint8(next++);
    for (let index = 0; index < developerCount; index++, next += 3) developerBytes += view.getUint8(next + 1);
  }
  return { definition: { message, isBigEndian, fields, developerBytes }, next };
}

function readData(view: DataView, at: number, { fields, isBigEndian, developerBytes }: Definition) {
  const values = new Map<number, number>();
  let next = at;
  for (const { number, size, baseType } of fields) {
    const reader = readers[baseType];
    if (next + size > view.byteLength) throw new RangeError('The file ends within a message');
    // Of a list only the first value is used; texts are not read.
    const value = reader && reader.bytes <= size ? reader.read(view, next, !isBigEndian) : null;
    if (value !== null) values.set(number, value);
    next += size;
  }
  if (next + developerBytes > view.byteLength) throw new RangeError('The file ends within a message');
  return { values, next: next + developerBytes };
}

function isHeaderAt(bytes: Buffer, from: number): boolean {
  return (
    bytes.length >= from + headerBytesMin &&
    bytes.readUInt8(from) >= headerBytesMin &&
    bytes.toString('latin1', from + 8, from + 12) === '.FIT'
  );
}

interface Lists {
  readonly sessions: FitFields[];
  readonly activities: FitFields[];
  readonly records: FitFields[];
}

/** Appends the messages from `from` to the end of `view`; returns the damage that ended the reading, if any. */
function readMessages(view: DataView, from: number, lists: Lists): FitDamage | null {
  const definitions = new Map<number, Definition>();
  let lastSeconds = 0;
  let start = from;
  try {
    for (let at = from; at < view.byteLength; start = at) {
      const head = view.getUint8(at++);
      const isCompressed = (head & 0x80) !== 0;
      const local = isCompressed ? (head >> 5) & 3 : head & 0x0f;
      if (!isCompressed && (head & 0x40) !== 0) {
        const { definition, next } = readDefinition(view, at, (head & 0x20) !== 0);
        definitions.set(local, definition);
        at = next;
        continue;
      }
      const definition = definitions.get(local);
      if (!definition) return { reason: 'damaged', at: start };
      const { values, next } = readData(view, at, definition);
      at = next;
      // The lower five bits of the timestamp; the other bits are those of the previous message.
      if (isCompressed) values.set(timestampField, lastSeconds + (((head & 0x1f) - lastSeconds) & 0x1f));
      lastSeconds = values.get(timestampField) ?? lastSeconds;
      if (definition.message === messageNumbers.record) lists.records.push(values);
      else if (definition.message === messageNumbers.session) lists.sessions.push(values);
      else if (definition.message === messageNumbers.activity) lists.activities.push(values);
    }
    return null;
  } catch (error) {
    // A message or a definition that extends beyond the end.
    if (error instanceof RangeError) return { reason: 'cut_off', at: start };
    throw error;
  }
}

/**
 * The messages of a FIT file; undefined when the bytes do not begin with its header. Several files in a row are read as one. What comes
 * before a damage is kept.
 */
export function readFitMessages(bytes: Buffer): FitMessages | undefined {
  const lists: Lists = { sessions: [], activities: [], records: [] };
  let damage: FitDamage | null = null;
  let from = 0;
  while (!damage && isHeaderAt(bytes, from)) {
    const start = from + bytes.readUInt8(from);
    const size = bytes.readUInt32LE(from + 4);
    // A device that stops while it records leaves a size of 0: the messages extend to the end of the file.
    const end = size === 0 ? bytes.length : Math.min(start + size, bytes.length);
    damage = readMessages(new DataView(bytes.buffer, bytes.byteOffset, end), start, lists);
    if (size === 0 && damage && bytes.length - damage.at <= checksumBytes) damage = null;
    else if (!damage && start + size > bytes.length) damage = { reason: 'cut_off', at: bytes.length };
    from = end + checksumBytes;
  }
  return from === 0 ? undefined : { ...lists, damage };
}
