import { getUser, manualProviders } from '@pulsewire/connections';
import { closedEnum, DetailBody, IntakeBody, IntakeResult, Uuid, type Intake } from '@pulsewire/contract';
import { checkIntake, writeIntake } from '@pulsewire/intake';
import { Type } from 'typebox';
import { defineRoute, ok } from '../../route/route.ts';
import { fieldError } from '../../validate/validate-request.ts';

const params = Type.Object({ user_id: Uuid, provider: closedEnum(manualProviders.map(({ slug }) => slug)) }, { title: 'StoreDataParams' });

/** The schema's inferred type is too deep for the compiler; `Intake` is equivalent. */
const body: ReturnType<typeof Type.Unsafe<Intake>> = Type.Unsafe<Intake>(IntakeBody);

export const storeDataRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/{user_id}/data/{provider}',
  operationId: 'storeData',
  area: 'data',
  auth: 'key',
  summary: 'Store what your own app measured',
  description:
    'Samples and summaries by resource, from one source that the user has linked with `linkManually`. Everything is stored, or nothing: a 422 lists the failing fields. The request that arrived last wins for a sample (resource, source type, time) or a summary (`external_id`, or its day), so repeating a request is safe. Changes are announced like those of any provider. Values must be plausible (limits: see the schema); items that are valid but not stored are listed in `left_out`. At most 1 MiB and 10,000 items.',
  params,
  body,
  responses: {
    200: { description: 'Stored.', schema: IntakeResult },
    409: { description: 'The connection is paused or in error.', schema: DetailBody },
  },
  failures: [400, 404],
  refine: ({ body: intake }) => checkIntake(intake).map(({ loc, msg, input }) => fieldError(['body', ...loc], msg, input)),
  async handler(context, { params: { user_id: userId, provider }, body: intake }) {
    const { teamId } = context.team;
    await getUser(context.database, teamId, userId);
    const done = await writeIntake(context.database, { teamId, userId, provider, intake, traceId: context.traceId });
    return ok(
      {
        samples: { received: done.samplesReceived, created: done.samplesCreated, updated: done.samplesUpdated },
        summaries: { received: done.summariesReceived, created: done.summariesCreated, updated: done.summariesUpdated },
        left_out: done.leftOut,
      },
      { userId, target: { provider } },
    );
  },
});
