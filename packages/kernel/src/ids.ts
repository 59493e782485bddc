import { hash, randomBytes } from 'node:crypto';

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function formatUuid(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
    text += hex[bytes[i] as number];
  }
  return text;
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

const pool = { bytes: randomBytes(4096), used: 0 };

function takeRandom(count: number): Buffer {
  // One system call for hundreds of ids, because ids are created on the write path.
  if (pool.used + count > pool.bytes.length) {
    pool.bytes = randomBytes(4096);
    pool.used = 0;
  }
  pool.used += count;
  return pool.bytes.subarray(pool.used - count, pool.used);
}

/** A UUIDv7 (RFC 9562): sorts by the millisecond of its creation. */
export function uuidv7(nowMs: number = Date.now()): string {
  const bytes = Buffer.from(takeRandom(16));
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/** A UUIDv5 (RFC 9562): the same namespace and name always produce the same id. */
export function uuidv5(namespace: string, name: string): string {
  // One call and its text: half the time of a `Hash` object and of formatting its bytes. Every record read has such an id.
  const text = hash('sha1', Buffer.concat([uuidBytes(namespace), Buffer.from(name)]), 'hex');
  const variant = '89ab'[Number.parseInt(text.charAt(16), 16) % 4];
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-5${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20, 32)}`;
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62Codes = Buffer.from(base62);
// Three digits at a time: a remainder below 62³ and the next 32 bits fit exactly into a number.
const groupBase = 62 ** 3;
const groups = 8;
// Reused, because every delivery computes such an id: with BigInts and strings it took three times as long.
const words = new Float64Array(4);
const digits = Buffer.alloc(groups * 3);

/** Sets `words` to the UUID's 128 bits, the highest 32 first. */
function readWords(uuid: string): void {
  let word = 0;
  let nibbles = 0;
  for (let i = 0; i < uuid.length; i++) {
    const code = uuid.charCodeAt(i);
    // Skips hyphens. A letter's lower-case code is its value and 87 more, a digit's 48 more.
    if (code === 45) continue;
    word = word * 16 + (code < 58 ? code - 48 : (code | 32) - 87);
    nibbles += 1;
    if (nibbles % 8 !== 0) continue;
    words[nibbles / 8 - 1] = word;
    word = 0;
  }
}

/** A UUID's 128 bits in base62, padded to 27 characters; preserves the order of ids. */
export function uuidToBase62(uuid: string): string {
  readWords(uuid);
  for (let at = digits.length - 1; at > 0; at -= 3) {
    let rest = 0;
    for (let i = 0; i < 4; i++) {
      const dividend = rest * 2 ** 32 + (words[i] as number);
      const quotient = Math.floor(dividend / groupBase);
      words[i] = quotient;
      rest = dividend - quotient * groupBase;
    }
    const high = Math.floor(rest / 62);
    const highest = Math.floor(high / 62);
    digits[at] = base62Codes[rest - high * 62] as number;
    digits[at - 1] = base62Codes[high - highest * 62] as number;
    digits[at - 2] = base62Codes[highest] as number;
  }
  return `000${digits.toString('latin1')}`;
}

/** The inverse of `uuidToBase62`; undefined when the text does not encode a UUID. */
export function base62ToUuid(text: string): string | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = base62.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 62n + BigInt(digit);
  }
  if (value >= 1n << 128n) return undefined;
  return formatUuid(Buffer.from(value.toString(16).padStart(32, '0'), 'hex'));
}

/** `length` random base62 characters without bias. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of takeRandom(16)) {
      // 248 is the largest multiple of 62 in a byte; higher values would favour the first characters.
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62);
    }
  }
  return text;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
