/** 32 bits that depend only on the text (FNV-1a, then a finaliser, since FNV leaves similar texts close together). */
export function hash32(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** A number 0 <= n < 1 that depends only on the text. */
export function unitOf(text: string): number {
  return hash32(text) / 2 ** 32;
}

/** An integer between both ends, inclusive, that depends only on the text. */
export function between(text: string, low: number, high: number): number {
  return low + Math.floor(unitOf(text) * (high - low + 1));
}

/** A sequence of numbers 0 <= n < 1 that depends only on the text (mulberry32). */
export function seededRandom(text: string): () => number {
  let state = hash32(text);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A positive number of up to 14 digits that depends only on the text, like the log ids of providers. */
export function longIdOf(text: string): number {
  return 10_000_000_000_000 + hash32(text) * 16_384 + (hash32(`${text}#`) % 16_384);
}
