import type { LogEvent } from '@pulsewire/eventlog';
import type { Message } from '../../bodies/body.ts';
import type { Delivery, DeliveryKind, UnrecordedEvent } from './delivery.ts';
import type { Endpoint } from '../../routing/route.ts';

interface DeliveryParts {
  readonly endpoint: Endpoint;
  readonly event: LogEvent;
  readonly message: Message;
  readonly entry: UnrecordedEvent | null;
  readonly attempts: number;
  readonly mayBeRecorded?: boolean;
  /** Of a claimed row. */
  readonly row?: { readonly kind: DeliveryKind; readonly isOrdered: boolean; readonly replayId: string | null };
  /** Of a claimed row, in monotonic milliseconds. */
  readonly leaseEndsAtMs?: number;
}

/** A delivery that waits for its attempt: of an event just read (`entry`), or of a claimed row. */
export function newDelivery({ endpoint, event, message, entry, attempts, mayBeRecorded, row, leaseEndsAtMs }: DeliveryParts): Delivery {
  return {
    endpoint,
    event,
    message,
    entry,
    kind: row?.kind ?? (entry === null ? 'retry' : 'live'),
    attempts,
    isOrdered: row?.isOrdered ?? (endpoint.ordering === 'per_user' && event.userId !== null),
    replayId: row?.replayId ?? null,
    userQueue: null,
    mayBeRecorded: mayBeRecorded ?? false,
    state: entry === null ? 'leased' : 'queued',
    startedAtMs: 0,
    leaseEndsAtMs: leaseEndsAtMs ?? Infinity,
  };
}
