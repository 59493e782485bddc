import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { AppError, createManualClock, noMetrics, silentLogger, sleep, type Metrics } from '@pulsewire/kernel';
import { createCipher, type Tx } from '@pulsewire/database';
import { createJobWorker, createPartnerDirectory, type JobKind, type LabsContext, type PartnerJob } from '@pulsewire/labs';
import { useDatabase } from '../../support/database.ts';
import { passTime } from '../../support/pass-time.ts';

const database = useDatabase();
const clock = createManualClock(new Date('2026-05-04T12:00:00Z'));
const live = new AbortController().signal;
const unused = () => Promise.reject(new Error('unused'));

function labs(): LabsContext {
  const cipher = createCipher(new Map([[1, randomBytes(32)]]));
  const owners = { findUser: unused, lockUser: unused, findTeam: async () => null };
  return { database: database.current, cipher, clock, owners, partners: createPartnerDirectory([], { clock }) };
}

const givenUp: string[] = [];
const kindOf = (attempt: JobKind['attempt'], settings: Partial<JobKind> = {}): JobKind => ({
  kind: 'call',
  timeoutMs: 10_000,
  attemptsMax: 3,
  backoffMs: 1000,
  backoffMaxMs: 60_000,
  attempt,
  giveUp: async (_context, _tx, _emit, job, code) => void givenUp.push(`${job.partner} ${code}`),
  ...settings,
});
const outcomes: string[] = [];
const metrics: Metrics = {
  ...noMetrics,
  count: (name, labels) => {
    if (name === 'lab_partner_jobs_total') outcomes.push(String(labels?.['outcome']));
  },
};
const workerOf = (kind: JobKind, concurrency = 1) =>
  createJobWorker({ labs: labs(), logger: silentLogger, metrics, kinds: [kind], concurrency, idleMs: 5, graceMs: 0 });
const now = () => clock.now().toISOString();
const done = { kind: 'done', commit: async () => {} } as const;

async function addJob(partner: string, changes: { deadlineAt?: Date } = {}): Promise<string> {
  const jobId = randomUUID();
  await database.current.sql`
    INSERT INTO lab_partner_jobs (job_id, team_id, partner, kind, idempotency_key, due_at, deadline_at, created_at)
    VALUES (${jobId}, ${randomUUID()}, ${partner}, 'call', ${jobId}, now(), ${changes.deadlineAt?.toISOString() ?? null}, ${now()})`;
  return jobId;
}
const left = () =>
  database.current.sql<
    { partner: string; attempts: number; due: number; error: string | null; held: boolean }[]
  >`SELECT partner, attempts, extract(epoch FROM due_at - now())::float AS due, last_error AS error,
      coalesce(lease_until > now(), false) AS held FROM lab_partner_jobs ORDER BY partner`;

beforeEach(async () => {
  givenUp.length = 0;
  outcomes.length = 0;
  await database.current.sql`DELETE FROM lab_partner_jobs`;
});

test('a job ends when its outcome commits, and a failed job is retried without blocking others', async () => {
  await addJob('bad');
  await addJob('good');
  const worker = workerOf(
    kindOf(async (_context, job) => {
      if (job.partner === 'bad') throw new Error('broken');
      return done;
    }),
  );
  expect(await worker.workOne(live)).toBe(true);
  expect(await worker.workOne(live)).toBe(true);
  expect(await worker.workOne(live)).toBe(false);
  const jobs = await left();
  expect(jobs).toMatchObject([{ partner: 'bad', attempts: 1, error: 'unknown', held: false }]);
  expect(jobs[0]?.due).toBeGreaterThan(0.7);
});

test('a final rejection, too many attempts or a deadline ends a job as it is deleted', async () => {
  const refuse = kindOf(async () => {
    throw new AppError({ code: 'partner_refused', kind: 'upstream', message: 'no' });
  });
  await addJob('refusing');
  await workerOf(refuse).workOne(live);
  const fail = kindOf(async () => {
    throw new AppError({ code: 'partner_unavailable', kind: 'unavailable', message: 'down' });
  });
  await addJob('failing');
  for (let attempt = 0; attempt < 4; attempt++) {
    await passTime(database.current, clock, 120_000);
    await workerOf(fail).workOne(live);
  }
  await addJob('late', { deadlineAt: new Date(clock.now().getTime() - 1) });
  await workerOf(fail).workOne(live);
  expect(givenUp).toEqual(['refusing partner_refused', 'failing partner_unavailable', 'late partner_timeout']);
  expect(await left()).toEqual([]);
});

test('a job that cannot even be given up is counted as set aside, and not claimed again', async () => {
  const refusedValue = Object.assign(new Error('value out of range'), { code: '22003' });
  await addJob('stuck');
  await workerOf(kindOf(() => Promise.reject(refusedValue), { giveUp: () => Promise.reject(refusedValue) })).workOne(live);
  expect(outcomes).toEqual(['set_aside']);
  expect(await left()).toMatchObject([{ partner: 'stuck', due: null }]);
});

test('a job without a limit of attempts is retried for as long as its partner is away', async () => {
  await addJob('away');
  const fail = kindOf(() => Promise.reject(new AppError({ code: 'partner_unavailable', kind: 'unavailable', message: 'down' })), {
    attemptsMax: null,
  });
  for (let attempt = 0; attempt < 30; attempt++) {
    await passTime(database.current, clock, 120_000);
    await workerOf(fail).workOne(live);
  }
  expect(new Set(outcomes)).toEqual(new Set(['retried']));
  expect(await left()).toMatchObject([{ partner: 'away', attempts: 30 }]);
});

test('a job whose process crashed is claimed again, and its former holder cannot commit', async () => {
  await addJob('slow');
  await database.current.sql`CREATE TABLE stored (attempt integer)`;
  const store = async (tx: Tx, attempt: number) => void (await tx.sql`INSERT INTO stored VALUES (${attempt})`);
  const gate = Promise.withResolvers<void>();
  const slow = kindOf(async (_context, job: PartnerJob) => {
    if (job.attempts === 1) await gate.promise;
    return { kind: 'done', commit: (tx) => store(tx, job.attempts) };
  });
  const first = workerOf(slow).workOne(live);
  await expect.poll(async () => (await left())[0]?.held).toBe(true);
  expect(await workerOf(slow).workOne(live), 'while the lease lasts').toBe(false);
  await passTime(database.current, clock, 60_000);
  expect(await workerOf(slow).workOne(live)).toBe(true);
  gate.resolve();
  await first;
  expect(await database.current.sql`SELECT attempt FROM stored`).toEqual([{ attempt: 2 }]);
  expect(await left()).toEqual([]);
});

test('an undecided job is polled again, and an unresponsive partner does not occupy all slots', async () => {
  const calls: string[] = [];
  const stop = new AbortController();
  for (let n = 0; n < 6; n++) await addJob('silent');
  await addJob('prompt');
  const kind = kindOf(async (_context, job, signal) => {
    calls.push(job.partner);
    if (job.partner === 'prompt') return { kind: 'later', delayMs: 30_000 };
    await sleep(60_000, signal);
    throw new Error('aborted');
  });
  const running = workerOf(kind, 4).run(stop.signal);
  await expect.poll(async () => (await left())[0]).toMatchObject({ partner: 'prompt', attempts: 1, error: null, held: false });
  expect(calls.filter((partner) => partner === 'silent')).toHaveLength(2);
  stop.abort();
  await running;
  const jobs = await left();
  expect(
    jobs.every(({ held }) => !held),
    'stopping releases what was in progress',
  ).toBe(true);
  expect(jobs[0]?.due).toBeGreaterThan(26);
});

test('a job that becomes due while it runs is retried immediately', async () => {
  const jobId = await addJob('calling');
  const kind = kindOf(async () => {
    await database.current.sql`UPDATE lab_partner_jobs SET due_at = clock_timestamp() WHERE job_id = ${jobId}`;
    return { kind: 'later', delayMs: 3_600_000 };
  });
  await workerOf(kind).workOne(live);
  expect((await left())[0]?.due).toBeLessThan(1);
});

test('a job that an operator made due with microseconds is retried after its delay, not at once', async () => {
  const jobId = await addJob('calling');
  await database.current
    .sql`UPDATE lab_partner_jobs SET due_at = date_trunc('second', now()) - interval '0.000123 seconds' WHERE job_id = ${jobId}`;
  const worker = workerOf(kindOf(async () => ({ kind: 'later', delayMs: 3_600_000 })));
  expect(await worker.workOne(live)).toBe(true);
  expect((await left())[0]?.due).toBeGreaterThan(3000);
  expect(await worker.workOne(live)).toBe(false);
});
