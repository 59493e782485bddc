import { systemClock } from '@pulsewire/kernel';
import type { ProviderResponse, ProviderSend } from '@pulsewire/providers';
import { expect, it } from 'vitest';
import { recordResponses } from './record-responses.ts';
import { replayResponses } from './replay-responses.ts';

it('returns the Link header of a response, without which a resumed reading would lose the later pages', async () => {
  const link = '</v2/diary?page_token=abc>; rel=next';
  const headers = { 'content-type': 'application/json', link, 'x-other': 'not kept' };
  const live: ProviderSend = async (): Promise<ProviderResponse> => ({
    status: 200,
    headers,
    body: {},
    bytes: Buffer.from('{}'),
    version: 7n,
  });
  const recording = recordResponses(live, systemClock);
  await recording.send('GET', '/v2/diary', {});
  const parts = [recording.take()];
  const replayed = await replayResponses(async () => parts.shift() ?? null).send('GET', '/v2/diary', {});
  expect(replayed.headers).toEqual({ 'content-type': 'application/json', link });
});
