import { Type } from 'typebox';
import { ParsingJob } from '@pulsewire/contract';
import { createReport, renderReport } from '@pulsewire/labs';
import { defineRoute, ok } from '../../route/route.ts';
import { readUpload } from './read-upload.ts';
import { checkUploadFields } from './upload-fields.ts';

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
