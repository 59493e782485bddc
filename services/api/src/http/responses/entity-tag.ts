import { createHash } from 'node:crypto';

/** A weak entity tag of a text: responses with the same tag are equivalent, in any encoding. */
export function entityTag(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` names this tag. Weak comparison, as required for this header. */
export function isTagKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag));
}
