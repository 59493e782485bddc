/** A data key, encrypted by a KMS. */
export interface WrappedKey {
  readonly wrapped: Buffer;
  /** Version of the KMS key that encrypted it. */
  readonly version: number;
}

/**
 * A key management service: it encrypts and decrypts data keys, and its own key never leaves it. `context` is authenticated, so a wrapped
 * key cannot be replaced by another one. Both calls throw AppError `kms_unavailable` (may succeed later), `kms_permission_denied`,
 * `kms_key_not_found`, `kms_key_wrong`, `kms_refused` or `kms_response_invalid`; no error contains a key.
 */
export interface Kms {
  /** Name of the KMS and of its key, such as `vault:transit/pulsewire`. */
  readonly keyName: string;
  wrap(plain: Buffer, context: string): Promise<WrappedKey>;
  unwrap(wrapped: Buffer, context: string): Promise<Buffer>;
}
