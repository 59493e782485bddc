import { createHmac } from 'node:crypto';

const prefixMin = 2;
const prefixMax = 12;
const wordsMax = 20;

const wordsOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s.,]+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);

function hash(key: Buffer, kind: string, text: string): bigint {
  return createHmac('sha256', key).update(`${kind}:${text}`).digest().readBigInt64BE();
}

/** Keyed hashes of the prefixes of each word of a name: the only searchable form of names. */
export function nameHashes(key: Buffer, name: string): bigint[] {
  const hashes = new Set<bigint>();
  for (const word of wordsOf(name)) {
    const last = Math.min(word.length, prefixMax);
    for (let length = Math.min(prefixMin, word.length); length <= last; length++) hashes.add(hash(key, 'name', word.slice(0, length)));
  }
  return [...hashes];
}

/** The hashes that a row must all have to match the searched word prefixes; a single letter matches only one-letter words. */
export function searchHashes(key: Buffer, text: string): bigint[] {
  return wordsOf(text).map((word) => hash(key, 'name', word.slice(0, prefixMax)));
}

export function birthDateHash(key: Buffer, day: string): bigint {
  return hash(key, 'dob', day);
}
