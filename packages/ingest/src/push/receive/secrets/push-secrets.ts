import type { OAuthApplication } from '@pulsewire/providers';

/** An application that may have subscribed: the platform's (team null) or a team's. */
export interface PushApplication extends OAuthApplication {
  readonly teamId: string | null;
  /** The secret that came with its subscription, where the provider issued one. */
  readonly subscriptionSecret?: string | null;
  /** The segment of its address (`pushSegmentOf`); null: the provider has no such address. */
  readonly segment?: string | null;
}

/** The secrets that a provider's pushes are checked against. */
export interface PushSecrets {
  readonly applications: readonly PushApplication[];
  readonly verificationCode: string | null;
}
