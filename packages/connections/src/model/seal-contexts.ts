// What each sealed value is bound to (its additional authenticated data): a value that is copied to another row does not open there.

/** Tokens of a connection, also while they wait in `deregistrations`: the row keeps the connection's id. */
export const tokenContext = (connectionId: string): string => `connection:${connectionId}`;

export const credentialContext = (teamId: string, provider: string): string => `oauth_credential:${teamId}:${provider}`;

/** The PKCE verifier and the pending login of a link session. */
export const sessionSealContext = (sessionId: string): string => `link_session:${sessionId}`;

export const consentSealContext = (consentId: string): string => `link_consent:${consentId}`;

/** Tokens of an uploaded connection that is not imported yet. */
export const itemContext = (operationId: string, item: number | string, column: 'access_token' | 'refresh_token'): string =>
  `bulk_item:${operationId}:${item}:${column}`;
