import { createHash, randomBytes } from 'node:crypto';

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
  const bytes = createHash('sha1').update(uuidBytes(namespace)).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return formatUuid(bytes);
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62Group = 62n ** 8n;

/** A UUID's 128 bits in base62, padded to `length` characters; preserves the order of ids. */
export function uuidToBase62(uuid: string, length = 27): string {
  let value = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  // Eight characters at a time: one division of BigInts costs as much as all the arithmetic on numbers.
  while (value > 0n) {
    const quotient = value / base62Group;
    let rest = Number(value - quotient * base62Group);
    value = quotient;
    let group = '';
    for (let count = 0; count < 8; count++) {
      const next = Math.floor(rest / 62);
      group = base62.charAt(rest - next * 62) + group;
      rest = next;
    }
    text = group + text;
  }
  return text.replace(/^0+/, '').padStart(length, '0');
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
