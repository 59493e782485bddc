import { createHash } from 'node:crypto';
import { randomBase62 } from '@pulsewire/kernel';
import type { SimulatorClock } from '../../simulator-clock.ts';
import { FitbitError } from '../errors.ts';
import type { Grant, GrantSnapshot, PendingCode, TokenAnswer } from './types.ts';

const codeLifetimeMs = 600_000;
const graceMs = 120_000;
const codesMax = 10_000;

export interface GrantBook {
  /** A code for a consent just given; 10 minutes, once. */
  issueCode(pending: Omit<PendingCode, 'expiresAtMs'>): string;
  /** Throws 400 `invalid_grant`. */
  exchangeCode(input: { code: string; clientId: string; redirectUri: string | undefined; verifier: string | undefined }): TokenAnswer;
  /** Single use; within two minutes the same call gives the same pair. Throws 400 `invalid_grant`. */
  refresh(refreshToken: string, clientId: string): TokenAnswer;
  /** Throws 401 `invalid_token` or `expired_token`. */
  authenticate(accessToken: string): { grant: Grant; expiresAtMs: number; issuedAtMs: number };
  expireNow(accessToken: string): void;
  expireOwner(ownerId: string): void;
  /** Ends the consent behind an access or refresh token of this client. Gives the consent that ended. */
  revokeToken(token: string, clientId: string): Grant | undefined;
  /** Ends every consent of a user, for one application or all. Gives those that ended. */
  revokeOwner(ownerId: string, clientId: string | undefined): Grant[];
  snapshot(): GrantSnapshot;
}

export interface GrantBookOptions {
  readonly clock: SimulatorClock;
  readonly accessTokenLifetimeMs: number;
  readonly snapshot?: GrantSnapshot | undefined;
}

/** Consents and their tokens. Deadlines are wall-clock instants of simulated lifetimes. */
export function createGrantBook({ clock, accessTokenLifetimeMs, snapshot }: GrantBookOptions): GrantBook {
  const codes = new Map<string, PendingCode>();
  const grants = new Map(snapshot?.grants.map((grant) => [grant.grantId, grant]));
  const access = new Map(snapshot?.access.map((token) => [token.token, token]));
  const refreshing = new Map(snapshot?.refresh.map((token) => [token.token, token]));
  const inSimulated = (durationMs: number) => clock.wallMs() + clock.toWallMs(durationMs);

  function issuePair(grant: Grant): TokenAnswer {
    forgetDead();
    const pair = { accessToken: randomBase62(64), refreshToken: randomBase62(64) };
    const expiresAtMs = inSimulated(accessTokenLifetimeMs);
    access.set(pair.accessToken, { token: pair.accessToken, grantId: grant.grantId, issuedAtMs: clock.wallMs(), expiresAtMs });
    refreshing.set(pair.refreshToken, { token: pair.refreshToken, grantId: grant.grantId });
    return answer(grant, pair.accessToken, pair.refreshToken, expiresAtMs);
  }

  function answer(grant: Grant, accessToken: string, refreshToken: string, expiresAtMs: number): TokenAnswer {
    const expiresIn = Math.max(0, Math.floor((expiresAtMs - clock.wallMs()) / 1000));
    return {
      access_token: accessToken,
      expires_in: expiresIn,
      refresh_token: refreshToken,
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
      user_id: grant.ownerId,
    };
  }

  // Whoever comes with a forgotten token is answered as with a dead one; an expired access token is told apart for one more lifetime.
  function forgetDead(): void {
    const nowMs = clock.wallMs();
    for (const [token, entry] of access) if (nowMs > entry.expiresAtMs + clock.toWallMs(accessTokenLifetimeMs)) access.delete(token);
    for (const [token, entry] of refreshing) if (entry.used && nowMs > entry.used.graceEndsAtMs) refreshing.delete(token);
    for (const [code, entry] of codes) if (nowMs > entry.expiresAtMs || codes.size > codesMax) codes.delete(code);
  }

  function end(grantId: string): Grant | undefined {
    const grant = grants.get(grantId);
    grants.delete(grantId);
    for (const [token, entry] of access) if (entry.grantId === grantId) access.delete(token);
    for (const [token, entry] of refreshing) if (entry.grantId === grantId) refreshing.delete(token);
    return grant;
  }

  return {
    issueCode(pending) {
      forgetDead();
      const code = randomBase62(40);
      codes.set(code, { ...pending, expiresAtMs: inSimulated(codeLifetimeMs) });
      return code;
    },
    exchangeCode({ code, clientId, redirectUri, verifier }) {
      const pending = codes.get(code);
      // Any try uses the code up: a second one, even with the right verifier, comes from somebody else.
      codes.delete(code);
      if (!pending || pending.clientId !== clientId || clock.wallMs() > pending.expiresAtMs)
        throw invalidGrant('Authorization code invalid');
      if (pending.redirectUri !== redirectUri) throw invalidGrant('Redirect URI differs from the one of the authorization');
      if (pending.challenge !== undefined && challengeOf(verifier ?? '') !== pending.challenge) throw invalidGrant('Code verifier invalid');
      const grant: Grant = { grantId: randomBase62(16), clientId, ownerId: pending.ownerId, scopes: pending.scopes };
      grants.set(grant.grantId, grant);
      return issuePair(grant);
    },
    refresh(refreshToken, clientId) {
      const entry = refreshing.get(refreshToken);
      const grant = entry && grants.get(entry.grantId);
      if (!entry || !grant || grant.clientId !== clientId) throw invalidGrant('Refresh token invalid');
      if (entry.used) {
        if (clock.wallMs() > entry.used.graceEndsAtMs) throw invalidGrant('Refresh token invalid');
        return answer(grant, entry.used.accessToken, entry.used.refreshToken, entry.used.expiresAtMs);
      }
      const pair = issuePair(grant);
      entry.used = {
        accessToken: pair.access_token,
        refreshToken: pair.refresh_token,
        expiresAtMs: access.get(pair.access_token)?.expiresAtMs ?? clock.wallMs(),
        graceEndsAtMs: inSimulated(graceMs),
      };
      return pair;
    },
    authenticate(accessToken) {
      const entry = access.get(accessToken);
      const grant = entry && grants.get(entry.grantId);
      if (!entry || !grant) throw new FitbitError(401, 'invalid_token', 'Access token invalid');
      if (clock.wallMs() >= entry.expiresAtMs) throw new FitbitError(401, 'expired_token', 'Access token expired');
      return { grant, expiresAtMs: entry.expiresAtMs, issuedAtMs: entry.issuedAtMs };
    },
    expireNow(accessToken) {
      const entry = access.get(accessToken);
      if (entry) access.set(accessToken, { ...entry, expiresAtMs: clock.wallMs() });
    },
    expireOwner(ownerId) {
      for (const [token, entry] of access)
        if (grants.get(entry.grantId)?.ownerId === ownerId) access.set(token, { ...entry, expiresAtMs: clock.wallMs() });
    },
    revokeToken(token, clientId) {
      const grantId = (access.get(token) ?? refreshing.get(token))?.grantId;
      if (grantId === undefined || grants.get(grantId)?.clientId !== clientId) return undefined;
      return end(grantId);
    },
    revokeOwner(ownerId, clientId) {
      const ending = [...grants.values()].filter((grant) => grant.ownerId === ownerId && (clientId ?? grant.clientId) === grant.clientId);
      for (const grant of ending) end(grant.grantId);
      return ending;
    },
    snapshot: () => ({ grants: [...grants.values()], access: [...access.values()], refresh: [...refreshing.values()] }),
  };
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function invalidGrant(message: string): FitbitError {
  return new FitbitError(400, 'invalid_grant', message);
}
