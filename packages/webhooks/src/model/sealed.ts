import type { Cipher } from '@pulsewire/database';

/** A replaced key, which signs until it expires. */
export interface PreviousSecret {
  readonly secret: string;
  readonly expiresAtMs: number;
}

export type EndpointHeaders = Readonly<Record<string, string>>;

type Column = 'secret' | 'previous_secrets' | 'headers';

// The encryption context includes the column, so a value cannot be moved to another column of its row either.
const contextOf = (endpointId: string, column: Column): string => `webhook_endpoint:${endpointId}:${column}`;

export function sealSecret(cipher: Cipher, endpointId: string, secret: string): Buffer {
  return cipher.seal(secret, contextOf(endpointId, 'secret'));
}

export function openSecret(cipher: Cipher, endpointId: string, sealed: Buffer): string {
  return cipher.open(sealed, contextOf(endpointId, 'secret'));
}

export function sealPreviousSecrets(cipher: Cipher, endpointId: string, previous: readonly PreviousSecret[]): Buffer | null {
  return previous.length === 0 ? null : cipher.seal(JSON.stringify(previous), contextOf(endpointId, 'previous_secrets'));
}

export function openPreviousSecrets(cipher: Cipher, endpointId: string, sealed: Buffer | null): readonly PreviousSecret[] {
  return sealed === null ? [] : (JSON.parse(cipher.open(sealed, contextOf(endpointId, 'previous_secrets'))) as PreviousSecret[]);
}

export function sealHeaders(cipher: Cipher, endpointId: string, headers: EndpointHeaders): Buffer | null {
  return Object.keys(headers).length === 0 ? null : cipher.seal(JSON.stringify(headers), contextOf(endpointId, 'headers'));
}

export function openHeaders(cipher: Cipher, endpointId: string, sealed: Buffer | null): EndpointHeaders {
  return sealed === null ? {} : (JSON.parse(cipher.open(sealed, contextOf(endpointId, 'headers'))) as EndpointHeaders);
}
