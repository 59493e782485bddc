import { randomUUID } from 'node:crypto';
import { sleep, systemClock } from '@pulsewire/kernel';
import { createApiKey, createTeam } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import { maintainLog } from '@pulsewire/eventlog';

/** The users, each with a connected phone, and the key of their app. */
export async function preparePhones(
  database: Database,
  phones: number,
): Promise<{ readonly key: string; readonly userIds: readonly string[] }> {
  await maintainLog(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
  const team = await createTeam(database, systemClock, { name: 'bench', isSandbox: false });
  const { key } = await createApiKey(database, systemClock, { team, label: 'bench' });
  const rows = await database.sql<{ user_id: string }[]>`
    INSERT INTO users (user_id, team_id, client_user_id, created_at)
    SELECT gen_random_uuid(), ${team.teamId}::uuid, 'user-' || place, now() FROM generate_series(1, ${phones}::integer) AS place RETURNING user_id`;
  await database.sql`
    INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, status, application, created_at, updated_at)
    SELECT gen_random_uuid(), team_id, user_id, 'apple_health_kit', user_id::text, 'connected', 'platform', now(), now() FROM users`;
  return { key, userIds: rows.map((row) => row.user_id) };
}

/** Heart rates and steps of a watch, as the SDK writes them: every key is present. */
export function phoneBatch(itemsPerBatch: number): string {
  const startMs = Date.now() - itemsPerBatch * 60_000;
  const records = Array.from({ length: itemsPerBatch }, (_, index) => {
    const isSteps = index % 2 === 0;
    const time = (minute: number) => new Date(startMs + minute * 60_000).toISOString().replace(/\.\d+/, '');
    return {
      id: randomUUID(),
      type: isSteps ? 'HKQuantityTypeIdentifierStepCount' : 'HKQuantityTypeIdentifierHeartRate',
      startDate: time(index),
      endDate: time(isSteps ? index + 1 : index),
      zoneOffset: null,
      source: { appId: 'com.apple.health', deviceName: 'Watch', deviceModel: 'Watch7,5', deviceType: 'watch', recordingMethod: null },
      value: isSteps ? index % 120 : 50 + (index % 90),
      unit: isSteps ? 'count' : 'bpm',
      parentId: null,
      metadata: { HKTimeZone: 'Europe/Berlin' },
    };
  });
  return JSON.stringify({ provider: 'apple', sdkVersion: '0.6.0', syncTimestamp: new Date().toISOString(), data: { records } });
}

/** Sends until the batch is accepted, as the SDK does after a 503 or a failed connection. Returns the time and the number of retries. */
export async function sendBatch(address: string, key: string, body: Buffer): Promise<{ readonly ms: number; readonly repeats: number }> {
  const startedMs = performance.now();
  const headers = { 'content-type': 'application/json', 'x-open-wearables-api-key': key };
  for (let repeats = 0; ; repeats += 1) {
    const response = await fetch(address, { method: 'POST', headers, body, signal: AbortSignal.timeout(600_000) }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 202) return { ms: performance.now() - startedMs, repeats };
    if (response && response.status !== 503) throw new Error(`A batch was answered with ${response.status}`);
    await sleep(Number(response?.headers.get('retry-after') ?? 1) * 1000 * (1 + Math.random()));
  }
}

export async function untilReady(address: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (
      await fetch(`${address}/health/ready`).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
    await sleep(200);
  }
  throw new Error('The service did not get ready');
}
