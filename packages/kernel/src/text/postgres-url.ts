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

/** The hosts without percent signs; null when an escape of theirs, or of user and password, cannot be read. */
function decodedOf(start: string, authority: string): string | null {
  try {
    decodeURIComponent(start);
    return decodeURIComponent(authority);
  } catch {
    return null;
  }
}

const sslModes = new Set(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']);
const portOf = (authority: string) => /:(\d*)$/.exec(authority.replace(/^\[.*\]/, ''))?.[1];

/** Parameters that would change how the driver works, instead of the session: transactions would be unsafe, or a server that only reads be used. */
const driverNames = new Set(
  'backoff connection debug fetch_types idle_timeout keep_alive max max_lifetime max_pipeline onclose path prepare publications transform types'.split(
    ' ',
  ),
);
const sessionTargets = new Set(['any', 'primary', 'read-write']);

/**
 * Whether the ports of a URL exist, its parameters for TLS and time are such as the driver reads (it ignores others, or fails later), none is
 * repeated, and none changes how the driver works.
 */
export function isPostgresUrlUsable(text: string): boolean {
  const parsed = parsePostgresUrl(text);
  // The driver reads what follows it neither as a password nor as parameters.
  if (parsed === null || text.includes('#')) return false;
  const [, authority = ''] = /^[a-z]+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(text) ?? [];
  const params = parsed.url.searchParams;
  const [mode, root, wait, target] = ['sslmode', 'sslrootcert', 'connect_timeout', 'target_session_attrs'].map((name) => params.get(name));
  const names = [...params.keys()];
  return (
    new Set(names).size === names.length &&
    !names.some((name) => driverNames.has(name)) &&
    (target == null || sessionTargets.has(target)) &&
    authority.split(',').every((one) => Number(portOf(one) ?? 1) <= 65_535) &&
    (mode == null || sslModes.has(mode)) &&
    (root == null || root === 'system') &&
    (wait == null || /^\d{1,6}$/.test(wait)) &&
    names.every((name) => !name.startsWith('ssl') || ['ssl', 'sslmode', 'sslrootcert', 'sslnegotiation'].includes(name))
  );
}

/**
 * Parses `postgres://user@first:5432,second:5432/name`, in which several hosts are allowed and `URL` alone is not enough. Null when the text
 * is no such URL.
 */
export function parsePostgresUrl(text: string): PostgresUrl | null {
  const [, start = '', authority = '', rest = ''] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(text) ?? [];
  if (start === '') return null;
  const decoded = decodedOf(start, authority);
  if (decoded === null) return null;
  const hosts = decoded.split(',');
  const url = URL.parse(`${start}${authority.split(',')[0]}${rest}`);
  return url === null || (hosts.length > 1 && hosts.some((host) => host === '')) ? null : { url, hosts: hosts.map(hostOf) };
}
