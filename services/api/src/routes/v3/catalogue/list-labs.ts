import { LabsBody } from '@pulsewire/contract';
import { listLabs, renderLab } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const listLabsRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_tests/labs',
  operationId: 'listLabs',
  area: 'lab tests',
  auth: 'key',
  summary: 'List the labs',
  responses: { 200: { description: 'Every lab.', schema: LabsBody } },
  async handler({ labs }) {
    return ok((await listLabs(labs.database)).map(renderLab));
  },
});
