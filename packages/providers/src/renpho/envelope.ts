import { createCipheriv, createDecipheriv } from 'node:crypto';
import { parseJson } from '@pulsewire/kernel';
import { JsonNode } from '../kit/values/json-node.ts';

// Chosen by the app; the key ships with it, so this provides no secrecy. TLS protects the calls.
const algorithm = 'aes-128-ecb';
const keyBytes = 16;

/** Encrypts calls and decrypts responses as the app does. */
export interface Envelope {
  seal(text: string): { readonly encryptData: string };
  /** The content of a response; undefined when it cannot be decrypted, null when it is empty. */
  open(body: unknown): unknown;
}

/** null when the key does not have 16 bytes, such as when none is configured. */
export function createEnvelope(appKey: string): Envelope | null {
  const key = Buffer.from(appKey);
  if (key.length !== keyBytes) return null;
  return {
    seal(text) {
      const cipher = createCipheriv(algorithm, key, null);
      return { encryptData: Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64') };
    },
    open(body) {
      const { value } = new JsonNode(body).at('data');
      if (value === null || value === undefined) return null;
      if (typeof value !== 'string') return undefined;
      try {
        const decipher = createDecipheriv(algorithm, key, null);
        // Ids have more digits than a double: this parser keeps them.
        return parseJson(Buffer.concat([decipher.update(value, 'base64'), decipher.final()]));
      } catch {
        return undefined;
      }
    },
  };
}

const successCodes: readonly unknown[] = [0, 101, 200, 20_000];

/** The code of a response; null when it succeeded. */
export function failureCode(body: unknown): number | null {
  const { value } = new JsonNode(body).at('code');
  const code = typeof value === 'string' && /^-?\d{1,6}$/.test(value) ? Number(value) : value;
  if (successCodes.includes(code)) return null;
  return typeof code === 'number' ? code : Number.NaN;
}
