import { activeDeprecations, deprecations, renderDate } from '@pulsewire/contract';
import { defineRoute, ok } from '../../../route/route.ts';
import { DeprecationListBody } from '../../../schemas/deprecations.ts';

export const listDeprecationsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/deprecations',
  operationId: 'listDeprecations',
  area: 'webhooks',
  auth: 'key',
  summary: 'List what is being removed from the API and its events, and what your team still receives',
  description:
    'A team whose contract date is before a removal keeps receiving what was removed. Without a contract date it receives the current form.',
  responses: { 200: { description: 'All deprecations.', schema: DeprecationListBody } },
  async handler({ team, clock }) {
    const contractDate = team.contractDate ?? renderDate(clock.now().getTime());
    const kept = new Set(activeDeprecations(contractDate).map(({ id }) => id));
    return ok({
      contract_date: contractDate,
      deprecations: deprecations.map(({ id, where, announcedOn, removedOn, replacement }) => ({
        id,
        where,
        announced_on: announcedOn,
        removed_on: removedOn,
        replacement,
        status: removedOn === null ? 'announced' : kept.has(id) ? 'kept' : 'removed',
      })),
    });
  },
});
