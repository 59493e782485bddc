import { describe, expect, it } from 'vitest';
import { readGarminAccount } from './account.ts';
import { garmin, revokeGarmin } from './connector.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, type FakeResponse } from '../kit/testing/fake-http.ts';
import { createFakeLogin } from '../kit/testing/fake-login.ts';
import type { PulledPage, PullUser } from '../kit/types/connector.ts';

const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'u1',
  grantedScopes: [],
  account: {},
};
const signal = AbortSignal.timeout(10_000);
const pullOf = (name: string) => garmin.pulls.find((pull) => pull.name === name);
const refused = (status: number) => providerError(garmin.classify({ status, headers: {}, body: undefined }).code, { status });

async function pagesOf(pages: AsyncIterable<PulledPage> | undefined): Promise<PulledPage[]> {
  const found: PulledPage[] = [];
  for await (const page of pages ?? []) found.push(page);
  return found;
}

describe('a request for history', () => {
  const window = { startDate: '2025-04-01', endDate: '2025-04-29' };
  const ask = async (response: FakeResponse, now?: Date) => {
    const http = createFakeHttp(response);
    const pages = await pagesOf(pullOf('history-pulseOx')?.pull({ http, user, window, signal, ...(now && { now }) }));
    return { pages, paths: http.paths };
  };

  const spanOf = ([path = '']: readonly string[]) =>
    [...path.matchAll(/Seconds=(\d+)/g)].map(([, seconds]) => new Date(Number(seconds) * 1000).toISOString());

  it('ends where the next window begins, or now for the newest window', async () => {
    const { pages, paths } = await ask(() => undefined, new Date('2025-06-01T00:00:00Z'));
    expect(pages).toEqual([]);
    expect(paths[0]).toContain('/wellness-api/rest/backfill/pulseOx?');
    expect(spanOf(paths)).toEqual(['2025-04-01T00:00:00.000Z', '2025-04-30T00:00:00.000Z']);
    for (const now of ['2025-04-30T10:59:00Z', '2025-05-01T10:59:00Z'])
      expect(spanOf((await ask(() => undefined, new Date(now))).paths)[1]).toBe(`${now.slice(0, 13)}:00:00.000Z`);
  });

  it('covers at most 30 days, including the two extra days of the newest window', () => {
    expect((pullOf('history-pulseOx')?.chunkDays ?? 0) + 2).toBe(30);
  });

  const outOfReach = (earliest: string, status = 400) => {
    const body = { errorMessage: `start 2025-04-01T00:00:00Z before min start time of ${earliest}` };
    const { code, details = {} } = garmin.classify({ status, headers: {}, body });
    return providerError(code, { ...details, status });
  };

  it.each([400, 401])('is repeated from the first hour that Garmin provides, when rejected with %s', async (status) => {
    let calls = 0;
    const { pages, paths } = await ask(() => {
      calls += 1;
      if (calls === 1) throw outOfReach('2025-04-20T16:42:30.333571500Z', status);
      return undefined;
    });
    expect(pages).toEqual([]);
    expect(paths.map((path) => spanOf([path]))).toEqual([
      ['2025-04-01T00:00:00.000Z', '2025-04-30T00:00:00.000Z'],
      ['2025-04-20T17:00:00.000Z', '2025-04-30T00:00:00.000Z'],
    ]);
  });

  it('ends without data and without an error when the whole window is earlier', async () => {
    const { pages, paths } = await ask(() => {
      throw outOfReach('2025-05-20T16:42:30.333571500Z');
    });
    expect(pages).toEqual([]);
    expect(paths).toHaveLength(1);
  });

  it('fails permanently when the first hour that Garmin provides is unreadable', async () => {
    const requested = ask(() => {
      throw outOfReach('yesterday');
    });
    await expect(requested).rejects.toMatchObject({ code: 'provider_permanent', retryable: false });
  });

  it('succeeds when Garmin returns 409 for a repeated request; other rejections are errors', async () => {
    const throwing = (status: number) =>
      ask(() => {
        throw refused(status);
      });
    expect((await throwing(409)).pages).toEqual([]);
    await expect(throwing(403)).rejects.toMatchObject({ code: 'provider_scope_missing' });
    await expect(throwing(412)).rejects.toMatchObject({ code: 'provider_scope_missing' });
    await expect(throwing(400)).rejects.toMatchObject({ code: 'provider_permanent' });
    await expect(throwing(429)).rejects.toMatchObject({ code: 'provider_rate_limited' });
  });

  it('requires the history permission; pings require only that for the data', () => {
    expect(pullOf('history-dailies')?.requiredScopes).toEqual(['HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT']);
    expect(pullOf('callback-dailies')?.requiredScopes).toEqual(['HEALTH_EXPORT']);
    expect(pullOf('callback-activities')?.requiredScopes).toEqual(['ACTIVITY_EXPORT']);
  });
});

describe('a ping', () => {
  it('is read from its URL, keeping only this user’s summaries', async () => {
    const metric = { summaryId: 'm', calendarDate: '2025-05-01', vo2Max: 48 };
    const http = createFakeHttp(() => [
      { ...metric, userId: 'u1' },
      { ...metric, userId: 'u2', calendarDate: '2025-05-02' },
    ]);
    const objectId = 'https://apis.garmin.com/wellness-api/rest/userMetrics?token=t';
    const pages = await pagesOf(pullOf('callback-userMetrics')?.pullObject?.({ http, user, objectId, signal }));
    expect(http.paths).toEqual([objectId]);
    const [group] = pages.flatMap(({ records }) => records);
    expect(group?.kind === 'samples' && group.samples).toHaveLength(1);
  });
});

describe('the account', () => {
  const accountOf = (response: FakeResponse, providerUserId: string | null = null) =>
    readGarminAccount({ http: createFakeHttp(response), grantedScopes: ['PARTNER_READ'], providerUserId });
  const permissions = ['HEALTH_EXPORT', 'ACTIVITY_EXPORT'];

  it('reads the permissions as scopes, in both shapes', async () => {
    const known = await accountOf(({ path }) => (path.endsWith('/id') ? { userId: 'u1' } : { permissions }));
    expect(known).toEqual({ providerUserId: 'u1', grantedScopes: permissions, account: { permissions } });
    expect((await accountOf(() => permissions, 'u1')).grantedScopes).toEqual(permissions);
    expect((await accountOf(() => 'nothing', 'u1')).grantedScopes).toBeUndefined();
  });

  it('is read at the second address when the first one has no such user', async () => {
    const found = await accountOf(({ path }) => {
      if (path.startsWith('/partner-gateway')) throw refused(404);
      return path.endsWith('/id') ? { userId: 'u1' } : permissions;
    });
    expect(found).toMatchObject({ providerUserId: 'u1', grantedScopes: permissions });
    await expect(
      accountOf(() => {
        throw refused(500);
      }),
    ).rejects.toMatchObject({ code: 'provider_transient' });
  });
});

describe('the end of a registration', () => {
  const revoke = (status: number, providerUserId: string | null = 'u1') => {
    const http = createFakeLogin(() => ({ status }));
    const call = {
      http,
      application: { clientId: 'c', clientSecret: 's' },
      accessToken: 'a1',
      refreshToken: 'r1',
      providerUserId,
      revokeUrl: null,
    };
    return { done: revokeGarmin(call), calls: http.calls };
  };

  it('requires a valid access token, and is skipped when the user is unknown', async () => {
    const { done, calls } = revoke(204);
    expect(await done).toBe(true);
    expect(calls).toEqual([{ method: 'DELETE', path: '/partner-gateway/rest/user/registration', headers: { authorization: 'Bearer a1' } }]);
    await expect(revoke(401).done).rejects.toMatchObject({ code: 'provider_token_expired' });
    expect(await revoke(204, null).done).toBe(false);
  });
});
