import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { createTeam } from '@pulsewire/connections';
import { openCipher, openDatabase, type Database } from '@pulsewire/database';
import { generationOf } from '@pulsewire/eventlog';
import { replayErasuresFile, saveErasures } from '@pulsewire/service-scheduler';
import { drawVersion } from '@pulsewire/store';
import { startArchivedServer } from '../../support/restore/archived-server.ts';
import {
  admin,
  contentOf,
  encryptionKeys,
  eraseNow,
  isThere,
  liveIn,
  numberIn,
  opens,
  read,
  write,
  type LivedIn,
} from '../../support/restore/lived-in.ts';
import { findPostgresPrograms, startSystemPostgres } from '../../support/restore/system-postgres.ts';
import { startCommitCutter } from '../../support/commit-cutter.ts';
import { useDatabase } from '../../support/database.ts';

vi.setConfig({ testTimeout: 60_000 });
const run = promisify(execFile);
const programs = await findPostgresPrograms();
const own = useDatabase();
const fresh = useDatabase();
let folder = '';
let erasures = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-restore-'));
});
beforeEach(() => {
  erasures = path.join(folder, `${randomBytes(4).toString('hex')}.jsonl`);
});
afterAll(() => rm(folder, { recursive: true }));

const lastGeneration = async ({ sql }: Database) =>
  (await sql<{ generation: number }[]>`SELECT max(generation)::int AS generation FROM log_generations`)[0]?.generation;

/** Contents of the lost end of the log: events that were read, an erased user, and later versions. */
async function liveOn(database: Database, lived: LivedIn): Promise<void> {
  await write(database, lived.user, 90, 91);
  await read(database);
  await eraseNow(database, lived);
  expect([await isThere(database, lived), await opens(database, lived.goneKey)]).toEqual([false, false]);
  await saveErasures(database, systemClock, erasures);
}

async function checkRestored(url: string, lived: LivedIn, content: Record<string, string>): Promise<void> {
  const database = openDatabase({ url, connectionsMax: 10 });
  try {
    expect(await contentOf(database)).toEqual(content);
    await expect(openCipher(database, `1:${randomBytes(32).toString('base64')}`)).rejects.toMatchObject({ code: 'encryption_key_wrong' });
    const cipher = await openCipher(database, encryptionKeys);
    const [token] = await database.sql<
      { id: string; token: Buffer }[]
    >`SELECT connection_id AS id, access_token AS token FROM connection_tokens`;
    expect(cipher.open(token?.token ?? Buffer.alloc(0), `connection:${token?.id}`)).toBe('refresh token');
    expect([await isThere(database, lived), await opens(database, lived.goneKey)]).toEqual([true, true]);

    const before = await lastGeneration(database);
    const first = await admin(url, 'restored', erasures);
    expect(first.join('\n')).toMatch(
      /started generation 2[\s\S]*Interrupted token refreshes: 1[\s\S]*Erasures: the restore had brought back 2 users and 1 teams[\s\S]*Users erased: 2\. Teams erased: 1/,
    );
    const second = await admin(url, 'restored', erasures);
    expect(second.join('\n')).toMatch(
      /already has its generation[\s\S]*refreshes: 0[\s\S]*Erasures: the restore had brought back 0 users and 0 teams[\s\S]*Users erased: 0\. Teams erased: 0/,
    );
    expect([before, await lastGeneration(database)]).toEqual([1, 2]);

    expect([await isThere(database, lived), await opens(database, lived.goneKey)]).toEqual([false, false]);
    expect(await database.sql`SELECT name FROM teams`).toEqual([{ name: 'Clinic' }]);
    const left = await database.sql`
      SELECT 1 FROM all_samples JOIN sources USING (user_source_id) WHERE user_id = ${lived.erased.userId}`;
    expect(left).toHaveLength(0);

    // The old position skips neither events that were unread at the backup nor events written now.
    await write(database, lived.user, 5, 6);
    const events = (await read(database)).filter((event) => event.userId === lived.user.userId && event.eventType === 'x');
    expect(events.map(numberIn)).toEqual([3, 4, 5, 6]);
    expect(events.map((event) => generationOf(event.offset))).toEqual([1, 1, 2, 2]);
    const [mark] = await database.sql<{ version: string }[]>`SELECT version FROM receipt_version_mark`;
    expect(await drawVersion(database)).toBeGreaterThan(BigInt(mark?.version ?? 0));
  } finally {
    await database.close();
  }
}

test.skipIf(programs === null)('one command repairs a dump that is loaded into another server or beside the original', async () => {
  const bin = programs ?? '';
  const [original, other] = [await startSystemPostgres(bin), await startSystemPostgres(bin)];
  try {
    const url = await original.create('pulsewire');
    const database = openDatabase({ url, connectionsMax: 10 });
    const lived = await liveIn(database);
    const content = await contentOf(database);
    const dump = path.join(folder, 'pulsewire.dump');
    await run(path.join(bin, 'pg_dump'), ['-Fc', '-f', dump, url]);
    await liveOn(database, lived);
    await database.close();
    for (const target of [await other.create('pulsewire'), await original.create('beside')]) {
      await run(path.join(bin, 'pg_restore'), ['--no-owner', '--exit-on-error', '-d', target, dump]);
      await expect(checkRestored(target, lived, content)).resolves.toBeUndefined();
    }
  } finally {
    await original.stop();
    await other.stop();
  }
});

test('the same command repairs a base backup that is restored to a point in time', async () => {
  const server = await startArchivedServer();
  try {
    const url = await server.url('pulsewire');
    const database = openDatabase({ url, connectionsMax: 10 });
    await server.backUp();
    const lived = await liveIn(database);
    const content = await contentOf(database);
    await server.markPoint('before');
    await liveOn(database, lived);
    await database.close();
    const restored = await server.restore('before', 'pulsewire');
    await expect(checkRestored(restored, lived, content)).resolves.toBeUndefined();
  } finally {
    await server.stop();
  }
});

test('refuses to run while services run, and starts a generation for a disk snapshot on demand', async () => {
  const service = openDatabase({ url: own.url, name: 'pulsewire-api', connectionsMax: 1 });
  await service.sql`SELECT 1`;
  await expect(admin(own.url, 'restored')).rejects.toThrow('Stop every process first; connected now: pulsewire-api');
  await service.close();
  expect((await admin(own.url, 'restored')).join('\n')).toContain('If a disk snapshot was restored');
  expect((await admin(own.url, 'restored', '--snapshot')).join('\n')).toContain('started generation 2');
});

test('restoring a disk snapshot starts one generation, wherever the command is interrupted', async () => {
  const database = fresh.current;
  const lived = await liveIn(database);
  await liveOn(database, lived);
  // What the command can detect about the snapshot: an erased user and an erased team exist again.
  const again = await createTeam(database, systemClock, { name: 'Again', isSandbox: false });
  await database.sql`INSERT INTO team_erasures VALUES (${again.teamId}, now())`;
  await saveErasures(database, systemClock, erasures);
  await database.sql`DELETE FROM team_erasures WHERE team_id = ${again.teamId}`;
  const cutter = await startCommitCutter(fresh.url);
  try {
    let cuts = 0;
    for (let isDone = false; !isDone;) {
      const [seen, lost] = [cutter.commits, cutter.lost];
      cutter.loses = (number) => number === seen + cuts + 1;
      isDone = await admin(cutter.url, 'restored', '--snapshot', erasures).then(
        () => true,
        () => false,
      );
      cuts += 1;
      if (cutter.lost === lost) expect(isDone).toBe(true);
      expect(await lastGeneration(database)).toBe(2);
    }
    expect(cuts).toBeGreaterThan(3);
  } finally {
    await cutter.close();
  }
  expect(await database.sql`SELECT 1 FROM teams WHERE team_id = ${again.teamId}`).toHaveLength(0);
  const repeated = (await admin(fresh.url, 'restored', '--snapshot', erasures)).join('\n');
  expect(repeated).toMatch(
    /generation 2 was already started[\s\S]*Erasures: the restore had brought back 0 users and 0 teams[\s\S]*Users erased: 0/,
  );
  // Once readers have seen events of the generation, a snapshot may lack them: the next run begins another.
  await write(database, lived.user, 5);
  await read(database);
  expect((await admin(fresh.url, 'restored', '--snapshot')).join('\n')).toContain('started generation 3');
});

test('keeps erasures that are missing from the database, and rejects a modified list', async () => {
  const database = own.current;
  const file = path.join(folder, 'kept.jsonl');
  const [first, second] = ['0195c0de-0000-7000-8000-000000000001', '0195c0de-0000-7000-8000-000000000002'];
  const add = (id: string) => database.sql`INSERT INTO erasures (user_id, team_id, erased_at) VALUES (${id}, ${id}, now())`;
  await add(first);
  await saveErasures(database, systemClock, file);
  await database.sql`DELETE FROM erasures`;
  await add(second);
  expect(await saveErasures(database, systemClock, file)).toEqual({ count: 2, marked: 0 });
  const text = await readFile(file, 'utf8');
  expect(text).toContain(first);
  await writeFile(file, text.replace(first, second));
  await expect(replayErasuresFile(database, systemClock, file)).rejects.toMatchObject({ code: 'erasures_file_invalid' });
  await writeFile(file, text.split('\n').slice(0, 1).join('\n'));
  await expect(saveErasures(database, systemClock, file)).rejects.toMatchObject({ code: 'erasures_file_invalid' });
});
