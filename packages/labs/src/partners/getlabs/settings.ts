import type { PartnerSettings } from '../directory.ts';

/** Settings that an operator gets from the company. */
export interface GetlabsSettings {
  /** Including the version: `https://api.getlabs.com/v2`, or the sandbox URL. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly apiToken: string;
  /** Verifies webhooks; without it none are accepted. */
  readonly webhookSecret: string | null;
}

/** Null when the installation has no access. */
export function readGetlabsSettings(given: PartnerSettings | undefined): GetlabsSettings | null {
  const { baseUrl = 'https://api.getlabs.com/v2', clientId, apiToken, webhookSecret = null } = given ?? {};
  return clientId === undefined || apiToken === undefined ? null : { baseUrl, clientId, apiToken, webhookSecret };
}
