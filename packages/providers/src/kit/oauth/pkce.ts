import { createHash, randomBytes } from 'node:crypto';

/** A PKCE verifier (RFC 7636): 43 characters, 256 random bits. `random` returns that many random bytes. */
export function createCodeVerifier(random: (size: number) => Buffer = randomBytes): string {
  return random(32).toString('base64url');
}

/** The S256 challenge of a verifier. */
export function codeChallengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}
