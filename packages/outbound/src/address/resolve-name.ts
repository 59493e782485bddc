import { readFile } from 'node:fs/promises';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** All addresses of a name, in the order in which they should be tried. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

export interface NameResolverOptions {
  /** Name servers, `address` or `address:port`; those of the machine when absent. */
  readonly servers?: readonly string[];
  /** For one query to one server; there are two attempts. Default 2 s. */
  readonly timeoutMs?: number;
  readonly hostsFile?: string;
}

// Names that public name servers do not resolve: only the machine and its network know them.
const ownNetwork = /^[^.]+$|\.(localhost|local|internal|home\.arpa|test)$/i;
const tries = 2;

/** The addresses of a name in a hosts file, from every line that lists it. */
export function findInHosts(text: string, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(wanted) ? [address] : [];
  });
}

/**
 * Queries name servers without the system's own lookup. That lookup occupies one of four threads until the name server responds, so a few
 * names whose servers never respond would block every other name of the process. Names of the local network still use it, because outsiders
 * cannot make them slow. Rejects with the system's error.
 */
export function createNameResolver({ servers, timeoutMs = 2000, hostsFile = '/etc/hosts' }: NameResolverOptions = {}): ResolveName {
  return async (given) => {
    const name = given.endsWith('.') ? given.slice(0, -1) : given;
    if (ownNetwork.test(name)) return (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address);
    const local = findInHosts(await readFile(hostsFile, 'utf8').catch(() => ''), name);
    if (local.length > 0) return local;
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers !== undefined) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}
