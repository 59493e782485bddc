import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createManualClock } from '@pulsewire/kernel';
import type { KafkaConfig } from '../config/kafka-config.ts';
import { cacheToken, tokensOf } from './sasl-tokens.ts';

const servers: Server[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function endpoint(status: number, body: string): Promise<KafkaConfig> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    kafkaSaslMechanism: 'oauthbearer',
    kafkaOauthTokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    kafkaOauthClientId: 'pulsewire',
    kafkaOauthClientSecret: 'a-secret-nobody-logs',
  } as KafkaConfig;
}

it('a token is used until most of its life has passed, and renewed once for all who wait', async () => {
  const clock = createManualClock(new Date('2026-01-04T10:00:00Z'));
  let renewals = 0;
  const token = cacheToken(async () => ({ value: `t${++renewals}`, endsAtMs: clock.now().getTime() + 100_000 }), clock);
  expect(await Promise.all([token(), token()])).toEqual(['t1', 't1']);
  clock.advance(79_000);
  expect(await token()).toBe('t1');
  clock.advance(2_000);
  expect(await Promise.all([token(), token()])).toEqual(['t2', 't2']);
});

it.each([
  ['responded with 401', 401, '{"error":"invalid_client"}'],
  ['without a bearer token', 200, '{"token":"x"}'],
  ['without a bearer token', 200, '{"access_token":"a\\u0001auth=Bearer b","expires_in":60}'],
  ['more than 64 KiB', 200, `{"access_token":"${'x'.repeat(70_000)}"}`],
])('an unusable response of the token endpoint is an error without secrets: %s', async (message, status, body) => {
  const error: unknown = await tokensOf(await endpoint(status, body))().catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'kafka_token_failed', retryable: true, message: expect.stringContaining(message) });
  expect(JSON.stringify(error)).not.toContain('nobody-logs');
});

it('a token for AWS is signed with the credentials of the environment, without the secret key', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-key-nobody-logs');
  const token = await tokensOf({ kafkaSaslMechanism: 'aws-msk-iam', kafkaAwsRegion: 'eu-central-1' } as KafkaConfig)();
  const url = Buffer.from(token, 'base64url').toString();
  expect(url).toContain('X-Amz-Credential=AKIDEXAMPLE%2F');
  expect(url).not.toContain('nobody-logs');
});
