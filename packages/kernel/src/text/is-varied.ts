const differentMin = 10;

/**
 * Whether a secret has as many different characters or bytes as every random one of its length: of 24 random bytes, fewer than ten differ
 * less than once in 10^12. Zeros, one repeated character and placeholders have fewer.
 */
export function isVaried(secret: Iterable<string | number>): boolean {
  return new Set(secret).size >= differentMin;
}
