import type { PushSpec } from '../kit/definition/definition.ts';
import type { Change } from '../kit/person/types.ts';

const typeOf: Readonly<Partial<Record<Change['kind'], string>>> = {
  activity: 'activity',
  body: 'weight',
  blood_pressure: 'bloodpressure',
};

/** When something was uploaded: a number of ms, or in other accounts of the same interface a text of it, or an ISO text. */
function timestampOf(kind: Change['kind'], ms: number): number | string {
  if (kind === 'activity') return ms;
  return kind === 'body' ? String(ms) : new Date(ms).toISOString();
}

/** Unsigned notices that something of a type has arrived; never about deletions. */
export const omronPushes: PushSpec = {
  messages({ kind, action }, { providerUserId }, parts) {
    const type = typeOf[kind];
    if (type === undefined || action === 'deleted') return [];
    return [{ body: { id: providerUserId, timestamp: timestampOf(kind, parts.clock.wallMs()), type } }];
  },
  isAccepted: (status) => status === 200,
};
