import { Type, type Static } from 'typebox';
import { auditEffects } from '@pulsewire/audit';
import { closedEnum, DateTime, openEnum, optional, Uuid } from '@pulsewire/contract';

const effectAbout = 'export: data or tokens of many users; secret: a credential was shown or replaced.';

export const AuditListQuery = Type.Object(
  {
    user_id: Type.Optional(Uuid),
    key_id: Type.Optional(Uuid),
    effect: Type.Optional(closedEnum(auditEffects, { description: effectAbout })),
    since: Type.Optional(DateTime),
    until: Type.Optional(DateTime),
    next_cursor: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  },
  { title: 'AuditListQuery', additionalProperties: false },
);

/** One action with a key of the team, or of an operator for the team. */
export const AuditEntryBody = Type.Object(
  {
    id: Uuid,
    at: DateTime,
    actor_kind: openEnum(['key', 'operator']),
    actor: Type.String({ description: 'Id of the key, or account and host of the operator.' }),
    effect: openEnum(auditEffects, effectAbout),
    action: Type.String({ description: 'Operation id, or the command of the operator.' }),
    user_id: optional(Uuid),
    target: optional(Type.Record(Type.String(), Type.String()), { description: 'Other ids in the request.' }),
    address: optional(Type.String()),
    status: Type.Integer({ description: 'HTTP status; for a command, 0 or 1.' }),
    request_id: optional(Type.String()),
  },
  { title: 'AuditEntryBody' },
);
export type AuditEntryBody = Static<typeof AuditEntryBody>;

export const AuditListBody = Type.Object(
  { data: Type.Array(AuditEntryBody), next_cursor: optional(Type.String(), { description: 'Null on the last page.' }) },
  { title: 'AuditListBody' },
);
