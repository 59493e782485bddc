import { createECDH, createHash, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { ApiCall, ApiResponse } from '../kit/definition/definition.ts';
import { hash32 } from '../model/seeded.ts';
import type { SimulatorApplication } from '../kit/types.ts';

const tinkPrefix = 1;
const coordinateBytes = 32;

interface SigningKey {
  readonly keyId: number;
  readonly privateKey: KeyObject;
  readonly x: Buffer;
  readonly y: Buffer;
}

/** A key derived from an application, so that a restarted simulator has the same. */
function keyOfApplication({ clientId, clientSecret }: SimulatorApplication): SigningKey {
  const pair = createECDH('prime256v1');
  const secret = createHash('sha256').update(`google_health signing ${clientSecret}`).digest();
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const x = point.subarray(1, 1 + coordinateBytes);
  const y = point.subarray(1 + coordinateBytes);
  const text = (bytes: Buffer) => bytes.toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', d: text(secret), x: text(x), y: text(y) };
  return { keyId: hash32(`key ${clientId}`), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }), x, y };
}

/** Of protobuf: a field of bytes. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

/** Tink's public key: parameters, and coordinates with a leading zero. */
function publicKeyOf({ x, y }: SigningKey): string {
  const parameters = Buffer.from([0x08, 3, 0x10, 2, 0x18, 2]);
  const padded = (bytes: Buffer) => Buffer.concat([Buffer.from([0]), bytes]);
  return Buffer.concat([field(2, parameters), field(3, padded(x)), field(4, padded(y))]).toString('base64');
}

/** The public keys, as Google publishes them. */
export function keyset({ parts }: ApiCall): ApiResponse {
  const keys = [...parts.applications.values()].map(keyOfApplication);
  return {
    body: {
      primaryKeyId: keys[0]?.keyId,
      key: keys.map((key) => ({
        keyData: {
          typeUrl: 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey',
          value: publicKeyOf(key),
          keyMaterialType: 'ASYMMETRIC_PUBLIC',
        },
        status: 'ENABLED',
        keyId: key.keyId,
        outputPrefixType: 'TINK',
      })),
    },
  };
}

/** Tink's signature over the exact body: its prefix, the id of the key, and the signature in DER. */
export function signatureOf(body: string, application: SimulatorApplication): string {
  const { keyId, privateKey } = keyOfApplication(application);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(tinkPrefix, 0);
  prefix.writeUInt32BE(keyId, 1);
  return Buffer.concat([prefix, sign('sha256', Buffer.from(body), privateKey)]).toString('base64');
}
