import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noMetrics, silentLogger, waitUntilAborted } from '@pulsewire/kernel';
import { getUser } from '@pulsewire/connections';
import type { ParsedReportData } from '@pulsewire/contract';
import { createCipher } from '@pulsewire/database';
import {
  completeReview,
  createReport,
  readDoubtfulResults,
  readReportInReview,
  workReport,
  type ParseReport,
  type ReportOutcome,
} from '@pulsewire/labs';
import { parseIsolated } from '@pulsewire/report-parser';
import { toReportData } from '@pulsewire/service-report-parser';
import { useDatabase } from '../../support/database.ts';
import { passTime } from '../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { glucoseReport, makePdf } from '../report-parser/pdf.ts';
import { makePng } from '../report-parser/png.ts';
import { file, uploadReport, type Part } from './support/report-upload.ts';

const database = useDatabase();
const cipher = createCipher(new Map([[1, randomBytes(32)]]));
let harness: ApiHarness;
let team: Caller;
let userId: string;
let pdf: Uint8Array;
const png = new Uint8Array(makePng(new Uint8Array(100), 10, 10));

beforeAll(async () => {
  harness = await createApiHarness(database.current, { overrides: { cipher } });
  team = await harness.newCaller();
  userId = await newUser();
  pdf = await makePdf([glucoseReport]);
});
afterAll(() => harness.close());

const newUser = async () => (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;
const owners = { findUser: getUser };
const labs = () => ({ database: database.current, cipher, clock: harness.clock, owners });

const upload = (parts: readonly Part[], caller = team) => uploadReport(harness, parts, caller);
const read = async (jobId: string, caller = team) => caller.call('GET', `/lab_report/v1/parser/job/${jobId}`);

const parseReally: ParseReport = async (files, signal) => {
  const outcome = await parseIsolated(files, { signal });
  if (outcome.kind === 'failed') return { kind: 'failed', reason: outcome.reason };
  return { kind: 'parsed', data: toReportData(outcome.report, () => ({ matches: [], status: 'no_match' })) };
};
const parseInto =
  (outcome: ReportOutcome): ParseReport =>
  async () =>
    outcome;
const work = (parse: ParseReport) =>
  workReport({ labs: labs(), parse, logger: silentLogger, metrics: noMetrics }, new AbortController().signal);
const eventsOf = (jobId: string) => database.current.sql<{ event_type: string; status: string }[]>`
  SELECT event_type, json::json ->> 'status' AS status FROM log_events WHERE json::json ->> 'id' = ${jobId} ORDER BY "offset"`;

describe('a report', () => {
  it('is parsed after its upload, and the job returns its results', async () => {
    const created = await upload([file(pdf, 'application/octet-stream'), ['user_id', userId]]);
    expect(created).toMatchObject({
      status: 200,
      body: { status: 'upload_pending', failure_reason: null, data: null, is_reviewed: false },
    });
    expect(created.body.job_id).toBe(created.body.id);
    expect(await work(parseReally)).toBe(true);
    const { body } = await read(created.body.id);
    expect(body).toMatchObject({ status: 'completed', data: { metadata: { patient_last_name: 'DOE', gender: 'female' } } });
    expect(body.data.results[0]).toMatchObject({
      test_name: 'Cholesterol, Total',
      value: '212',
      type: 'numeric',
      units: 'mg/dL',
      max_reference_range: 200,
      interpretation: 'abnormal',
      is_above_max_range: true,
      source_panel_name: 'LIPID PANEL',
    });
    expect(await work(parseReally)).toBe(false);
  });

  it('is stored only encrypted, and its files are deleted once it is parsed', async () => {
    const { body } = await upload([file(pdf), ['user_id', userId]]);
    const [before] = await database.current.sql<{ content: Buffer }[]>`SELECT content FROM lab_report_files WHERE job_id = ${body.id}`;
    expect(before?.content.includes(Buffer.from('%PDF-'))).toBe(false);
    await work(parseReally);
    expect(await database.current.sql`SELECT 1 FROM lab_report_files WHERE job_id = ${body.id}`).toEqual([]);
    const [row] = await database.current.sql<{ data: Buffer }[]>`SELECT data FROM lab_reports WHERE job_id = ${body.id}`;
    expect(row?.data.includes(Buffer.from('DOE'))).toBe(false);
  });

  it('that cannot be parsed fails with a reason', async () => {
    const { body } = await upload([file(png), ['user_id', userId]]);
    await work(parseInto({ kind: 'failed', reason: 'low_quality' }));
    expect((await read(body.id)).body).toMatchObject({ status: 'failed', failure_reason: 'low_quality', data: null });
  });

  it('whose worker crashed is parsed by another; a late outcome of the first is discarded', async () => {
    const { body } = await upload([file(png), ['user_id', userId]]);
    const paused = Promise.withResolvers<ReportOutcome>();
    const first = work(() => paused.promise);
    await expect.poll(async () => (await read(body.id)).body.status).toBe('started');
    expect(await work(parseInto({ kind: 'failed', reason: 'low_quality' }))).toBe(false);
    await passTime(database.current, harness.clock, 200_000);
    await work(parseInto({ kind: 'failed', reason: 'not_english' }));
    paused.resolve({ kind: 'failed', reason: 'invalid_input' });
    await first;
    expect((await read(body.id)).body).toMatchObject({ status: 'failed', failure_reason: 'not_english' });
  });

  it('stays claimed while it is parsed, however long that takes', async () => {
    const { body } = await upload([file(png), ['user_id', userId]]);
    const paused = Promise.withResolvers<ReportOutcome>();
    const options = { labs: labs(), parse: () => paused.promise, logger: silentLogger, metrics: noMetrics, renewMs: 5 };
    const first = workReport(options, new AbortController().signal);
    const isRenewed = async () => {
      const [row] = await database.current.sql<{ is: boolean }[]>`
        SELECT due_at > now() + interval '110 seconds' AS is FROM lab_reports WHERE job_id = ${body.id}`;
      return row?.is;
    };
    for (let times = 0; times < 3; times++) {
      await expect.poll(isRenewed).toBe(true);
      await passTime(database.current, harness.clock, 100_000);
    }
    await expect.poll(isRenewed).toBe(true);
    expect(await work(parseInto({ kind: 'failed', reason: 'low_quality' }))).toBe(false);
    paused.resolve({ kind: 'failed', reason: 'not_english' });
    await first;
    expect((await read(body.id)).body).toMatchObject({ failure_reason: 'not_english' });
  });

  it('is no longer parsed by a worker that has lost its claim', async () => {
    const { body } = await upload([file(png), ['user_id', userId]]);
    const reasons: unknown[] = [];
    const untilStopped: ParseReport = async (_files, signal) => {
      await waitUntilAborted(signal);
      reasons.push(signal.reason);
      throw signal.reason;
    };
    const options = { labs: labs(), parse: untilStopped, logger: silentLogger, metrics: noMetrics, renewMs: 5 };
    const first = workReport(options, new AbortController().signal);
    await expect.poll(async () => (await read(body.id)).body.status).toBe('started');
    await database.current.sql`UPDATE lab_reports SET lease_epoch = lease_epoch + 1, due_at = NULL WHERE job_id = ${body.id}`;
    await first;
    expect(reasons).toEqual([new Error('The lease was lost')]);
    expect((await read(body.id)).body, 'it is left to the other worker').toMatchObject({ status: 'started' });
  });

  it('that crashes its workers fails after the third crash', async () => {
    const { body } = await upload([file(png), ['user_id', userId]]);
    for (let died = 0; died < 3; died++) {
      await work(() => Promise.reject(new Error('killed')));
      await passTime(database.current, harness.clock, 200_000);
    }
    await work(() => Promise.reject(new Error('killed')));
    expect((await read(body.id)).body).toMatchObject({ status: 'failed', failure_reason: 'processing_error' });
  });

  it('with human review shows its (corrected) results only after the review', async () => {
    const reviewed = {
      teamId: team.team.teamId,
      isSandbox: false,
      partialResults: false,
      minorOrdering: false,
      humanReview: true,
      bookingBeforeRequisition: false,
    };
    const everyone = { findUser: getUser, lockUser: getUser, findTeam: async () => null };
    const { jobId } = await createReport({ ...labs(), owners: everyone }, reviewed, {
      userId,
      files: [{ bytes: pdf, declaredType: null }],
      needsHumanReview: true,
    });
    await work(parseReally);
    expect((await read(jobId)).body).toMatchObject({ status: 'started', needs_human_review: true, is_reviewed: false, data: null });
    const metadata = { ...(await parsedMetadata()), patient_first_name: 'JANET' };
    await completeReview(labs(), jobId, { metadata, results: [] });
    expect((await read(jobId)).body).toMatchObject({
      status: 'completed',
      is_reviewed: true,
      data: { metadata: { patient_first_name: 'JANET' } },
    });
    await expect(completeReview(labs(), jobId)).rejects.toMatchObject({ code: 'report_not_in_review' });
  });

  it('with doubtful numbers is reviewed if the team has human review; the reviewer sees which', async () => {
    const { data } = (await parseReally([pdf], new AbortController().signal)) as { data: ParsedReportData };
    const finish = async (humanReview: boolean, doubtful: readonly number[]) => {
      const { body } = await upload([file(png), ['user_id', userId]]);
      const parse = parseInto({ kind: 'parsed', data, doubtful });
      const options = { labs: labs(), parse, hasHumanReview: async () => humanReview, logger: silentLogger, metrics: noMetrics };
      await workReport(options, new AbortController().signal);
      return (await read(body.id)).body;
    };
    const done = { status: 'completed', needs_human_review: false, data };
    expect(await finish(true, [])).toMatchObject(done);
    const unseen = await finish(false, [1]);
    expect(unseen).toMatchObject(done);
    expect(unseen.data).toEqual((await finish(true, [])).data);
    const waiting = await finish(true, [1]);
    expect(waiting).toMatchObject({ status: 'started', needs_human_review: true, is_reviewed: false, data: null });
    expect((await readDoubtfulResults(labs(), waiting.id)).map((row) => row.test_name)).toEqual(['HDL Cholesterol']);
    expect(await readReportInReview(labs(), waiting.id)).not.toHaveProperty('doubtful');
    await completeReview(labs(), waiting.id);
    expect((await read(waiting.id)).body).toMatchObject({ status: 'completed', is_reviewed: true, data });
  });

  const parsedMetadata = async () => {
    const outcome = await parseReally([pdf], new AbortController().signal);
    if (outcome.kind !== 'parsed') throw new Error(outcome.reason);
    return outcome.data.metadata;
  };

  it('emits events for its creation, start and end, in order', async () => {
    const { body } = await upload([file(png), ['user_id', userId]]);
    await work(parseInto({ kind: 'failed', reason: 'low_quality' }));
    expect((await eventsOf(body.id)).map((event) => [event.event_type, event.status])).toEqual([
      ['lab_report.parsing_job.created', 'upload_pending'],
      ['lab_report.parsing_job.updated', 'started'],
      ['lab_report.parsing_job.updated', 'failed'],
    ]);
  });
});
