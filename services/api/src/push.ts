import type { Connector, PushReply } from '@pulsewire/providers';
import type { RawRequest } from './http/raw-request.ts';

/** Verifies a provider's push and keeps it safe before it is answered; the work comes later. `segment`: of the path, behind the slug. */
export type ReceivePush = (connector: Connector, request: RawRequest, segment: string | null) => Promise<PushReply>;
