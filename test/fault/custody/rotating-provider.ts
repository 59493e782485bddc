import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Faults of the token endpoint, each with its probability 0..1. `kill_*`: the requesting process is killed at that moment. */
export interface Misfortunes {
  readonly bare_400: number;
  readonly http_503: number;
  readonly http_429: number;
  readonly rotated_then_500: number;
  readonly rotated_then_cut: number;
  readonly kill_before_rotation: number;
  readonly kill_after_rotation: number;
  readonly kill_after_answer: number;
}

interface Account {
  readonly name: string;
  refreshToken: string;
  isWithdrawn: boolean;
  /** Rotations whose response may have reached no process, or was lost with the process that received it. */
  lost: number;
  /** The process that rotated last, until a token of that pair is seen. */
  unconfirmedBy: number | null;
  refreshes: number;
  /** Requests of live processes that are currently in progress. */
  readonly inside: Set<http.IncomingMessage>;
}

export interface RotatingProvider {
  readonly url: string;
  readonly accounts: ReadonlyMap<string, Account>;
  /** The pair that linking would have issued. */
  addAccount(name: string): { readonly accessToken: string; readonly refreshToken: string };
  readonly counts: { refreshes: number; overlaps: number; refusals: number; used: number; usedDead: number; unstored: number };
  close(): Promise<void>;
}

export interface RotatingProviderOptions {
  /** How long a used refresh token still returns the pair that it returned before; 0: strictly single-use. */
  readonly graceMs: number;
  readonly lifetimeSeconds: number;
  readonly random: () => number;
  readonly misfortunes: () => Misfortunes;
  /** Kills the process without warning; the account is that of its request. */
  readonly kill: (pid: number, account: string) => void;
  /** The pair of this account may have died with the process that is being killed. */
  readonly onLost: (account: string) => void;
}

/**
 * A provider with rotating refresh tokens. It records every token that it issued and detects what no client may do: two
 * refreshes of one account at the same time, use of a token that it never issued, use of a token that is not stored yet.
 */
export async function createRotatingProvider(options: RotatingProviderOptions): Promise<RotatingProvider> {
  const { random, graceMs, lifetimeSeconds } = options;
  const accounts = new Map<string, Account>();
  const spent = new Map<string, { readonly account: Account; readonly response: string; readonly untilMs: number }>();
  const access = new Map<string, { readonly account: Account; readonly pair: number; readonly expiresAtMs: number }>();
  const counts = { refreshes: 0, overlaps: 0, refusals: 0, used: 0, usedDead: 0, unstored: 0 };

  const fresh = () => randomBytes(24).toString('base64url');
  const issueAccess = (account: Account): string => {
    const token = fresh();
    access.set(token, { account, pair: account.refreshes, expiresAtMs: Date.now() + lifetimeSeconds * 1000 });
    return token;
  };
  const holderOf = (token: string) => [...accounts.values()].find(({ refreshToken }) => refreshToken === token);

  function rotate(account: Account, token: string, pid: number): string {
    account.unconfirmedBy = pid;
    account.refreshToken = fresh();
    account.refreshes += 1;
    const response = JSON.stringify({
      access_token: issueAccess(account),
      refresh_token: account.refreshToken,
      expires_in: lifetimeSeconds,
      scope: 'activity',
      token_type: 'Bearer',
      user_id: account.name,
    });
    spent.set(token, { account, response, untilMs: Date.now() + graceMs });
    return response;
  }

  const reply = (response: http.ServerResponse, status: number, body: string) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  // Other refreshes of the same process are lost with it, including those with a sent response that is not stored yet.
  const dead = new Set<number>();
  function kill(pid: number, name: string): void {
    dead.add(pid);
    for (const account of accounts.values()) {
      if (account.unconfirmedBy !== pid) continue;
      account.lost += 1;
      options.onLost(account.name);
    }
    options.kill(pid, name);
  }
  const strikes = (name: keyof Misfortunes) => random() < options.misfortunes()[name];

  async function refresh(request: http.IncomingMessage, response: http.ServerResponse, token: string, pid: number): Promise<void> {
    counts.refreshes += 1;
    const again = spent.get(token);
    const account = holderOf(token) ?? again?.account;
    if (!account || account.isWithdrawn) {
      counts.refusals += 1;
      return reply(response, 400, JSON.stringify({ errors: [{ errorType: 'invalid_grant' }], error: 'invalid_grant' }));
    }
    if (account.inside.size > 0) counts.overlaps += 1;
    account.inside.add(request);
    // A killed client no longer counts as in progress: its socket closes with it.
    const leave = () => account.inside.delete(request);
    request.socket.once('close', leave);
    try {
      await new Promise((resolve) => setTimeout(resolve, 2 + random() * 30));
      if (strikes('bare_400')) return reply(response, 400, '{"success":false}');
      if (strikes('http_503')) return reply(response, 503, '{}');
      if (strikes('http_429')) return reply(response, 429, '{}');
      if (strikes('kill_before_rotation')) return kill(pid, account.name);
      if (again && again.untilMs < Date.now()) {
        counts.refusals += 1;
        return reply(response, 400, JSON.stringify({ errors: [{ errorType: 'invalid_grant' }], error: 'invalid_grant' }));
      }
      const answer = again?.response ?? rotate(account, token, pid);
      if (again) account.unconfirmedBy = pid;
      if (dead.has(pid)) {
        account.lost += 1;
        options.onLost(account.name);
      }
      account.lost += 1;
      if (strikes('rotated_then_500')) return reply(response, 500, '{}');
      if (strikes('rotated_then_cut')) return void request.socket.destroy();
      if (strikes('kill_after_rotation')) return kill(pid, account.name);
      if (strikes('kill_after_answer')) {
        reply(response, 200, answer);
        return void setTimeout(() => kill(pid, account.name), random() * 3);
      }
      account.lost -= 1;
      return reply(response, 200, answer);
    } finally {
      leave();
      request.socket.off('close', leave);
    }
  }

  function use(request: http.IncomingMessage, response: http.ServerResponse): void {
    const found = access.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    counts.used += 1;
    if (request.headers['x-is-stored'] !== 'yes') counts.unstored += 1;
    if (!found) counts.usedDead += 1;
    // A token of the previous pair says nothing about the pair that may not be stored yet.
    else if (found.pair === found.account.refreshes) found.account.unconfirmedBy = null;
    const isGood = found !== undefined && !found.account.isWithdrawn && found.expiresAtMs > Date.now();
    reply(response, isGood ? 200 : 401, '{}');
  }

  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const pid = Number(/storm-(\d+)/.exec(request.headers['user-agent'] ?? '')?.[1] ?? 0);
      if (request.url === '/use') use(request, response);
      else void refresh(request, response, new URLSearchParams(text).get('refresh_token') ?? '', pid);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts,
    addAccount(name) {
      const account: Account = {
        name,
        refreshToken: fresh(),
        isWithdrawn: false,
        lost: 0,
        unconfirmedBy: null,
        refreshes: 0,
        inside: new Set(),
      };
      accounts.set(name, account);
      return { accessToken: issueAccess(account), refreshToken: account.refreshToken };
    },
    counts,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
