import { AppError } from '@pulsewire/kernel';
import { CreateLabTestBody, LabTest } from '@pulsewire/contract';
import { createLabTest, findLabBySlug, getLab, getLabAccount, renderLabTest, resolveOrderSet } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const createLabTestRoute = defineRoute({
  method: 'POST',
  path: '/v3/lab_tests',
  operationId: 'createLabTest',
  area: 'lab tests',
  auth: 'key',
  summary: 'Create a lab test',
  description: 'From either `marker_ids` or `provider_ids`. Codes that several labs use need `lab_slug` or `lab_account_id`.',
  body: CreateLabTestBody,
  responses: { 200: { description: 'The test.', schema: LabTest } },
  failures: [400, 404],
  async handler({ labs, team, clock }, { body }) {
    const { teamId } = team;
    const account = body.lab_account_id ? await getLabAccount(labs.database, teamId, body.lab_account_id) : null;
    const ofSlug = body.lab_slug ? await findLabBySlug(labs.database, body.lab_slug) : null;
    if (account && ofSlug && account.labId !== ofSlug.labId)
      throw new AppError({ code: 'lab_account_mismatch', kind: 'invalid', message: 'lab_slug and the account name different labs' });
    const addOn = { markerIds: body.marker_ids ?? null, providerIds: body.provider_ids ?? null };
    const test = await labs.database.transaction(async (tx) => {
      const labId = account?.labId ?? ofSlug?.labId ?? null;
      const set = await resolveOrderSet(tx, teamId, { labTestIds: [], addOn, isLabTest: true }, labId);
      const created = {
        teamId,
        lab: await getLab(tx, set.labId),
        markers: set.markers,
        name: body.name,
        description: body.description,
        method: body.method,
        fasting: body.fasting ?? false,
        labAccountId: account?.labAccountId ?? null,
        composition: null,
      };
      return createLabTest(tx, created, clock.now());
    });
    return ok(renderLabTest(test));
  },
});
