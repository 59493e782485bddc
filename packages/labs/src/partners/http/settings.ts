import type { PartnerSettings } from '../directory.ts';

/** How an installation reaches a company that implements our interface for partners. */
export interface HttpPartnerSettings {
  readonly baseUrl: string;
  readonly token: string;
  /** Standard Webhooks secret, `whsec_…`; without it no webhooks are accepted. */
  readonly webhookSecret: string | null;
  /** Slugs of the labs that the company serves. */
  readonly labs: readonly string[];
}

/** Null when the installation has no such company. */
export function readHttpSettings(given: PartnerSettings | undefined): HttpPartnerSettings | null {
  const { baseUrl, token, webhookSecret = null, labs = '' } = given ?? {};
  if (baseUrl === undefined || token === undefined) return null;
  const slugs = labs.split(',').map((slug) => slug.trim());
  return { baseUrl: baseUrl.replace(/\/+$/, ''), token, webhookSecret, labs: slugs.filter((slug) => slug !== '') };
}
