import { expect, test } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import { findSigners } from './find-signers.ts';
import type { PushTarget } from './push-call.ts';
import type { PushContext } from './push-context.ts';
import type { PushApplication, PushSecrets } from './secrets/push-secrets.ts';
import { createSignerSearch } from './signer-search.ts';

const body = Buffer.alloc(1024 * 1024);

function stage(count: number) {
  const clock = createManualClock(new Date(0));
  const applications = Array.from({ length: count }, (_, number): PushApplication => {
    return { teamId: `team-${number}`, clientId: `id-${number}`, clientSecret: `secret-${number}` };
  });
  const secrets: PushSecrets = { applications, verificationCode: null };
  const state = { tried: 0, secrets };
  const support = {
    isSigned: true,
    verify: (push: { headers: Record<string, unknown> }, { application }: { application: PushApplication }) => {
      state.tried += 1;
      return push.headers['x-signature'] === application.clientSecret;
    },
  };
  const context = { clock, search: createSignerSearch(clock), secretsFor: async () => state.secrets } as unknown as PushContext;
  const called = { slug: 'fitbit', support, segment: null } as unknown as PushTarget;
  const find = async (signature: string) => {
    state.tried = 0;
    const push = { method: 'POST', headers: { 'x-signature': signature }, query: {}, body };
    return (await findSigners(context, called, push, secrets)).map(({ teamId }) => teamId);
  };
  return { clock, state, secrets, find };
}

const busy = { code: 'push_capacity_exceeded', kind: 'unavailable', retryable: true };

test('bounds how often forged bodies are hashed, however many applications there are', async () => {
  const { clock, state, find } = stage(500);
  expect(await find('forged')).toEqual([]);
  expect(state.tried).toBe(500);
  for (let number = 0; number < 20; number++) {
    await expect(find('forged')).rejects.toMatchObject(busy);
    expect(state.tried).toBe(16);
  }
  clock.advance(60_000);
  expect(await find('secret-400')).toEqual(['team-400']);
});

test('finds a recent signer with one hash, even while forged bodies arrive', async () => {
  const { state, find } = stage(500);
  expect(await find('secret-499')).toEqual(['team-499']);
  await expect(find('forged')).rejects.toMatchObject(busy);
  expect(await find('secret-499')).toEqual(['team-499']);
  expect(state.tried).toBe(1);
});

test("returns every application that shares the signer's secret", async () => {
  const { secrets, find } = stage(3);
  const shared: PushApplication = { teamId: null, clientId: 'id-1', clientSecret: 'secret-1' };
  (secrets.applications as PushApplication[]).push(shared);
  expect(await find('secret-1')).toEqual(['team-1', null]);
});

test('checks only changed secrets after a reload', async () => {
  const { state, secrets, find } = stage(10);
  const late: PushApplication = { teamId: 'late', clientId: 'late', clientSecret: 'late-secret' };
  state.secrets = { ...secrets, applications: [...secrets.applications, late] };
  expect(await find('forged')).toEqual([]);
  expect(state.tried).toBe(11);
  expect(await find('late-secret')).toEqual(['late']);
});
