import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { noMetrics, silentLogger, uuidv7 } from '@pulsewire/kernel';
import { createAuditRecorder, listAuditEntries, maintainAudit, type AuditEntry } from '@pulsewire/audit';
import type { Database } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
let teamId = '';
beforeEach(() => {
  teamId = randomUUID();
});

const start = Date.parse('2026-03-01T08:00:00Z');

function entry(index: number, more: Partial<AuditEntry> = {}): AuditEntry {
  const at = new Date(start + index);
  const ids = { entryId: uuidv7(at.getTime()), teamId, actor: randomUUID(), userId: randomUUID(), requestId: 'r-1' };
  return {
    ...ids,
    at,
    actorKind: 'key',
    effect: 'read',
    action: 'getUser',
    target: { webhook_id: 'x' },
    address: '203.0.113.7',
    status: 200,
    ...more,
  };
}

const recorderOn = (on: Database) => createAuditRecorder({ database: on, logger: silentLogger, metrics: noMetrics, waitMs: 5 });

/** The database, with every INSERT wrapped by `around`, which can fail before or after it. */
function failing(around: (write: () => Promise<unknown>) => Promise<unknown>): Database {
  const real = database.current.sql as unknown as (strings: readonly string[], ...values: unknown[]) => Promise<unknown>;
  const sql = (strings: readonly string[], ...values: unknown[]) =>
    strings[0]?.includes('INSERT') ? around(async () => real(strings, ...values)) : real(strings, ...values);
  return { ...database.current, sql: Object.assign(sql, database.current.sql) as never };
}

const list = (limit = 1000) => listAuditEntries(database.current, { teamId, limit });

describe('the audit log', () => {
  it('returns every entry as recorded, newest first', async () => {
    const entries = Array.from({ length: 2500 }, (_, index) => entry(index));
    const recorder = recorderOn(database.current);
    for (const one of entries) recorder.record(one);
    await recorder.close();
    expect(await list(3)).toEqual(entries.toReversed().slice(0, 3));
    const [count] = await database.current.sql<
      { count: number }[]
    >`SELECT count(*)::int AS count FROM audit_entries WHERE team_id = ${teamId}`;
    expect(count?.count).toBe(2500);
  });

  it('has an entry committed when recordNow resolves', async () => {
    const recorder = recorderOn(database.current);
    const one = entry(1, { effect: 'secret' });
    await recorder.recordNow(one);
    expect(await list()).toEqual([one]);
    await recorder.close();
  });

  it('keeps entries while Postgres is unavailable, and writes each once, even after a lost response', async () => {
    let failure: 'away' | 'lost response' | null = 'away';
    const recorder = recorderOn(
      failing(async (write) => {
        if (failure === 'away') throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
        const rows = await write();
        if (failure === 'lost response') throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
        return rows;
      }),
    );
    const [first, second] = [entry(1), entry(2)];
    await expect(recorder.recordNow(first)).rejects.toMatchObject({ code: 'audit_unavailable', retryable: true });
    failure = 'lost response';
    await expect(recorder.recordNow(second)).rejects.toMatchObject({ code: 'audit_unavailable' });
    failure = null;
    await recorder.close();
    expect(await list()).toEqual([second, first]);
  });

  it('writes a batch without the entry that Postgres rejects, and rejects its recordNow', async () => {
    const lost: number[] = [];
    const metrics = {
      ...noMetrics,
      count: (name: string, _labels?: object, by = 1) => void (name === 'audit_entries_lost_total' && lost.push(by)),
    };
    const recorder = createAuditRecorder({ database: database.current, logger: silentLogger, metrics, waitMs: 60_000 });
    const entries = [entry(1), entry(2), entry(3)];
    for (const one of entries) recorder.record(one);
    const wrong = recorder.recordNow(entry(4, { address: 'unknown' }));
    const right = recorder.recordNow(entry(5));
    await expect(wrong).rejects.toMatchObject({ code: 'audit_unavailable' });
    await right;
    expect([(await list()).length, lost]).toEqual([4, [1]]);
    await recorder.close();
  });

  it('rejects recordNow for an entry that does not fit into the buffer', async () => {
    const recorder = recorderOn(failing(() => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))));
    for (let index = 0; index < 100_000; index++) recorder.record(entry(index));
    await expect(recorder.recordNow(entry(1))).rejects.toMatchObject({ code: 'audit_unavailable' });
    await recorder.close();
  });

  it('rejects updates and deletes of entries in the database itself', async () => {
    const recorder = recorderOn(database.current);
    await recorder.recordNow(entry(1));
    await recorder.close();
    await maintainAudit(database.current, { today: '2026-03-01', keepDays: 400 });
    const { sql } = database.current;
    await expect(sql`UPDATE audit_entries SET action = 'nothing' WHERE team_id = ${teamId}`).rejects.toThrow('never changed or deleted');
    await expect(sql`DELETE FROM audit_entries WHERE team_id = ${teamId}`).rejects.toThrow('never changed or deleted');
    expect(await list()).toHaveLength(1);
  });

  it('drops only the days that are past retention', async () => {
    const recorder = recorderOn(database.current);
    await recorder.recordNow(entry(1));
    await recorder.recordNow(entry(86_400_000));
    await recorder.close();
    await maintainAudit(database.current, { today: '2026-03-01', keepDays: 30 });
    await maintainAudit(database.current, { today: '2026-04-01', keepDays: 30 });
    expect((await list()).map(({ at }) => at)).toEqual([new Date(start + 86_400_000)]);
  });

  it('is filtered by user, key, effect and time, and read in pages', async () => {
    const recorder = recorderOn(database.current);
    const entries = Array.from({ length: 10 }, (_, index) => entry(index, index % 2 === 0 ? {} : { effect: 'change' }));
    for (const one of entries) recorder.record(one);
    await recorder.close();
    const [, second] = entries as [AuditEntry, AuditEntry];
    const find = async (filter: object) => (await listAuditEntries(database.current, { teamId, limit: 100, ...filter })).length;
    expect(await find({ userId: second.userId })).toBe(1);
    expect(await find({ actor: second.actor })).toBe(1);
    expect(await find({ effect: 'change' })).toBe(5);
    expect(await find({ since: new Date(start + 3), until: new Date(start + 5) })).toBe(2);
    const page = await list(4);
    expect(await listAuditEntries(database.current, { teamId, limit: 4, beforeId: page.at(-1)?.entryId })).toEqual(
      entries.toReversed().slice(4, 8),
    );
  });
});
