import { describe, expect, it } from 'vitest';
import { createFakeHttp, responsesFor } from '../kit/testing/fake-http.ts';
import { readFitbitAccount } from './account.ts';

const providerOf = (bodies: Readonly<Record<string, unknown>>) => createFakeHttp(responsesFor(bodies));

const profile = { user: { encodedId: 'ABC123', timezone: 'Europe/Berlin' } };
const devices = [{ id: '1', type: 'TRACKER', deviceVersion: 'Charge 6', lastSyncTime: '2025-05-01T08:00:00.000', mac: 'x' }, null];

describe('readFitbitAccount', () => {
  it('reads id, zone and devices', async () => {
    const http = providerOf({ '/1/user/-/profile.json': profile, '/1/user/-/devices.json': devices });
    const now = new Date('2025-05-01T10:00:00Z');
    expect(await readFitbitAccount({ http, grantedScopes: ['profile', 'settings'], now })).toEqual({
      providerUserId: 'ABC123',
      account: {
        time_zone: 'Europe/Berlin',
        time_zones: [{ since: '2025-05-01', time_zone: 'Europe/Berlin' }],
        devices: [
          { id: '1', type: 'TRACKER', model: 'Charge 6', last_sync_time: '2025-05-01T08:00:00.000' },
          { id: null, type: null, model: null, last_sync_time: null },
        ],
      },
    });
  });

  it('requests only what was granted and keeps the previous facts', async () => {
    const http = providerOf({});
    expect(await readFitbitAccount({ http, grantedScopes: ['sleep'], previous: { time_zone: 'Asia/Tokyo' } })).toEqual({
      providerUserId: null,
      account: { time_zone: 'Asia/Tokyo' },
    });
    expect(http.paths).toEqual([]);
  });

  it('applies a new zone from the next day on', async () => {
    const http = providerOf({ '/1/user/-/profile.json': profile });
    const previous = { time_zones: [{ since: '2025-01-01', time_zone: 'Asia/Tokyo' }] };
    const { account } = await readFitbitAccount({ http, grantedScopes: ['profile'], previous, now: new Date('2025-05-01T10:00:00Z') });
    expect(account['time_zones']).toEqual([...previous.time_zones, { since: '2025-05-02', time_zone: 'Europe/Berlin' }]);
  });
});
