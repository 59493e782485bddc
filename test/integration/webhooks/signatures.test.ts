import { createPublicKey, verify } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { createEndpoint, getJwkSet, getSecret, rotateSecret, updateEndpoint } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';
import { useHarness, type Received, type TestReceiver, type Harness } from '../dispatcher/harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const hourMs = 3_600_000;
const knownKey = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==';
const knownPublic = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';

async function endpointWith(harness: Harness, signature: 'v1' | 'v1a' | 'both'): Promise<{ receiver: TestReceiver; endpointId: string }> {
  const { receiver, url } = await harness.receiver();
  const { id } = await createEndpoint(harness.context, harness.teamId, { url, signature });
  return { receiver, endpointId: id };
}

async function nextMessage(harness: Harness, receiver: TestReceiver): Promise<Received> {
  const count = receiver.received.length;
  await harness.emit(1);
  await receiver.untilTrue(() => receiver.received.length > count);
  return receiver.received.at(-1) as Received;
}

const flat = (one: Received, family: 'webhook' | 'svix'): Record<string, string> =>
  Object.fromEntries(['id', 'timestamp', 'signature'].map((name) => [`${family}-${name}`, String(one.headers[`${family}-${name}`])]));
const entriesOf = (one: Received) => String(one.headers['webhook-signature']).split(' ');
const schemesOf = (one: Received) => entriesOf(one).map((entry) => entry.split(',')[0]);

/** Verifies like a receiver that knows only the JWK set and the Standard Webhooks specification. */
function verifiesByKeys(one: Received, { keys }: Awaited<ReturnType<typeof getJwkSet>>): boolean[] {
  const signed = Buffer.from(`${String(one.headers['webhook-id'])}.${String(one.headers['webhook-timestamp'])}.${one.body}`);
  const signatures = entriesOf(one).flatMap((entry) => (entry.startsWith('v1a,') ? [Buffer.from(entry.slice(4), 'base64')] : []));
  return keys.map((jwk) => signatures.some((bytes) => verify(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), bytes)));
}

function libraries(one: Received, key: string): (() => unknown)[] {
  return [
    () => new StandardWebhook(key).verify(one.body, flat(one, 'webhook')),
    () => new SvixWebhook(key).verify(one.body, flat(one, 'webhook')),
    () => new SvixWebhook(key).verify(one.body, flat(one, 'svix')),
  ];
}

describe('signatures', () => {
  it('of both kinds are sent together, and each verifies with its own key', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await endpointWith(harness, 'both');
    harness.start();
    const one = await nextMessage(harness, receiver);
    expect(schemesOf(one)).toEqual(['v1', 'v1a']);
    const { key, public_key: publicKey } = await getSecret(harness.context, harness.teamId, endpointId);
    for (const verified of libraries(one, key)) expect(verified).not.toThrow();
    const set = await getJwkSet(harness.context, endpointId);
    expect(publicKey).toBe(`whpk_${Buffer.from(set.keys[0]?.x ?? '', 'base64url').toString('base64')}`);
    expect(verifiesByKeys(one, set)).toEqual([true]);
    expect(verifiesByKeys({ ...one, body: `${one.body} ` }, set)).toEqual([false]);
  });

  it('are of the configured kind as soon as it changes', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await endpointWith(harness, 'v1');
    await expect(getJwkSet(harness.context, endpointId)).rejects.toMatchObject({ code: 'webhook_keys_not_found' });
    expect((await getSecret(harness.context, harness.teamId, endpointId)).public_key).toBeNull();
    harness.start();
    expect(schemesOf(await nextMessage(harness, receiver))).toEqual(['v1']);
    await updateEndpoint(harness.context, harness.teamId, endpointId, { signature: 'v1a' });
    const one = await nextMessage(harness, receiver);
    expect(schemesOf(one)).toEqual(['v1a']);
    expect(verifiesByKeys(one, await getJwkSet(harness.context, endpointId))).toEqual([true]);
    for (const verified of libraries(one, (await getSecret(harness.context, harness.teamId, endpointId)).key)) expect(verified).toThrow();
  });

  it('use old and new keys of both kinds during a rotation, with the old ones still published', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await endpointWith(harness, 'both');
    const old = await getSecret(harness.context, harness.teamId, endpointId);
    const ago = (hours: number) => ({ ...harness.context, clock: createManualClock(new Date(Date.now() - hours * hourMs)) });
    const rotate = (hours: number, overlap?: number) =>
      rotateSecret(ago(hours), harness.teamId, endpointId, overlap === undefined ? {} : { overlap });
    await rotate(1, 2 * 3600);
    harness.start();
    const one = await nextMessage(harness, receiver);
    expect(schemesOf(one)).toEqual(['v1', 'v1', 'v1a', 'v1a']);
    const fresh = await getSecret(harness.context, harness.teamId, endpointId);
    expect([fresh.key === old.key, fresh.public_key === old.public_key]).toEqual([false, false]);
    for (const { key } of [old, fresh]) for (const verified of libraries(one, key)) expect(verified).not.toThrow();
    const set = await getJwkSet(harness.context, endpointId);
    expect(verifiesByKeys(one, set)).toEqual([true, true]);
    expect(set.keys.map(({ exp }) => exp === undefined)).toEqual([true, false]);

    await rotate(0, 0);
    expect(schemesOf(await nextMessage(harness, receiver))).toEqual(['v1', 'v1a']);
    expect((await getJwkSet(harness.context, endpointId)).keys).toHaveLength(1);
  });

  it('with an old key end with the requested overlap', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await endpointWith(harness, 'both');
    const weekAgo = { ...harness.context, clock: createManualClock(new Date(Date.now() - 167 * hourMs)) };
    await rotateSecret(weekAgo, harness.teamId, endpointId, { overlap: 7 * 24 * 3600 });
    harness.start();
    expect(schemesOf(await nextMessage(harness, receiver))).toHaveLength(4);
    const later = { ...harness.context, clock: createManualClock(new Date(Date.now() + 2 * hourMs)) };
    expect((await getJwkSet(later, endpointId)).keys).toHaveLength(1);
    for (const overlap of [-1, 7 * 24 * 3600 + 1, 0.5])
      await expect(rotateSecret(harness.context, harness.teamId, endpointId, { overlap })).rejects.toMatchObject({
        code: 'overlap_invalid',
      });
  });

  it('use keys that the team provides, each replacing only the key of its kind', async () => {
    const harness = await createHarness();
    const { receiver, endpointId } = await endpointWith(harness, 'both');
    const { key } = await getSecret(harness.context, harness.teamId, endpointId);
    await rotateSecret(harness.context, harness.teamId, endpointId, { key: knownKey, overlap: 0 });
    expect(await getSecret(harness.context, harness.teamId, endpointId)).toEqual({ key, public_key: knownPublic });
    harness.start();
    const one = await nextMessage(harness, receiver);
    expect(schemesOf(one)).toEqual(['v1', 'v1a']);
    expect(verifiesByKeys(one, await getJwkSet(harness.context, endpointId))).toEqual([true]);
    const broken = rotateSecret(harness.context, harness.teamId, endpointId, { key: `${knownKey.slice(0, -4)}AAA=` });
    await expect(broken).rejects.toMatchObject({ code: 'secret_invalid' });
  });

  it('expose no private key in the database or the published set', async () => {
    const harness = await createHarness();
    const { endpointId } = await endpointWith(harness, 'both');
    await rotateSecret(harness.context, harness.teamId, endpointId, { key: knownKey });
    await rotateSecret(harness.context, harness.teamId, endpointId);
    const [row] = await file.current.sql<{ text: string }[]>`
      SELECT concat(encode(signing_key, 'escape'), encode(previous_signing_keys, 'escape'), public_keys) AS text
      FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`;
    for (const text of [row?.text ?? '', JSON.stringify(await getJwkSet(harness.context, endpointId))]) {
      expect(text).not.toContain('whsk_');
      expect(text).not.toContain(knownKey.slice(10, 30));
      expect(text).not.toContain('"d"');
    }
  });
});
