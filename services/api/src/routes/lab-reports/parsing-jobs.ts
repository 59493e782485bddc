import { type ValidationError, ParsingJob } from '@pulsewire/contract';
import { createReport, renderReport, getReport } from '@pulsewire/labs';
import { Type } from 'typebox';
import { defineRoute, ok } from '../../route/route.ts';
import { type ReportUpload, readUpload } from './read-upload.ts';
import { fieldError, validationError } from '../../validate/validate-request.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** The fields of an upload. Throws AppError `request_invalid` with every invalid field. */
function checkUploadFields({ fields, files }: ReportUpload): { readonly userId: string; readonly needsHumanReview: boolean } {
  const errors: ValidationError[] = [];
  const userId = fields['user_id'];
  if (files.length === 0) errors.push(fieldError(['body', 'file'], 'Field required', null, 'missing'));
  if (userId === undefined) errors.push(fieldError(['body', 'user_id'], 'Field required', null, 'missing'));
  else if (!uuid.test(userId)) errors.push(fieldError(['body', 'user_id'], 'Must be a UUID', userId, 'uuid_parsing'));
  const review = (fields['needs_human_review'] ?? 'false').toLowerCase();
  const needsHumanReview = booleans.get(review);
  if (needsHumanReview === undefined)
    errors.push(fieldError(['body', 'needs_human_review'], 'Must be true or false', review, 'bool_parsing'));
  if (userId === undefined || needsHumanReview === undefined || errors.length > 0) throw validationError(errors);
  return { userId: userId.toLowerCase(), needsHumanReview };
}

const UploadBody = Type.Object(
  {
    file: Type.Array(Type.String({ format: 'binary' }), {
      minItems: 1,
      maxItems: 8,
      description: 'A PDF, or the pages as JPEG or PNG; 10 MB together.',
    }),
    user_id: Type.String({ format: 'uuid' }),
    needs_human_review: Type.Optional(Type.Boolean({ default: false, description: 'Only for teams that have human review.' })),
  },
  { title: 'CreateParsingJobBody' },
);

export const createParsingJobRoute = defineRoute({
  method: 'POST',
  path: '/lab_report/v1/parser/job',
  operationId: 'createParsingJob',
  area: 'lab reports',
  auth: 'key',
  summary: 'Parse a lab report',
  description:
    'Takes a PDF of up to 30 pages, a JPEG or a PNG of up to 10 MB, or several images of one report. Parsing takes seconds to minutes; the events `lab_report.parsing_job.created` and `.updated` follow it. Files are deleted once they are parsed.',
  body: UploadBody,
  bodyType: 'multipart/form-data',
  streamsBody: true,
  responses: { 200: { description: 'The job.', schema: ParsingJob } },
  failures: [400, 404, 503],
  async handler({ labs, labBytes, team }, { raw }) {
    const hold = labBytes.open(team.teamId);
    try {
      const upload = await readUpload(raw, hold);
      const { userId, needsHumanReview } = checkUploadFields(upload);
      const row = await createReport(labs, team, { userId, files: upload.files, needsHumanReview });
      return { ...ok(renderReport(row, labs.cipher)), concerns: { userId } };
    } finally {
      hold.release();
    }
  },
});

export const getParsingJobRoute = defineRoute({
  method: 'GET',
  path: '/lab_report/v1/parser/job/{job_id}',
  operationId: 'getParsingJob',
  area: 'lab reports',
  auth: 'key',
  summary: 'Read a parsing job with its results',
  params: Type.Object({ job_id: Type.String({ format: 'uuid' }) }, { title: 'ParsingJobParams' }),
  responses: { 200: { description: 'The job.', schema: ParsingJob } },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const row = await getReport(labs.database, team.teamId, params.job_id);
    return { ...ok(renderReport(row, labs.cipher)), concerns: { userId: row.userId } };
  },
});
