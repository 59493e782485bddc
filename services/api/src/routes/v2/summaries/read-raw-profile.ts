import { Type } from 'typebox';
import { AppError } from '@pulsewire/kernel';
import { RawProfile, SummaryProviderQuery, UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { scanRawEntries, type RawEntry } from '@pulsewire/store';
import { rawFields } from '../../../render/raw.ts';
import { defineRoute, ok } from '../../../route/route.ts';

export const readRawProfileRoute = defineRoute({
  method: 'GET',
  path: '/v2/summary/profile/{user_id}/raw',
  operationId: 'readRawProfile',
  area: 'summaries',
  auth: 'key',
  summary: 'Read the raw form of the profile of a user',
  description: 'With several providers, the one that changed last. 404 for teams without raw data.',
  params: UserParams,
  query: SummaryProviderQuery,
  responses: { 200: { description: 'The raw form.', schema: Type.Object({ profile: RawProfile }) } },
  failures: [404],
  async handler(context, { params: { user_id: userId }, query }) {
    const { database, team, rawCipher, teamSlots } = context;
    const { teamId } = team;
    await getUser(database, teamId, userId);
    const wanted = { teamId, userId, resource: 'profile', provider: query.provider ?? '', window: { by: 'all' } } as const;
    let latest: RawEntry | undefined;
    if (team.providerRawData) {
      for await (const page of scanRawEntries(database, rawCipher, wanted, (read) => teamSlots.run(teamId, read))) {
        latest = [...(latest ? [latest] : []), ...page].reduce((a, b) => (Date.parse(b.updatedAt) > Date.parse(a.updatedAt) ? b : a));
      }
    }
    if (!latest) throw new AppError({ code: 'profile_not_found', kind: 'not_found', message: 'There is no raw profile for this user' });
    const { createdAt: created_at, updatedAt: updated_at } = latest;
    return ok({ profile: { ...rawFields(context, userId, latest), priority_id: 0, created_at, updated_at } });
  },
});
