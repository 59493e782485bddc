/** A connection that was removed here and not yet at the provider. */
export interface Deregistration {
  readonly connectionId: string;
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly providerUserId: string | null;
  readonly application: 'team' | 'platform';
  readonly grantedScopes: readonly string[];
  readonly account: Readonly<Record<string, unknown>>;
}
