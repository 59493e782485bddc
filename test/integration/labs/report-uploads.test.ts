import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getUser } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { workReport } from '@pulsewire/labs';
import { useDatabase } from '../../support/database.ts';
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
  userId = (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id;
  pdf = await makePdf([glucoseReport]);
});
afterAll(() => harness.close());

const upload = (parts: readonly Part[], caller = team) => uploadReport(harness, parts, caller);
const read = async (jobId: string, caller = team) => caller.call('GET', `/lab_report/v1/parser/job/${jobId}`);

/** Fails the next report that is due. Returns false when there is none. */
function failNext(): Promise<boolean> {
  const labs = { database: database.current, cipher, clock: harness.clock, owners: { findUser: getUser } };
  const parse = async () => ({ kind: 'failed', reason: 'invalid_input' }) as const;
  return workReport({ labs, parse, logger: silentLogger, metrics: noMetrics }, new AbortController().signal);
}

describe('an upload is rejected', () => {
  it('with all invalid fields at once', async () => {
    const { status, body } = await upload([
      ['user_id', 'nobody'],
      ['needs_human_review', 'perhaps'],
    ]);
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'body.file',
      'body.user_id',
      'body.needs_human_review',
    ]);
  });

  it.each([
    ['an empty file', () => [file(new Uint8Array(0))], 'The file is empty'],
    ['a file of another type', () => [file(Buffer.from('GIF89a'))], 'The file is not a PDF, JPEG or PNG'],
    [
      'a file declared as another type',
      () => [file(png, 'application/pdf')],
      'The file is declared as application/pdf but its content is image/png',
    ],
    ['a PDF among several files', () => [file(png), file(pdf)], 'Several files must all be images; send a PDF alone'],
    ['nine files', () => Array.from({ length: 9 }, () => file(png)), 'A report has at most 8 files'],
    [
      'human review for a team that has not enabled it',
      () => [file(png), ['needs_human_review', 'true'] as Part],
      'Human review is not enabled for this team',
    ],
  ])('an upload is rejected: %s', async (_name, parts, detail) => {
    expect(await upload([...parts(), ['user_id', userId]])).toEqual({ status: 400, body: { detail } });
  });

  it('if its body exceeds 10 MB, is not multipart, or is incomplete', async () => {
    const large = Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]);
    expect((await upload([file(large), ['user_id', userId]])).status).toBe(413);
    const post = (contentType: string, payload: string) =>
      harness.api.app.inject({
        method: 'POST',
        url: '/lab_report/v1/parser/job',
        headers: { 'content-type': contentType, 'x-service-api-key': team.key },
        payload,
      });
    expect((await post('application/json', '{}')).statusCode).toBe(400);
    expect((await post('multipart/form-data', 'x')).statusCode).toBe(400);
    expect(
      (await post('multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-'))
        .statusCode,
    ).toBe(400);
  });

  it("an upload is rejected for another team's users, and its jobs are not found", async () => {
    const other = await harness.newCaller();
    expect((await upload([file(png), ['user_id', userId]], other)).status).toBe(404);
    const { body } = await upload([file(png), ['user_id', userId]]);
    expect((await read(body.id, other)).status).toBe(404);
    expect((await read(randomUUID())).status).toBe(404);
  });
});

describe('the reports of several teams', () => {
  const started = async () => {
    await failNext();
    const [row] = await database.current.sql<{ team_id: string }[]>`SELECT team_id FROM lab_report_turns ORDER BY claimed_at DESC LIMIT 1`;
    harness.clock.advance(1000);
    return row?.team_id;
  };

  it('take turns, however many one team has uploaded before', async () => {
    while (await failNext());
    const [many, one] = [await harness.newCaller(), await harness.newCaller()];
    const send = async (caller: Caller) => {
      const { user_id: id } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
      harness.clock.advance(1000);
      expect((await upload([file(pdf, 'application/pdf'), ['user_id', id]], caller)).status).toBe(200);
    };
    for (const caller of [many, many, many, many, one]) await send(caller);
    const [a, b] = [many.team.teamId, one.team.teamId];
    expect([await started(), await started(), await started()]).toEqual([a, b, a]);
  });

  it('are limited to a hundred that wait, and failed ones count for a sandbox', async () => {
    const sandbox = await harness.newCaller({ isSandbox: true });
    const { user_id: id } = (await sandbox.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
    const send = () => upload([file(pdf, 'application/pdf'), ['user_id', id]], sandbox);
    const fill = (count: number, status: string, due: string | null) => database.current.sql`
      INSERT INTO lab_reports (job_id, team_id, user_id, status, needs_human_review, content_types, due_at, created_at, updated_at)
      SELECT gen_random_uuid(), ${sandbox.team.teamId}, ${id}, ${status}, false, '{}', ${due}::timestamptz, now(), now() FROM generate_series(1, ${count})`;
    await fill(100, 'upload_pending', harness.clock.now().toISOString());
    expect((await send()).status).toBe(429);
    await database.current.sql`UPDATE lab_reports SET due_at = NULL, status = 'failed' WHERE team_id = ${sandbox.team.teamId}`;
    expect((await send()).status).toBe(200);
    await fill(200, 'failed', null);
    expect([(await send()).status, (await send()).body.detail]).toEqual([400, expect.stringContaining('failed ones included')]);
  });
});
