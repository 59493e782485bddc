import { longestMs } from './sealed-session.ts';

/** The cookie of a session. With https it is bound to the host and to secure connections by its name. */
export interface SessionCookie {
  read(header: string | undefined): string | undefined;
  write(value: string): string;
  clear(): string;
}

export function createSessionCookie({ isSecure, root }: { readonly isSecure: boolean; readonly root: string }): SessionCookie {
  const name = isSecure ? '__Host-pulsewire-portal' : 'pulsewire-portal';
  const rest = isSecure ? '; Path=/; HttpOnly; SameSite=Strict; Secure' : `; Path=${root}; HttpOnly; SameSite=Strict`;
  return {
    read(header) {
      for (const part of (header ?? '').split(';')) {
        const at = part.indexOf('=');
        if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
      }
      return undefined;
    },
    write: (value) => `${name}=${value}${rest}; Max-Age=${longestMs / 1000}`,
    clear: () => `${name}=${rest}; Max-Age=0`,
  };
}
