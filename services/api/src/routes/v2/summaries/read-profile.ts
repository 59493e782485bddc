import { AppError } from '@pulsewire/kernel';
import { summaryBody, SummaryProviderQuery, UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { readSummaries } from '@pulsewire/store';
import { defineRoute, ok } from '../../../route/route.ts';
import { summaryForTeam } from '../../../render/summary-texts.ts';
import { sourceIdOf } from '../../../render/source-id.ts';

export const readProfileRoute = defineRoute({
  method: 'GET',
  path: '/v2/summary/profile/{user_id}',
  operationId: 'readProfile',
  area: 'summaries',
  auth: 'key',
  summary: 'Read the profile of a user',
  description: 'With several providers, the profile that changed last.',
  params: UserParams,
  query: SummaryProviderQuery,
  responses: { 200: { description: 'The profile.', schema: summaryBody('profile') } },
  failures: [404],
  async handler(context, { params, query }) {
    const { teamId } = context.team;
    const { user_id: userId } = params;
    await getUser(context.database, teamId, userId);
    const profiles = await readSummaries(context.database, {
      teamId,
      userId,
      resource: 'profile',
      provider: query.provider ?? '',
      window: { by: 'all' },
      sourceIdOf: sourceIdOf(context),
    });
    const changedAt = (profile: (typeof profiles)[number]) => Date.parse(String(profile['updated_at']));
    const [latest] = profiles.toSorted((a, b) => changedAt(b) - changedAt(a));
    if (!latest)
      throw new AppError({ code: 'profile_not_found', kind: 'not_found', message: 'No provider has sent a profile for this user' });
    return ok(summaryForTeam(context)(latest));
  },
});
