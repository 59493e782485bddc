import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  authenticateKey,
  createApiKey,
  createTeam,
  createUser,
  deleteOAuthCredential,
  findMustGrantScopes,
  findTeam,
  listApiKeys,
  listApplications,
  listOAuthCredentials,
  listTeams,
  putMustGrantScopes,
  putOAuthCredential,
  recordKeyUses,
  revokeApiKey,
  updateTeam,
  updateUser,
} from '@pulsewire/connections';
import { createCipher, type Cipher } from '@pulsewire/database';
import { silentLogger, type Clock } from '@pulsewire/kernel';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const start = new Date('2026-03-01T08:00:00.123Z');
const later = new Date('2026-03-02T09:00:00.456Z');
const at = (now: Date): Clock => ({ now: () => now, monotonicMs: () => 0 });

const newTeam = () => createTeam(database.current, at(start), { name: 'Team', isSandbox: false });

describe('teams', () => {
  it('are equal whether created, found, listed, updated or authenticated by a key', async () => {
    const made = await newTeam();
    const team = await updateTeam(database.current, made.teamId, { contractDate: '2026-02-28', providerRawData: true });
    expect(team).toEqual({ ...made, contractDate: '2026-02-28', providerRawData: true });
    expect(team.createdAt).toEqual(start);
    const { key } = await createApiKey(database.current, at(start), { team, label: 'first' });
    expect((await authenticateKey(database.current, at(start), key, null))?.team).toEqual(team);
    expect(await findTeam(database.current, team.teamId)).toEqual(team);
    expect((await listTeams(database.current)).find(({ teamId }) => teamId === team.teamId)).toEqual(team);
  });

  it('keep every setting that an update does not name, and other teams stay unchanged', async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const changed = await updateTeam(database.current, team.teamId, { pushHistoricalData: false, contractDate: '2026-01-31' });
    expect(await updateTeam(database.current, team.teamId, {})).toEqual(changed);
    expect(await updateTeam(database.current, team.teamId, { contractDate: null })).toEqual({ ...changed, contractDate: null });
    expect(await findTeam(database.current, other.teamId)).toEqual(other);
    await expect(updateTeam(database.current, randomUUID(), {})).rejects.toMatchObject({ code: 'team_not_found' });
  });
});

describe('API keys', () => {
  it('are listed for their team only, without key and hash', async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const { apiKey } = await createApiKey(database.current, at(start), { team, label: 'first' });
    expect(await listApiKeys(database.current, team.teamId)).toEqual([apiKey]);
    const unlimited = { scopes: null, expiresAt: null, allowedAddresses: null, lastUsedAt: null, rateLimit: null };
    expect(apiKey).toEqual({
      keyId: apiKey.keyId,
      teamId: team.teamId,
      label: 'first',
      createdAt: start,
      revokedAt: null,
      ...unlimited,
    });
    expect(await listApiKeys(database.current, other.teamId)).toEqual([]);
  });

  it('are revoked by their team only, and keep the time of the first revocation', async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const { key, apiKey } = await createApiKey(database.current, at(start), { team, label: 'first' });
    await expect(revokeApiKey(database.current, at(start), other.teamId, apiKey.keyId)).rejects.toMatchObject({
      code: 'api_key_not_found',
    });
    expect(await authenticateKey(database.current, at(later), key, null)).not.toBeNull();
    await revokeApiKey(database.current, at(start), team.teamId, apiKey.keyId);
    await revokeApiKey(database.current, at(later), team.teamId, apiKey.keyId);
    expect(await authenticateKey(database.current, at(later), key, null)).toBeNull();
    expect((await listApiKeys(database.current, team.teamId))[0]?.revokedAt).toEqual(start);
  });
});

describe('the last use of an API key', () => {
  it('is recorded for many keys in one write and never moves backwards', async () => {
    const team = await newTeam();
    const made = [
      await createApiKey(database.current, at(start), { team, label: 'a' }),
      await createApiKey(database.current, at(start), { team, label: 'b' }),
    ];
    const [a = '', b = ''] = made.map(({ apiKey }) => apiKey.keyId);
    await recordKeyUses(
      database.current,
      new Map([
        [a, later],
        [b, start],
      ]),
    );
    await recordKeyUses(
      database.current,
      new Map([
        [a, start],
        [b, later],
        [randomUUID(), later],
      ]),
    );
    expect((await listApiKeys(database.current, team.teamId)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([later, later]);
  });
});

describe('applications of a team', () => {
  it('replace the previous one, are listed without secrets, and are deleted by their team only', async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const cipher = createCipher(new Map([[1, randomBytes(32)]]));
    const values = { teamId: team.teamId, provider: 'fitbit', clientId: 'one', clientSecret: 'secret one', redirectUrlOverride: null };
    await putOAuthCredential(database.current, { cipher, clock: at(start) }, values);
    const second = { ...values, clientId: 'two', clientSecret: 'secret two', redirectUrlOverride: 'https://team.test/back' };
    await putOAuthCredential(database.current, { cipher, clock: at(later) }, second);
    expect(await listOAuthCredentials(database.current, team.teamId)).toEqual([
      { teamId: team.teamId, provider: 'fitbit', clientId: 'two', redirectUrlOverride: 'https://team.test/back', updatedAt: later },
    ]);
    const application = { teamId: team.teamId, clientId: 'two', clientSecret: 'secret two' };
    expect(await listApplications(database.current, { cipher, logger: silentLogger }, 'fitbit')).toEqual([application]);
    expect(await deleteOAuthCredential(database.current, other.teamId, 'fitbit')).toBe(false);
    expect(await deleteOAuthCredential(database.current, team.teamId, 'fitbit')).toBe(true);
    expect(await listOAuthCredentials(database.current, team.teamId)).toEqual([]);
  });
});

describe('an application whose secret cannot be decrypted', () => {
  it('is omitted without affecting the others', async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const [cipher, lost] = [1, 2].map((id) => createCipher(new Map([[id, randomBytes(32)]]))) as [Cipher, Cipher];
    const values = { provider: 'oura', clientId: 'one', clientSecret: 'secret', redirectUrlOverride: null };
    await putOAuthCredential(database.current, { cipher: lost, clock: at(start) }, { ...values, teamId: other.teamId });
    await putOAuthCredential(database.current, { cipher, clock: at(start) }, { ...values, teamId: team.teamId });
    const found = await listApplications(database.current, { cipher, logger: silentLogger }, 'oura');
    expect(found).toEqual([{ teamId: team.teamId, clientId: 'one', clientSecret: 'secret' }]);
  });
});

describe('scopes that a team requires', () => {
  it('are returned unchanged, whatever characters they contain, for their team only', async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const scopes = ['activity', 'a,b', 'with "quotes"', String.raw`back\slash`, '{braces}', 'NULL', '', ' blank '];
    await putMustGrantScopes(database.current, team.teamId, 'fitbit', ['older']);
    await putMustGrantScopes(database.current, team.teamId, 'fitbit', scopes);
    expect(await findMustGrantScopes(database.current, team.teamId, 'fitbit')).toEqual(scopes);
    expect(await findMustGrantScopes(database.current, other.teamId, 'fitbit')).toEqual([]);
    await putMustGrantScopes(database.current, team.teamId, 'fitbit', []);
    expect(await findMustGrantScopes(database.current, team.teamId, 'fitbit')).toEqual([]);
  });
});

describe('user updates', () => {
  it('keep fields that they do not name, and clear fields set to null', async () => {
    const team = await newTeam();
    const values = { clientUserId: 'a', fallbackTimeZone: 'Europe/Berlin', fallbackBirthDate: '1990-02-28', ingestionStart: '2026-01-01' };
    const user = await createUser(database.current, team, values, { clock: at(start), sandboxUsersMax: 50 });
    const change = (changes: Parameters<typeof updateUser>[4]) =>
      updateUser(database.current, at(later), team.teamId, user.userId, changes);
    expect(user.fallbackBirthDate).toEqual({ value: '1990-02-28', source: 'manual', updatedAt: start });
    expect(await change({})).toEqual(user);
    const moved = { ...user, fallbackTimeZone: { value: 'UTC', source: 'manual', updatedAt: later } };
    expect(await change({ fallbackTimeZone: 'UTC' })).toEqual(moved);
    expect(await change({ fallbackBirthDate: null, ingestionStart: null })).toEqual({
      ...moved,
      fallbackBirthDate: null,
      ingestionStart: null,
    });
  });
});
