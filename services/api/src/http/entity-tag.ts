import { createHash } from 'node:crypto';

/** A weak entity tag of a text: two responses with the same tag mean the same, in whatever encoding they are sent. */
export function entityTag(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` names this tag. Weak comparison, as the header asks for. */
export function isTagKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag));
}
