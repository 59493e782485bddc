import type { ChosenApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';

/** Our callback for a provider, or the team's address that forwards to it. Must be the same in both steps of the flow. */
export function callbackUrl(context: LinkContext, chosen: ChosenApplication, provider: string): string {
  return chosen.redirectUrlOverride ?? `${context.baseUrl()}/v2/link/connect/${provider}`;
}
