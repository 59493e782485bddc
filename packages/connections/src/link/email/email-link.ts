import { toDate } from '../../model/rows.ts';

/** A practice invites by hand, and the person accepts in an app: days, but not for ever. */
export const emailLinkLifeMs = 30 * 86_400_000;

/** A link by e-mail that waits for the practice to confirm it. */
export interface PendingEmailLink {
  readonly linkId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  /** Of the person's account at the provider. Never logged. */
  readonly email: string;
  /** `us`, `de`, …; null: not said. */
  readonly region: string | null;
  /** Whose account at the provider the practice is. */
  readonly application: 'team' | 'platform';
  readonly logoBaseUrl: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

export interface EmailLinkRow {
  readonly link_id: string;
  readonly team_id: string;
  readonly user_id: string;
  readonly provider: string;
  readonly email: string;
  readonly region: string | null;
  readonly application: 'team' | 'platform';
  readonly logo_base_url: string;
  readonly requested_at: string;
  readonly expires_at: string;
}

export function toPendingEmailLink(row: EmailLinkRow): PendingEmailLink {
  return {
    linkId: row.link_id,
    teamId: row.team_id,
    userId: row.user_id,
    provider: row.provider,
    email: row.email,
    region: row.region,
    application: row.application,
    logoBaseUrl: row.logo_base_url,
    requestedAt: toDate(row.requested_at),
    expiresAt: toDate(row.expires_at),
  };
}
