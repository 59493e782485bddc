import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCipher, openCipher, parseCipherKeys, retireCipherKeys } from '@pulsewire/database';
import { loadOrMakeKeys } from '../../../services/standalone/src/installation/keys.ts';
import { sealedColumns } from '../../../services/standalone/src/installation/sealed-columns.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const key = () => randomBytes(32).toString('base64');
const [first, second] = [key(), key()];
let dataDir = '';

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-keys-'));
});
afterAll(() => rm(dataDir, { recursive: true }));
beforeEach(async () => {
  await database.current.sql`DELETE FROM encryption_key_checks`;
});

const open = (keys: string) => openCipher(database.current, keys);

/** A token as left by a version that recorded no keys. */
async function storeToken(keys: string): Promise<void> {
  const id = randomUUID();
  await database.current.sql`
    INSERT INTO connections (connection_id, team_id, user_id, provider, status, application, created_at, updated_at)
    VALUES (${id}, ${randomUUID()}, ${randomUUID()}, 'fitbit', 'connected', 'team', now(), now())`;
  await database.current.sql`
    INSERT INTO connection_tokens (connection_id, access_token, issued_at, token_version)
    VALUES (${id}, ${createCipher(parseCipherKeys(keys)).seal('token', `connection:${id}`)}, now(), 1)`;
}

describe('a process', () => {
  it('refuses to start with another key under the id of the one in use', async () => {
    await open(`1:${first}`);
    await expect(open(`1:${second}`)).rejects.toMatchObject({ code: 'encryption_key_wrong' });
    expect((await open(`1:${first}`)).currentKeyId).toBe(1);
  });

  it('refuses to start without a key that encrypted stored values', async () => {
    await open(`1:${first}`);
    await expect(open(`2:${second}`)).rejects.toMatchObject({ code: 'encryption_key_missing', details: { keyIds: [1] } });
  });

  it('accepts an additional key, and starts without the old one once it is retired', async () => {
    await open(`1:${first}`);
    await open(`1:${first},2:${second}`);
    await expect(open(`2:${second}`)).rejects.toMatchObject({ code: 'encryption_key_missing' });
    await retireCipherKeys(database.current, 2);
    // A process that still has the retired key does not restore it.
    await open(`1:${first},2:${second}`);
    expect((await open(`2:${second}`)).currentKeyId).toBe(2);
  });

  it('rejects a wrong key on a database that predates recorded keys, and records none', async () => {
    await storeToken(`1:${first}`);
    const openUpgraded = (keys: string) => openCipher(database.current, keys, sealedColumns);
    await expect(openUpgraded(`1:${second}`)).rejects.toMatchObject({ code: 'encryption_key_wrong', details: { keyIds: [1] } });
    await expect(openUpgraded(`2:${second}`)).rejects.toMatchObject({ code: 'encryption_key_wrong', details: { keyIds: [1] } });
    expect((await openUpgraded(`1:${first}`)).currentKeyId).toBe(1);
  });

  it('records only one key when two processes start at once with different keys', async () => {
    const starts = await Promise.allSettled([open(`1:${first}`), open(`1:${second}`)]);
    expect(starts.map((start) => start.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the data folder', () => {
  it('receives new keys only while nothing is encrypted', async () => {
    await expect(loadOrMakeKeys(dataDir, async () => true)).rejects.toMatchObject({ code: 'keys_missing' });
    const made = await loadOrMakeKeys(dataDir, async () => false);
    expect(await loadOrMakeKeys(dataDir, async () => true)).toEqual(made);
  });

  it('never receives new keys over a damaged file', async () => {
    const file = path.join(dataDir, 'keys.json');
    await writeFile(file, '{"encryptionKeys":');
    await expect(loadOrMakeKeys(dataDir, async () => false)).rejects.toMatchObject({ code: 'keys_unreadable' });
    expect(await readFile(file, 'utf8')).toBe('{"encryptionKeys":');
  });
});
