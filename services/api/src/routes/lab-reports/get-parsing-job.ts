import { Type } from 'typebox';
import { ParsingJob } from '@pulsewire/contract';
import { getReport, renderReport } from '@pulsewire/labs';
import { defineRoute, ok } from '../../route/route.ts';

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
