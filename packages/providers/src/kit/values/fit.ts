/** The fields of a message, by number; null where the device recorded no value. */
type FitFields = ReadonlyMap<number, number>;

/** The messages of a FIT file about a workout, with field numbers as keys and raw values. */
interface FitMessages {
  readonly sessions: readonly FitFields[];
  readonly activities: readonly FitFields[];
  readonly records: readonly FitFields[];
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
const messageNumbers = { session: 18, record: 20, activity: 34 } as const;
const timestampField = 253;

/** Thrown for bytes that are not a complete FIT file. */
class UnreadableFitError extends Error {
  override readonly name = 'UnreadableFitError';
}

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
    if (next + size > view.byteLength) throw new UnreadableFitError('The file ends within a message.');
    // Of a list only the first value is used; texts are not read.
    const value = reader && reader.bytes <= size ? reader.read(view, next, !isBigEndian) : null;
    if (value !== null) values.set(number, value);
    next += size;
  }
  return { values, next: next + developerBytes };
}

function readMessages(view: DataView, from: number, end: number): FitMessages {
  const definitions = new Map<number, Definition>();
  const lists = { sessions: [] as FitFields[], activities: [] as FitFields[], records: [] as FitFields[] };
  let lastSeconds = 0;
  for (let at = from; at < end;) {
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
    if (!definition) throw new UnreadableFitError('A message without its definition.');
    const { values, next } = readData(view, at, definition);
    at = next;
    // The lower five bits of the timestamp; the other bits are those of the previous message.
    if (isCompressed) values.set(timestampField, lastSeconds + (((head & 0x1f) - lastSeconds) & 0x1f));
    lastSeconds = values.get(timestampField) ?? lastSeconds;
    if (definition.message === messageNumbers.record) lists.records.push(values);
    else if (definition.message === messageNumbers.session) lists.sessions.push(values);
    else if (definition.message === messageNumbers.activity) lists.activities.push(values);
  }
  return lists;
}

/** The messages of a FIT file; undefined when the bytes are not a complete FIT file. */
export function readFitMessages(bytes: Buffer): FitMessages | undefined {
  if (bytes.length < headerBytesMin || bytes.toString('latin1', 8, 12) !== '.FIT') return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = view.getUint8(0);
  const end = start + view.getUint32(4, true);
  if (start < headerBytesMin || end > bytes.length) return undefined;
  try {
    return readMessages(view, start, end);
  } catch (error) {
    // A definition may extend beyond the end of the file.
    if (error instanceof UnreadableFitError || error instanceof RangeError) return undefined;
    throw error;
  }
}
