import { describe, expect, it } from 'vitest';
import type { PushNotice, RawPush } from '../kit/types/connector.ts';
import { garminPush } from './push.ts';

const proof = { application: { clientId: 'client', clientSecret: 'secret' }, subscriptionSecret: null, now: new Date() };
const start = 1_746_050_400;
const daily = { userId: 'u1', summaryId: 'x-1', calendarDate: '2025-05-01', startTimeInSeconds: start, durationInSeconds: 900, steps: 1 };

function pushOf(body: unknown, more: Partial<RawPush> = {}): RawPush {
  const headers = { 'garmin-client-id': 'client' };
  return { method: 'POST', headers, query: {}, body: Buffer.from(JSON.stringify(body)), ...more };
}
const parse = (body: unknown) => garminPush.parse(pushOf(body));
const growthOf = (key: string, item: object) => {
  const [notice] = parse({ [key]: [item] }).notices;
  return notice?.kind === 'data' ? (notice.growth ?? null) : null;
};

describe('verify', () => {
  it('requires POST and the header with our client id', () => {
    const isGood = (more: Partial<RawPush>) => garminPush.verify(pushOf({}, more), proof);
    expect(isGood({})).toBe(true);
    expect(isGood({ headers: {} })).toBe(false);
    expect(isGood({ headers: { 'garmin-client-id': 'other' } })).toBe(false);
    expect(isGood({ headers: { 'garmin-client-id': ['client', 'client'] } })).toBe(false);
    expect(isGood({ method: 'PUT' })).toBe(false);
  });
});

describe('parse', () => {
  it('separates the users in one body and ignores unknown keys', () => {
    const { notices, unreadable } = parse({
      dailies: [daily, { ...daily, userId: 'u2' }],
      brandNew: [{ userId: 'u1' }],
      moveIQActivities: 7,
    });
    expect(notices.map(({ kind, providerUserId }) => [kind, providerUserId])).toEqual([
      ['data', 'u1'],
      ['data', 'u2'],
    ]);
    expect(unreadable).toEqual([]);
  });

  it('reports items without a user and keys without a list, and reads the rest', () => {
    const { notices, unreadable } = parse({ dailies: [{ ...daily, userId: null }, daily], hrv: 5 });
    expect(notices).toHaveLength(1);
    expect(unreadable).toEqual([
      { reason: 'missing_field', pointer: '/dailies/0/userId' },
      { reason: 'unknown_shape', pointer: '/hrv' },
    ]);
  });

  it('parses a ping as an object to read, with a secret URL', () => {
    const callbackURL = 'https://apis.garmin.com/wellness-api/rest/dailies?token=t';
    expect(parse({ dailies: [{ userId: 'u1', callbackURL }] }).notices).toEqual([
      { kind: 'object', providerUserId: 'u1', collection: 'dailies', objectId: callbackURL, isSecret: true },
    ]);
    expect(parse({ dailies: [{ userId: 'u1', callbackURL: 'x'.repeat(2000) }] }).notices).toEqual([]);
  });

  it('joins a user’s epochs of the same quarter hour', () => {
    const epoch = { userId: 'u1', startTimeInSeconds: start, durationInSeconds: 900, steps: 1 };
    const { notices } = parse({
      epochs: [epoch, { ...epoch, steps: 2 }, { ...epoch, userId: 'u2' }, { ...epoch, startTimeInSeconds: start + 900 }],
    });
    expect(notices.map((notice) => (notice.kind === 'data' ? (notice.payload as unknown[]).length : 0))).toEqual([2, 1, 1]);
  });

  it('joins many epochs of the same quarter hour in one pass', () => {
    const epoch = { userId: 'a', startTimeInSeconds: 900, durationInSeconds: 900 };
    const { notices } = garminPush.parse(pushOf({ epochs: Array.from({ length: 10_000 }, (_, steps) => ({ ...epoch, steps })) }));
    expect(notices).toMatchObject([{ kind: 'data', payload: { length: 10_000, 9999: { steps: 9999 } } }]);
  });

  it('keeps a user’s epochs together when a body is read in parts', () => {
    const word = garminPush.inParts?.together['epochs'];
    expect([word?.({ userId: 'u1' }), word?.({}), word?.(7)]).toEqual(['u1', null, null]);
    expect(garminPush.inParts?.together['dailies']).toBeUndefined();
  });

  it('parses deregistrations and permission changes, the newest of which takes precedence', () => {
    const change = (permissions: readonly string[], changeTimeInSeconds: number) => ({ userId: 'u1', permissions, changeTimeInSeconds });
    const { notices } = parse({
      deregistrations: [{ userId: 'u2' }],
      userPermissionsChange: [change(['HEALTH_EXPORT'], 20), change([], 10)],
    });
    const scopes = (grantedScopes: readonly string[]): PushNotice => ({ kind: 'scopes', providerUserId: 'u1', grantedScopes });
    expect(notices).toEqual([scopes([]), scopes(['HEALTH_EXPORT']), { kind: 'revoked', providerUserId: 'u2' }]);
  });

  it('rejects a body of another shape', () => {
    for (const body of [[], 'x', 7, null]) expect(() => parse(body)).toThrow(expect.objectContaining({ code: 'push_unreadable' }));
  });
});

describe('growth', () => {
  it('identifies a day by its date, whatever its id, and uses its duration', () => {
    expect(growthOf('dailies', daily)).toEqual({
      item: 'dailies 2025-05-01',
      extent: 900,
      endMs: (start + 900) * 1000,
      keepDays: 100,
    });
    expect(growthOf('dailies', { ...daily, summaryId: 'y' })?.item).toBe('dailies 2025-05-01');
  });

  it('compares unfinished nights by how sure they are, then by duration', () => {
    const of = (validation: string, durationInSeconds: number) =>
      growthOf('sleeps', { ...daily, validation, durationInSeconds })?.extent ?? -1;
    expect(of('ENHANCED_TENTATIVE', 100)).toBeGreaterThan(of('AUTO_TENTATIVE', 30_000));
    expect(of('OFF_WRIST', 100)).toBeGreaterThan(of('SOMETHING_NEW', 30_000));
  });

  it.each([
    ['sleeps', { validation: 'ENHANCED_FINAL' }, true],
    ['sleeps', { validation: 'AUTO_MANUAL' }, true],
    ['sleeps', { validation: 'AUTO_TENTATIVE' }, undefined],
    ['dailies', { durationInSeconds: 86_400 }, true],
    ['dailies', { durationInSeconds: 82_800 }, true],
    ['dailies', { durationInSeconds: 85_500 }, undefined],
    ['epochs', { durationInSeconds: 900 }, true],
    ['epochs', { durationInSeconds: 300 }, undefined],
  ])('knows by what %s say themselves, %j, whether they are final', (key, more, isFinal) => {
    expect(growthOf(key, { ...daily, ...more })?.isFinal).toBe(isFinal);
  });

  it('does not apply to workouts, which can be shortened by hand, nor without a duration', () => {
    expect(growthOf('activities', { ...daily, activityId: 1 })).toBeNull();
    expect(growthOf('userMetrics', { userId: 'u1', summaryId: 'm', calendarDate: '2025-05-01' })).toBeNull();
    expect(growthOf('stressDetails', { ...daily, summaryId: 'x'.repeat(500) })).toBeNull();
  });
});
