import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { providerError } from '../../kit/http/provider-error.ts';
import type { AppSubscription, AppSubscriptionCall } from '../../kit/types/connector.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { classifyGoogleHealth } from '../data-points.ts';

/** A public key as it is stored: coordinates of a P-256 point in base64url. */
export interface PushKey {
  readonly id: number;
  readonly x: string;
  readonly y: string;
}

const keysMax = 20;
const coordinateBytes = 32;
const lengthDelimited = 2;
/** The first byte of a signature that names its key, and how long the prefix is. */
const prefixByte = 1;
const prefixBytes = 5;

function readVarint(bytes: Buffer, at: number): { value: number; next: number } | null {
  let value = 0;
  for (let index = 0; index < 4; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value |= (byte & 0x7f) << (7 * index);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  return null;
}

/** The length-delimited fields of a protobuf message by number; null for anything else. */
function readFields(bytes: Buffer): ReadonlyMap<number, Buffer> | null {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const tag = readVarint(bytes, at);
    const size = tag && readVarint(bytes, tag.next);
    if (!tag || !size) return null;
    // The version, field 1, is a varint; everything that is needed is length-delimited.
    const isBytes = (tag.value & 7) === lengthDelimited;
    if (isBytes && size.next + size.value > bytes.length) return null;
    if (isBytes) fields.set(tag.value >> 3, bytes.subarray(size.next, size.next + size.value));
    at = isBytes ? size.next + size.value : size.next;
  }
  return fields;
}

/** A coordinate may have leading zero bytes, or lack them. */
function coordinate(bytes: Buffer | undefined): string | null {
  if (bytes === undefined || bytes.length === 0 || bytes.length > coordinateBytes + 1) return null;
  const tail = bytes.subarray(Math.max(0, bytes.length - coordinateBytes));
  return Buffer.concat([Buffer.alloc(coordinateBytes - tail.length), tail]).toString('base64url');
}

function readKey(key: JsonNode): PushKey | undefined {
  const data = key.at('keyData');
  const isUsable = key.at('status').value === 'ENABLED' && String(data.at('typeUrl').value).endsWith('EcdsaPublicKey');
  if (!isUsable) return undefined;
  const fields = readFields(Buffer.from(data.at('value').text(), 'base64'));
  const [x, y] = [coordinate(fields?.get(3)), coordinate(fields?.get(4))];
  return x === null || y === null ? undefined : { id: key.at('keyId').amount(), x, y };
}

/** The enabled keys of Google's Tink keyset in JSON; none for anything else. */
export function readKeyset(body: unknown): PushKey[] {
  return readEach('keyset', new JsonNode(body).at('key'), [], readKey).slice(0, keysMax);
}

function openKey({ x, y }: PushKey): KeyObject | null {
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return null;
  }
}

/** Whether a signature, in base64 with Tink's prefix, was made over the raw body by one of the keys. */
export function isSignedBy(keys: readonly PushKey[], signature: string, body: Buffer): boolean {
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length <= prefixBytes || bytes[0] !== prefixByte) return false;
  const found = keys.find(({ id }) => id === bytes.readUInt32BE(1));
  const key = found && openKey(found);
  return key ? verify('sha256', body, { key, dsaEncoding: 'der' }, bytes.subarray(prefixBytes)) : false;
}

/** What verifies a notification. */
export interface PushSecret {
  /** The text that Google sends as `Authorization`: the operator registers it with the address. */
  readonly authorization: string;
  readonly keys: readonly PushKey[];
}

const keysetPath = '/googlehealthapi/webhooks/webhooks_public_keyset.json';
/** Google's keys change about every month, and old and new ones overlap. */
const readEveryMs = 12 * 3_600_000;

export const authorizationOf = (verificationCode: string): string => `Bearer ${verificationCode}`;

/** The subscriber belongs to the Google Cloud project and is created there by the operator; what is kept here are Google's keys. */
export async function ensureKeys({ http, address, known, now }: AppSubscriptionCall): Promise<AppSubscription> {
  const response = await http.send({ method: 'GET', path: keysetPath, region: 'keys' });
  if (response.status !== 200) {
    const { code, retryAfterMs } = classifyGoogleHealth(response);
    throw providerError(code, { status: response.status }, retryAfterMs);
  }
  const keys = readKeyset(response.body);
  // An unreadable keyset must not replace one that works.
  if (keys.length === 0 && known?.secret != null) throw providerError('provider_transient', { reason: 'no_keys' });
  const secret: PushSecret = { authorization: authorizationOf(address.verificationCode), keys };
  return { state: { keys: keys.length }, secret: JSON.stringify(secret), renewAt: new Date(now.getTime() + readEveryMs) };
}

/** The stored secret; null when there is none or it cannot be read. */
export function readSecret(text: string | null): PushSecret | null {
  if (text === null) return null;
  const secret = new JsonNode(JSON.parse(text) as unknown);
  const keys = readEach('keyset', secret.at('keys'), [], (key) => ({
    id: key.at('id').amount(),
    x: key.at('x').text(),
    y: key.at('y').text(),
  }));
  return { authorization: secret.at('authorization').text(), keys };
}
