import type { OAuthApplication } from '@pulsewire/providers';

/** An application that may have subscribed: the platform's (team null) or a team's. */
export interface PushApplication extends OAuthApplication {
  readonly teamId: string | null;
  /** The secret that came with its subscription, where the provider gave one. */
  readonly subscriptionSecret?: string | null;
  /** The segment of its address (`pushSegmentOf`); null: its provider has none to call. */
  readonly segment?: string | null;
}

/** What a provider's pushes are checked against. */
export interface PushSecrets {
  readonly applications: readonly PushApplication[];
  readonly verificationCode: string | null;
}
