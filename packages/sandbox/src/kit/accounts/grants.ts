import { createHash } from 'node:crypto';
import { randomBase62 } from '@pulsewire/kernel';
import type { SimulatorClock } from '../../model/simulator-clock.ts';
import { RefusalError } from '../parts/refusal.ts';

/** A user's consent to one application. */
export interface Grant {
  readonly grantId: string;
  readonly clientId: string;
  readonly providerUserId: string;
  readonly scopes: readonly string[];
}

export interface Pair {
  readonly grant: Grant;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Wall seconds; null: no expiry. */
  readonly expiresIn: number | null;
}

interface Access {
  readonly grantId: string;
  readonly issuedAtMs: number;
  expiresAtMs: number | null;
}

interface Refreshing {
  readonly grantId: string;
  used?: { readonly pair: Pair; readonly graceEndsAtMs: number };
}

export interface GrantSnapshot {
  readonly grants: readonly Grant[];
  readonly access: readonly (readonly [string, Access])[];
  readonly refresh: readonly (readonly [string, Refreshing])[];
}

export interface PendingCode {
  readonly clientId: string;
  readonly providerUserId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string | null;
}

/** Consents and their tokens. */
export interface GrantBook {
  issueCode(pending: PendingCode): string;
  /** Throws `grant_invalid`. A code is valid once, for ten minutes. */
  exchange(input: {
    readonly code: string;
    readonly clientId: string;
    readonly redirectUri: string | null;
    readonly verifier: string | null;
  }): Pair;
  /** Tokens without a code: for logins with a password. */
  grant(grant: Omit<Grant, 'grantId'>): Pair;
  /** Throws `grant_invalid`. */
  refresh(refreshToken: string, clientId: string): Pair;
  /** Throws `token_invalid` or `token_expired`. */
  authenticate(accessToken: string | null): Grant;
  /** When an access token was issued and expires, wall ms; undefined for an unknown one. */
  lifetime(accessToken: string): { readonly issuedAtMs: number; readonly expiresAtMs: number | null } | undefined;
  /** The consent behind any token, expired or not; undefined for an unknown one. */
  find(token: string): Grant | undefined;
  expire(which: { readonly providerUserId: string } | { readonly accessToken: string }): void;
  /** Ends a user's consents; returns those that ended. */
  end(providerUserId: string, clientId?: string): readonly Grant[];
  /** Replaces the scopes of a user's consents. */
  rescope(providerUserId: string, scopes: readonly string[]): void;
  /** Ends one consent, as revoking its token does. */
  endOne(grantId: string): void;
  of(providerUserId: string): readonly Grant[];
  snapshot(): GrantSnapshot;
}

export interface GrantRules {
  readonly clock: SimulatorClock;
  /** Simulated seconds; null: no expiry. */
  readonly accessTokenSeconds: number | null;
  readonly refresh: 'rotates' | 'keeps' | 'none';
  readonly graceSeconds: number;
  readonly snapshot?: GrantSnapshot | undefined;
}

const codeSeconds = 600;
const tokenLength = 48;

export function createGrantBook(rules: GrantRules): GrantBook {
  const { clock, snapshot } = rules;
  const codes = new Map<string, PendingCode & { readonly expiresAtMs: number }>();
  const grants = new Map(snapshot?.grants.map((grant) => [grant.grantId, grant]));
  const access = new Map(snapshot?.access);
  const refreshing = new Map(snapshot?.refresh);
  const after = (seconds: number) => clock.wallMs() + clock.toWallMs(seconds * 1000);

  function expiresIn(accessToken: string): number | null {
    const { expiresAtMs } = access.get(accessToken) ?? { expiresAtMs: 0 };
    return expiresAtMs === null ? null : Math.max(1, Math.floor((expiresAtMs - clock.wallMs()) / 1000));
  }

  // A forgotten token is rejected like an unknown one; an expired access token is distinguished for one more lifetime.
  function forgetDead(): void {
    const nowMs = clock.wallMs();
    const keptMs = clock.toWallMs((rules.accessTokenSeconds ?? 0) * 1000);
    for (const [token, { grantId, expiresAtMs }] of access)
      if (!grants.has(grantId) || (expiresAtMs !== null && nowMs > expiresAtMs + keptMs)) access.delete(token);
    for (const [token, { grantId, used }] of refreshing)
      if (!grants.has(grantId) || (used && nowMs > used.graceEndsAtMs)) refreshing.delete(token);
    for (const [code, { expiresAtMs }] of codes) if (nowMs > expiresAtMs) codes.delete(code);
  }

  function issue(grant: Grant, keptRefreshToken: string | null): Pair {
    forgetDead();
    const accessToken = randomBase62(tokenLength);
    const expiresAtMs = rules.accessTokenSeconds === null ? null : after(rules.accessTokenSeconds);
    access.set(accessToken, { grantId: grant.grantId, issuedAtMs: clock.wallMs(), expiresAtMs });
    const refreshToken = rules.refresh === 'none' ? null : (keptRefreshToken ?? randomBase62(tokenLength));
    if (refreshToken !== null && keptRefreshToken === null) refreshing.set(refreshToken, { grantId: grant.grantId });
    return { grant, accessToken, refreshToken, expiresIn: expiresIn(accessToken) };
  }

  function start(given: Omit<Grant, 'grantId'>): Pair {
    const grant: Grant = { ...given, grantId: randomBase62(16) };
    grants.set(grant.grantId, grant);
    return issue(grant, null);
  }

  return {
    issueCode(pending) {
      const code = randomBase62(32);
      codes.set(code, { ...pending, expiresAtMs: after(codeSeconds) });
      return code;
    },
    exchange({ code, clientId, redirectUri, verifier }) {
      const pending = codes.get(code);
      // Any attempt consumes the code.
      codes.delete(code);
      const challenge = createHash('sha256')
        .update(verifier ?? '')
        .digest('base64url');
      const isGood =
        pending?.clientId === clientId &&
        clock.wallMs() <= pending.expiresAtMs &&
        (redirectUri === null || pending.redirectUri === redirectUri) &&
        (pending.challenge === null || pending.challenge === challenge);
      if (!isGood) throw new RefusalError('grant_invalid', 'The authorization code is not valid');
      return start({ clientId, providerUserId: pending.providerUserId, scopes: pending.scopes });
    },
    grant: start,
    refresh(refreshToken, clientId) {
      const entry = refreshing.get(refreshToken);
      const grant = entry && grants.get(entry.grantId);
      if (!entry || grant?.clientId !== clientId) throw new RefusalError('grant_invalid', 'The refresh token is not valid');
      if (rules.refresh === 'keeps') return issue(grant, refreshToken);
      if (entry.used) {
        const { pair, graceEndsAtMs } = entry.used;
        if (rules.graceSeconds > 0 && clock.wallMs() <= graceEndsAtMs) return { ...pair, expiresIn: expiresIn(pair.accessToken) };
        throw new RefusalError('grant_invalid', 'The refresh token was used already');
      }
      const pair = issue(grant, null);
      entry.used = { pair, graceEndsAtMs: after(rules.graceSeconds) };
      return pair;
    },
    authenticate(accessToken) {
      const entry = access.get(accessToken ?? '');
      const grant = entry && grants.get(entry.grantId);
      if (!entry || !grant) throw new RefusalError('token_invalid', 'The access token is not valid');
      if (entry.expiresAtMs !== null && clock.wallMs() >= entry.expiresAtMs)
        throw new RefusalError('token_expired', 'The access token has expired');
      return grant;
    },
    lifetime: (accessToken) => access.get(accessToken),
    find: (token) => grants.get((access.get(token) ?? refreshing.get(token))?.grantId ?? ''),
    expire(which) {
      for (const [token, entry] of access) {
        const matches =
          'accessToken' in which ? token === which.accessToken : grants.get(entry.grantId)?.providerUserId === which.providerUserId;
        if (matches) entry.expiresAtMs = clock.wallMs();
      }
    },
    end(providerUserId, clientId) {
      const ending = [...grants.values()].filter(
        (grant) => grant.providerUserId === providerUserId && (clientId ?? grant.clientId) === grant.clientId,
      );
      for (const { grantId } of ending) grants.delete(grantId);
      return ending;
    },
    rescope(providerUserId, scopes) {
      for (const grant of grants.values()) if (grant.providerUserId === providerUserId) grants.set(grant.grantId, { ...grant, scopes });
    },
    endOne: (grantId) => void grants.delete(grantId),
    of: (providerUserId) => [...grants.values()].filter((grant) => grant.providerUserId === providerUserId),
    snapshot: () => ({ grants: [...grants.values()], access: [...access], refresh: [...refreshing] }),
  };
}
