import type { MessageContext } from '@pulsewire/webhooks';
import type { KeyContext } from '../../../../context/context.ts';

/** Dependencies of endpoint changes: teams with real users may only use https receivers. */
export function endpointContext({ endpoints, team }: KeyContext): MessageContext {
  return { ...endpoints, httpsOnly: !team.isSandbox };
}
