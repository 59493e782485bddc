import { parseCipherKeys, type CipherKeys } from './cipher.ts';

/** The keys of a process, and which of them seals. */
export interface LoadedKeys {
  readonly keys: CipherKeys;
  /** Absent: the highest id seals. */
  readonly sealingKeyId?: number;
}

/** Where encryption keys come from. */
export interface KeySource {
  /** Called once, when a process starts. Throws AppError; a retryable one when the same call may succeed later. */
  load(): Promise<LoadedKeys>;
}

/** Keys given as text: `1:<base64>,2:<base64>`. */
export function textKeys(text: string): KeySource {
  return { load: async () => ({ keys: parseCipherKeys(text) }) };
}
