import type { Sealer, Session } from '../session/sealed-session.ts';
import type { SessionCookie } from '../session/cookies.ts';

/** A seen session is written again at most once a minute, so that pages that load together do not overwrite each other's cookie. */
const touchMs = 60_000;

export interface Sessions {
  readonly sealer: Sealer;
  readonly cookie: SessionCookie;
}

export function readSession({ sealer, cookie }: Sessions, header: string | undefined, nowMs: number): Session | null {
  const text = cookie.read(header);
  return text === undefined ? null : sealer.open(text, nowMs);
}

/** The header that keeps a used session alive; null when it was written recently. */
export function touch({ sealer, cookie }: Sessions, session: Session, nowMs: number): string | null {
  return nowMs - session.seenMs < touchMs ? null : cookie.write(sealer.seal({ ...session, seenMs: nowMs }));
}
