import type { TransformContext } from '@pulsewire/contract';
import type { EndpointContext } from '../model/context.ts';

/** Dependencies of the message operations, including provider facts for teams that pinned an old contract date. */
export interface MessageContext extends EndpointContext {
  readonly findProvider: TransformContext['findProvider'];
}
