/** The parts of a `postgres://` URL that several hosts share, and its hosts in order. */
export interface PostgresUrl {
  /** With the first host only. */
  readonly url: URL;
  /** Without ports; an IPv6 address has no brackets. */
  readonly hosts: readonly string[];
}

function hostOf(authority: string): string {
  const [, address] = /^\[(.*)\]/.exec(authority) ?? [];
  return address ?? authority.replace(/:\d*$/, '');
}

/**
 * Parses `postgres://user@first:5432,second:5432/name`, in which several hosts are allowed and `URL` alone is not enough. Null when the text
 * is no such URL.
 */
export function parsePostgresUrl(text: string): PostgresUrl | null {
  const [, start = '', authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(text) ?? [];
  if (start === '') return null;
  const hosts = authority.split(',').map(decodeURIComponent);
  const url = URL.parse(`${start}${authority.split(',')[0]}${rest}`);
  return url === null || (hosts.length > 1 && hosts.some((host) => host === '')) ? null : { url, hosts: hosts.map(hostOf) };
}
