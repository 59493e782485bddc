/** A consent: what one user lets one application read. */
export interface Grant {
  readonly grantId: string;
  readonly clientId: string;
  readonly ownerId: string;
  readonly scopes: readonly string[];
}

export interface PendingCode {
  readonly clientId: string;
  readonly ownerId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** PKCE S256; undefined when the application sent none. */
  readonly challenge: string | undefined;
  readonly expiresAtMs: number;
}

export interface AccessToken {
  readonly token: string;
  readonly grantId: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

export interface RefreshToken {
  readonly token: string;
  readonly grantId: string;
  /** The pair that the first use gave, repeated until the grace ends. */
  used?: { readonly accessToken: string; readonly refreshToken: string; readonly expiresAtMs: number; readonly graceEndsAtMs: number };
}

/** The body of the token endpoint. `expires_in` is in wall-clock seconds, the time in which the client lives. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
  readonly token_type: 'Bearer';
  readonly user_id: string;
}

export interface GrantSnapshot {
  readonly grants: readonly Grant[];
  readonly access: readonly AccessToken[];
  readonly refresh: readonly RefreshToken[];
}
