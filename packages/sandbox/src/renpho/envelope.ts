import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { ApiResponse } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';

/** The key of the simulated app. The real one is the vendor's. */
export const appKey = 'simulated-app-16';

const algorithm = 'aes-128-ecb';

/** Ids of 19 digits are numbers in the JSON; they are written as `#1…` here, because a double would round them. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"#(\d+)"/g, '$1');
}

function encrypt(text: string): string {
  const cipher = createCipheriv(algorithm, appKey, null);
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}

function decrypt(text: string): string {
  const decipher = createDecipheriv(algorithm, appKey, null);
  return Buffer.concat([decipher.update(text, 'base64'), decipher.final()]).toString('utf8');
}

/** The request inside the envelope; an encrypted empty string means none. Throws `request_invalid`, as for another key. */
export function opened(json: unknown): Readonly<Record<string, unknown>> {
  const data = typeof json === 'object' && json !== null && 'encryptData' in json ? json.encryptData : undefined;
  if (typeof data !== 'string') throw invalid('encryptData is missing');
  try {
    const text = decrypt(data);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  } catch {
    throw invalid('decrypt failed');
  }
}

/** A successful response: encrypted data, or null when there is none. */
export function sealed(data: unknown): ApiResponse {
  return { body: { code: 101, msg: 'success', data: data === null ? null : encrypt(toJson(data)) } };
}

/** An error, with HTTP status 200. */
export function failed(code: number, msg: string, status = 200): ApiResponse {
  return { status, body: { code, msg, data: null } };
}

/** The same response with its data changed. */
export function resealed(body: object, change: (data: object) => object): object {
  const data = (body as { readonly data?: unknown }).data;
  if (typeof data !== 'string') return body;
  // Ids keep their digits as texts.
  const text = decrypt(data).replaceAll(/([[:,])(\d{17,})(?=[,\]}])/g, '$1"#$2"');
  return { ...body, data: encrypt(toJson(change(JSON.parse(text) as object))) };
}
