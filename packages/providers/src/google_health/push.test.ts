import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RawPush } from '../kit/types/connector.ts';
import { ensureKeys, isSignedBy, readKeyset } from './push/keys.ts';
import { googleHealthPush } from './push/push.ts';

const keyId = 0xa1b2c3d4;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** The key as Tink writes it: a protobuf message in base64, each coordinate with a leading zero. */
function tinkKeyset(key: KeyObject, id: number) {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const field = (number: number, bytes: Buffer) => Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  const coordinate = (text: string) => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'base64url')]);
  const parameters = Buffer.from([0x08, 0x03, 0x10, 0x02, 0x18, 0x02]);
  const value = Buffer.concat([field(2, parameters), field(3, coordinate(x)), field(4, coordinate(y))]).toString('base64');
  const typeUrl = 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey';
  const keyData = { typeUrl, value, keyMaterialType: 'ASYMMETRIC_PUBLIC' };
  return { primaryKeyId: id, key: [{ keyData, status: 'ENABLED', keyId: id, outputPrefixType: 'TINK' }] };
}

function signatureOf(body: string, id = keyId): string {
  const prefix = Buffer.alloc(5);
  prefix[0] = 1;
  prefix.writeUInt32BE(id, 1);
  return Buffer.concat([prefix, sign('sha256', Buffer.from(body), { key: privateKey, dsaEncoding: 'der' })]).toString('base64');
}

const notification = {
  data: {
    version: '1',
    clientProvidedSubscriptionName: '0b7c',
    healthUserId: '31415926',
    operation: 'UPSERT',
    dataType: 'steps',
    intervals: [
      {
        physicalTimeInterval: { startTime: '2026-08-14T05:30:00Z', endTime: '2026-08-14T05:45:00Z' },
        civilIso8601TimeInterval: { startTime: '2026-08-14T07:30:00', endTime: '2026-08-14T07:45:00' },
      },
    ],
  },
};

const pushOf = (body: string, headers: Record<string, string>): RawPush => ({
  method: 'POST',
  headers,
  query: {},
  body: Buffer.from(body),
});

async function secretOf(): Promise<string> {
  const send = async () => ({ status: 200, headers: {}, body: tinkKeyset(publicKey, keyId), bytes: Buffer.alloc(0) });
  const application = { clientId: 'id', clientSecret: 'secret' };
  const address = { callbackUrl: 'https://pulsewire.test/v2/push/google_health', verificationCode: 'our-code' };
  const { secret } = await ensureKeys({ http: { send }, application, address, known: null, now: new Date() });
  return secret ?? '';
}

const proofOf = (subscriptionSecret: string | null) => ({
  application: { clientId: 'id', clientSecret: 'secret' },
  subscriptionSecret,
  now: new Date(),
});

describe('the signature', () => {
  const body = JSON.stringify([notification]);

  it('is accepted from a key of the keyset, over the very bytes, together with our authorization', async () => {
    const secret = await secretOf();
    const right = { authorization: 'Bearer our-code', 'google-health-api-signature': signatureOf(body) };
    expect(googleHealthPush.verify(pushOf(body, right), proofOf(secret))).toBe(true);
    expect(googleHealthPush.verify(pushOf(`${body} `, right), proofOf(secret))).toBe(false);
    expect(googleHealthPush.verify(pushOf(body, { ...right, authorization: 'Bearer other' }), proofOf(secret))).toBe(false);
    expect(googleHealthPush.verify(pushOf(body, { authorization: right.authorization }), proofOf(secret))).toBe(false);
    expect(googleHealthPush.verify(pushOf(body, right), proofOf(null))).toBe(false);
  });

  it('of an unknown key, or cut off, is rejected without failing', () => {
    const keys = readKeyset(tinkKeyset(publicKey, keyId));
    expect(keys).toHaveLength(1);
    expect(isSignedBy(keys, signatureOf(body, 7), Buffer.from(body))).toBe(false);
    for (const text of ['', 'AQ==', 'AaGyw9Q=', signatureOf(body).slice(0, 40)])
      expect(isSignedBy(keys, text, Buffer.from(body))).toBe(false);
  });

  it('cannot be checked with a keyset that is damaged: such keys are left out', () => {
    const { key } = tinkKeyset(publicKey, keyId);
    const broken = (value: string) => ({ key: [{ ...key[0], keyData: { ...key[0]?.keyData, value } }] });
    for (const keyset of [undefined, {}, { key: 5 }, broken(''), broken('GiE='), broken('////')]) expect(readKeyset(keyset)).toEqual([]);
    expect(readKeyset({ key: [{ ...key[0], status: 'DISABLED' }] })).toEqual([]);
  });
});

describe('the handshake', () => {
  const verification = JSON.stringify({ type: 'verification' });

  it('is 201 with our authorization and 401 without it', () => {
    const reply = (headers: Record<string, string>) =>
      googleHealthPush.handshake(pushOf(verification, headers), { verificationCode: 'our-code' })?.status;
    expect(reply({ authorization: 'Bearer our-code' })).toBe(201);
    expect(reply({ authorization: 'Bearer other' })).toBe(401);
    expect(reply({})).toBe(401);
  });

  it('is not a notification', () => {
    const push = pushOf(JSON.stringify([notification]), { authorization: 'Bearer our-code' });
    expect(googleHealthPush.handshake(push, { verificationCode: 'our-code' })).toBeNull();
  });
});

describe('a notification', () => {
  const noticesOf = (body: unknown) => googleHealthPush.parse(pushOf(JSON.stringify(body), {})).notices;
  const withData = (data: Record<string, unknown>) => ({ data: { ...notification.data, ...data } });
  const common = { kind: 'changed', providerUserId: '31415926', collection: 'steps' };

  it('names the local days of its intervals, alone or in a list', () => {
    const expected = [{ ...common, window: { startDate: '2026-08-14', endDate: '2026-08-14' } }];
    expect(noticesOf(notification)).toEqual(expected);
    expect(noticesOf([notification, notification])).toEqual(expected);
  });

  it('is read from any of the three notations, or from beside the list', () => {
    const civil = { startDateTime: { date: { year: 2026, month: 8, day: 3 } }, endDateTime: { date: { year: 2026, month: 8, day: 4 } } };
    const windowOf = (data: Record<string, unknown>) => noticesOf(withData(data)).map((notice) => 'window' in notice && notice.window);
    expect(windowOf({ intervals: [{ civilDateTimeInterval: civil }] })).toEqual([{ startDate: '2026-08-03', endDate: '2026-08-04' }]);
    const physical = { startTime: '2026-08-14T23:30:00Z', endTime: '2026-08-14T23:45:00Z' };
    expect(windowOf({ intervals: [{ physicalTimeInterval: physical }] })).toEqual([{ startDate: '2026-08-13', endDate: '2026-08-15' }]);
    const beside = { civilIso8601TimeInterval: { startTime: '2026-08-01T00:00:00', endTime: '2026-08-02T00:00:00' } };
    expect(windowOf({ intervals: undefined, ...beside })).toEqual([{ startDate: '2026-08-01', endDate: '2026-08-02' }]);
  });

  it('without a usable interval has the most recent days read', () => {
    expect(noticesOf(withData({ intervals: [] }))).toEqual([
      { kind: 'object', providerUserId: '31415926', collection: 'steps', objectId: 'latest' },
    ]);
  });

  it('of a sleep also covers the day before and after, and no notification covers more than a month', () => {
    const [sleep] = noticesOf(withData({ dataType: 'sleep' }));
    expect(sleep).toMatchObject({ window: { startDate: '2026-08-13', endDate: '2026-08-15' } });
    const long = { civilIso8601TimeInterval: { startTime: '1990-01-01T00:00:00', endTime: '2026-08-14T00:00:00' } };
    expect(noticesOf(withData({ intervals: [long] }))).toMatchObject([{ window: { startDate: '2026-07-15', endDate: '2026-08-14' } }]);
  });
});
