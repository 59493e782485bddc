import { readFile } from 'node:fs/promises';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** All addresses of a name, in the order in which they should be tried. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

export interface NameResolverOptions {
  /** Name servers, `address` or `address:port`; those of the machine when absent. */
  readonly servers?: readonly string[];
  /** For one question to one server; there are two tries. Default 2 s. */
  readonly timeoutMs?: number;
  readonly hostsFile?: string;
}

// Names that no name server of the internet answers for: only the machine and its network know them.
const ownNetwork = /^[^.]+$|\.(localhost|local|internal|home\.arpa|test)$/i;
const tries = 2;

/** What a hosts file says of a name: the addresses of every line that lists it. */
export function findInHosts(text: string, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(wanted) ? [address] : [];
  });
}

/**
 * Asks name servers without the system's own lookup: that one holds a thread of four for as long as a name server takes, so a
 * few names whose servers never answer would hold up every other name of the process. Names of the machine's own network still
 * go that way, for nobody outside can make them slow. Rejects with the error of the system.
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
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}
