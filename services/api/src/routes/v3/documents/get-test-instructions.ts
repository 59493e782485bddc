import { LabTestParams } from '@pulsewire/contract';
import { getLabTest } from '@pulsewire/labs';
import { defineRoute, pdf, pdfResponse } from '../../../route/route.ts';

export const getTestInstructionsRoute = defineRoute({
  method: 'GET',
  path: '/v3/lab_test/{lab_test_id}/collection_instruction_pdf',
  operationId: 'getLabTestCollectionInstructionPdf',
  area: 'lab tests',
  auth: 'key',
  summary: 'Read how the sample of a lab test is collected',
  params: LabTestParams,
  responses: { 200: pdfResponse('The instructions.') },
  failures: [404],
  async handler({ labs, team }, { params }) {
    const { instructionsDocument } = await import('../../../documents/instructions-document.ts');
    const test = await getLabTest(labs.database, team.teamId, params.lab_test_id);
    return pdf(await instructionsDocument(test, test.updatedAt, team.isSandbox), `instructions-${params.lab_test_id}`);
  },
});
