export const auditEffects = ['read', 'change', 'export', 'secret'] as const;

/** `export`: data or tokens of many users at once. `secret`: a credential was shown or replaced. */
export type AuditEffect = (typeof auditEffects)[number];

/** One recorded action. */
export interface AuditEntry {
  /** UUIDv7, created when the action happened; identifies repeated writes. */
  readonly entryId: string;
  readonly at: Date;
  /** Null: the whole installation. */
  readonly teamId: string | null;
  readonly actorKind: 'key' | 'operator';
  /** Id of the key, or account and machine of the operator. */
  readonly actor: string;
  readonly effect: AuditEffect;
  /** `operationId` of the request, or the command. */
  readonly action: string;
  readonly userId: string | null;
  /** Other ids that were named, such as `webhook_id`; never values of users. */
  readonly target: Readonly<Record<string, string>> | null;
  readonly address: string | null;
  /** HTTP status; of a command 0 or 1. */
  readonly status: number;
  readonly requestId: string | null;
}
