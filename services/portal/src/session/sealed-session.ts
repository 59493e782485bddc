import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What the browser's cookie holds, encrypted: the portal keeps no state, so any process serves any session, also after a restart. */
export interface Session {
  readonly id: string;
  /** The team's API key. */
  readonly key: string;
  readonly startedMs: number;
  readonly seenMs: number;
  /** Users whose values are shown; the newest last. */
  readonly revealed: readonly string[];
}

export const idleMs = 30 * 60_000;
export const longestMs = 12 * 3_600_000;
/** A cookie has at most 4 kB. */
const revealedMax = 40;
const nonceBytes = 12;
const tagBytes = 16;
const context = Buffer.from('portal session 1');

export interface Sealer {
  seal(session: Session): string;
  /** Null for text that this installation did not seal, and for sessions that have ended. */
  open(text: string, nowMs: number): Session | null;
}

function parse(json: string): Session | null {
  const [id, key, startedMs, seenMs, revealed] = JSON.parse(json) as [string, string, number, number, string[]];
  return { id, key, startedMs, seenMs, revealed };
}

/** Seals with a key derived from the installation's secret. */
export function createSealer(secret: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'pulsewire portal session', 32));
  return {
    seal({ id, key: apiKey, startedMs, seenMs, revealed }) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
      const json = JSON.stringify([id, apiKey, startedMs, seenMs, revealed.slice(-revealedMax)]);
      return Buffer.concat([nonce, cipher.update(json), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(text, nowMs) {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= nonceBytes + tagBytes) return null;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes)).setAAD(context);
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
        const session = parse(plain.toString('utf8'));
        return session && nowMs - session.seenMs < idleMs && nowMs - session.startedMs < longestMs ? session : null;
      } catch {
        return null;
      }
    },
  };
}
