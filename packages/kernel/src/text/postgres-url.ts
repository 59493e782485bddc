import { isIP } from 'node:net';

/** How TLS is used; null: not at all. `verify-ca` and `verify-full` check the certificate, the others accept any. */
export type PostgresTls = 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full' | null;

/** What a `postgres://` URL says. A part that it leaves open is undefined. */
export interface PostgresUrl {
  /** In order; an IPv6 address has no brackets, and a folder with a socket begins with a slash and is alone. */
  readonly hosts: readonly string[];
  /** One for each host. */
  readonly ports: readonly number[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly tls: PostgresTls;
  /** Whether TLS begins without a request in the clear (`sslnegotiation=direct`). */
  readonly isTlsDirect: boolean;
  readonly connectTimeoutSeconds: number | undefined;
  /** Which of several servers is used: any, or one that can be written. */
  readonly target: 'any' | 'primary' | 'read-write' | undefined;
  /** Parameters of the session, for the server. */
  readonly session: Readonly<Record<string, string>>;
}

const defaultPort = 5432;
const connectTimeoutSecondsMax = 600;
const sessionNames = ['application_name', 'options', 'search_path'] as const;
/** Others are refused: the driver would ignore them, or take them as options of its own, and the server would refuse the rest. */
const names: ReadonlySet<string> = new Set(
  [
    sessionNames,
    ['channel_binding', 'connect_timeout', 'host', 'ssl', 'sslmode', 'sslnegotiation', 'sslrootcert', 'target_session_attrs'],
  ].flat(),
);

/** Completes "DATABASE_URL must be …". */
export const postgresUrlText =
  'a URL that starts with postgres:// or postgresql://, like postgres://user:password@host:5432/name; several hosts are separated by commas, an IPv6 address is in brackets, and @ / ? # % in a user or password are written %40 %2F %3F %23 %25. Its parameters, each once: ' +
  'application_name, channel_binding (disable or prefer: it is not used, so that require, which Neon proposes, has to be left out), connect_timeout (1 to 600 seconds), host (a folder with a socket, when no host is named before), options, search_path, ssl (true or false), sslmode (disable, allow, prefer, require, verify-ca or verify-full; certificates are in NODE_EXTRA_CA_CERTS), sslnegotiation (postgres or direct), sslrootcert (system), target_session_attrs (any, primary or read-write)';

/** Each part in its own characters: what separates parts has to be escaped within one. */
const form = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^#]*))?$/;
const nameForm = /^(?!-)[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63})*\.?$/u;

class Unusable extends Error {}

function refuse(): never {
  throw new Unusable();
}

/** Postgres ends a text at NUL. */
const withoutNul = (text: string): string => (text.includes('\0') ? refuse() : text);

const decoded = (text: string): string => withoutNul(decodeURIComponent(text));

/** A folder, an address, or a name that does not look like a mistyped address. */
function hostOf(text: string): string {
  if (text.startsWith('/')) return text;
  const [, address] = /^\[(.*)\]$/.exec(text) ?? [];
  if (address !== undefined) return isIP(address) === 6 ? address : refuse();
  return isIP(text) === 4 || (nameForm.test(text) && !/^[\d.]+$/.test(text)) ? text : refuse();
}

function portOf(text: string | undefined): number {
  if (text === undefined || text === '') return defaultPort;
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : refuse();
}

function hostsOf(authority: string, folder: string | undefined): Pick<PostgresUrl, 'hosts' | 'ports'> {
  if (authority === '')
    return { hosts: [folder === undefined ? 'localhost' : folder.startsWith('/') ? folder : refuse()], ports: [defaultPort] };
  if (folder !== undefined) refuse();
  const pairs = authority.split(',').map((text) => /^(\[.*\]|[^:]*)(?::(.*))?$/.exec(text) ?? refuse());
  const hosts = pairs.map(([, host = '']) => hostOf(decoded(host)));
  if (hosts.length > 1 && hosts.some((host) => host.startsWith('/'))) refuse();
  return { hosts, ports: pairs.map(([, , port]) => portOf(port)) };
}

function oneOf<T extends string>(text: string | undefined, allowed: readonly T[]): T | undefined {
  return text === undefined ? undefined : (allowed.find((one) => one === text) ?? refuse());
}

function tlsOf(of: (name: string) => string | undefined): Pick<PostgresUrl, 'tls' | 'isTlsDirect'> {
  const mode = oneOf(of('sslmode'), ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']);
  const flag = oneOf(of('ssl'), ['true', 'false']);
  const root = oneOf(of('sslrootcert'), ['system']);
  const isTlsDirect = oneOf(of('sslnegotiation'), ['postgres', 'direct']) === 'direct';
  const wanted = [mode, flag && (flag === 'true' ? 'verify-full' : 'disable'), root && 'verify-full'].filter((one) => one !== undefined);
  // Two parameters for the same would hide which of them counts.
  if (new Set(wanted).size > 1) refuse();
  const tls = wanted[0] === undefined || wanted[0] === 'disable' ? null : (wanted[0] as PostgresTls);
  if (isTlsDirect && (tls === null || tls === 'allow' || tls === 'prefer')) refuse();
  return { tls, isTlsDirect };
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  return /^\d{1,3}$/.test(text) && seconds >= 1 && seconds <= connectTimeoutSecondsMax ? seconds : refuse();
}

/** Its parameters in order. As in libpq, a plus sign is no blank, and an escape that is none is refused. */
function paramsOf(query: string): ReadonlyMap<string, string> {
  const parts = query.split('&').filter((part) => part !== '');
  const pairs = parts.map((part) => {
    const at = part.indexOf('=');
    return at < 0 ? refuse() : ([decoded(part.slice(0, at)), decoded(part.slice(at + 1))] as const);
  });
  const params = new Map(pairs);
  return params.size < pairs.length ? refuse() : params;
}

function read(text: string): PostgresUrl {
  // Blanks and control characters would be removed or escaped on the way to the server.
  const [, login, authority = '', name = '', query = ''] = (/[\s\p{C}]/u.test(text) ? null : form.exec(text)) ?? refuse();
  const params = paramsOf(query);
  if ([...params.keys()].some((one) => !names.has(one))) refuse();
  const of = (one: string) => params.get(one);
  oneOf(of('channel_binding'), ['disable', 'prefer']);
  const [, user, password] = /^([^:]*)(?::(.*))?$/.exec(login ?? '') ?? refuse();
  return {
    ...hostsOf(authority, of('host')),
    user: decoded(user ?? '') || undefined,
    password: decoded(password ?? '') || undefined,
    database: decoded(name) || undefined,
    ...tlsOf(of),
    connectTimeoutSeconds: secondsOf(of('connect_timeout')),
    target: oneOf(of('target_session_attrs'), ['any', 'primary', 'read-write']),
    session: Object.fromEntries(sessionNames.flatMap((one) => (params.has(one) ? [[one, of(one) ?? '']] : []))),
  };
}

/**
 * Reads `postgres://user@first:5432,second:5432/name`. Null when a part of it would be used otherwise than it reads: the whole URL is parsed
 * here, and nothing is left to the driver, which splits it at other places.
 */
export function parsePostgresUrl(text: string): PostgresUrl | null {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Unusable || error instanceof URIError) return null;
    throw error;
  }
}
