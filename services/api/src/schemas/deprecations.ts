import { Type } from 'typebox';
import { closedEnum, nullable } from '@pulsewire/contract';

const Deprecation = Type.Object(
  {
    id: Type.String(),
    where: Type.String({ description: 'The field, event type or path.' }),
    announced_on: nullable(Type.String({ format: 'date' })),
    removed_on: nullable(Type.String({ format: 'date' }), { description: 'First day without it; null while no date is set.' }),
    replacement: Type.String(),
    status: closedEnum(['announced', 'kept', 'removed']),
  },
  {
    title: 'Deprecation',
    description:
      'announced: served to every team. kept: removed, and still served to this team because of its contract date. removed: not served to this team.',
  },
);

/** Response of GET /v2/team/deprecations. */
export const DeprecationListBody = Type.Object({ contract_date: Type.String({ format: 'date' }), deprecations: Type.Array(Deprecation) });
