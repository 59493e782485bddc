import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { authenticateKey, listApiKeys, revokeApiKey } from '@pulsewire/connections';
import { keyCommands } from '../../../services/standalone/src/admin/teams/keys.ts';
import { seedTeam } from '../../../services/standalone/src/installation/seed.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const newKey = () => `sk_${randomBytes(24).toString('hex')}`;
const seed = (key: string) => seedTeam(database.current, systemClock, key);

it('keeps one seeded team, whichever key it starts with, and reports a key as new only once', async () => {
  const [first, second] = [newKey(), newKey()];
  const made = await seed(first);
  expect(made).toMatchObject({ apiKey: first, isNew: true });
  expect(await seed(first)).toMatchObject({ team: made.team, apiKey: first, isNew: false });
  expect(await seed(second)).toMatchObject({ team: made.team, apiKey: second, isNew: true });
});

it('starts after the seeded key was revoked, and does not restore the key', async () => {
  const key = newKey();
  const { team } = await seed(key);
  const seeded = (await listApiKeys(database.current, team.teamId)).at(-1);
  await revokeApiKey(database.current, systemClock, team.teamId, seeded?.keyId ?? '');
  expect(await seed(key)).toMatchObject({ team, apiKey: null, isNew: false });
  expect(await authenticateKey(database.current, systemClock, key, null)).toBeNull();
});

it('rotates the seeded key: the old one is revoked, and the data folder keeps the new one', async () => {
  const key = newKey();
  const { team } = await seed(key);
  const keyId = (await listApiKeys(database.current, team.teamId)).at(-1)?.keyId ?? '';
  let kept = key;
  const lines: string[] = [];
  const rotate = keyCommands.find(({ name }) => name === 'keys rotate');
  const context = {
    database: database.current,
    clock: systemClock,
    print: (line: string) => void lines.push(line),
    seededKey: { read: async () => kept, save: async (saved: string) => void (kept = saved) },
  };
  await rotate?.run(context as never, { positionals: [team.teamId, keyId], options: {} });
  expect(kept).not.toBe(key);
  expect(lines).toEqual([`API key (shown once): ${kept}`]);
  expect(await authenticateKey(database.current, systemClock, key, null)).toBeNull();
  expect(await seed(kept)).toMatchObject({ team, apiKey: kept, isNew: false });
  await expect(rotate?.run(context as never, { positionals: [team.teamId, keyId], options: {} })).rejects.toMatchObject({
    code: 'api_key_not_found',
  });
});

it('rejects a weak key and describes a strong one', async () => {
  for (const weak of ['sk_short', 'a'.repeat(40), 'password'.repeat(5), `${newKey()} `])
    await expect(seed(weak)).rejects.toMatchObject({ code: 'api_key_weak', message: expect.stringContaining('openssl rand') });
});
