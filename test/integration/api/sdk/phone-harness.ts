import { randomBytes } from 'node:crypto';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { createCipher, type Database } from '@pulsewire/database';
import { createBatchWorker } from '@pulsewire/intake';
import { createApiHarness, type Caller, type Reply } from '../support/harness.ts';

/** The credentials of a phone after its sign-in. */
export interface Phone {
  readonly userId: string;
  readonly token: string;
  readonly refreshToken: string;
  /** Sends a batch with these lists. */
  sync(provider: string, data: object): Promise<Reply>;
}

/** The API with a worker for batches. */
export async function createPhoneHarness(database: Database) {
  const cipher = createCipher(new Map([[1, randomBytes(32)]]));
  const harness = await createApiHarness(database, { overrides: { cipher } });
  const { clock } = harness;
  const newWorker = () => createBatchWorker({ database, cipher, clock, logger: silentLogger, metrics: noMetrics });
  const worker = newWorker();
  async function newPhone(caller: Caller): Promise<Phone> {
    const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: crypto.randomUUID() })).body;
    const credentials = { app_id: caller.team.teamId, app_secret: caller.key };
    const signedIn = await harness.bare('POST', `/api/v1/users/${userId}/token`, credentials);
    const { access_token: token, refresh_token: refreshToken } = signedIn.body;
    const body = (provider: string, data: object) => ({ provider, sdkVersion: '0.6.0', syncTimestamp: '2026-01-05T00:00:00Z', data });
    return {
      userId,
      token,
      refreshToken,
      sync: (provider, data) =>
        harness.bare('POST', `/api/v1/sdk/users/${userId}/sync`, body(provider, data), { authorization: `Bearer ${token}` }),
    };
  }
  return {
    ...harness,
    newPhone,
    newWorker,
    /** Processes batches until none is due; returns their number. */
    async work() {
      let worked = 0;
      for (let done = await worker.workOldest(); done > 0; done = await worker.workOldest()) worked += done;
      return worked;
    },
  };
}

export const watch = {
  appId: 'com.apple.health',
  deviceId: null,
  deviceName: 'Watch',
  deviceManufacturer: 'Apple Inc.',
  deviceModel: 'Watch7,5',
  deviceType: 'watch',
  recordingMethod: null,
};

/** A record with every key, as the SDKs send it. */
export const record = (type: string, startDate: string, value: number | null, unit: string | null, more: object = {}) => ({
  id: crypto.randomUUID(),
  type,
  startDate,
  endDate: startDate,
  zoneOffset: null,
  source: watch,
  value,
  unit,
  parentId: null,
  metadata: null,
  ...more,
});

/** A sleep stage with every key. */
export const stage = (name: string, startDate: string, endDate: string, more: object = {}) => ({
  id: crypto.randomUUID(),
  parentId: null,
  stage: name,
  startDate,
  endDate,
  zoneOffset: '+01:00',
  source: watch,
  values: null,
  metadata: null,
  ...more,
});
