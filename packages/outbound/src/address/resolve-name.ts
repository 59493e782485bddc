import { readFile } from 'node:fs/promises';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { sleep } from '@pulsewire/kernel';

/** The addresses of a name, in the order in which they should be tried. */
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
const resolutionDelayMs = 50;

/** The addresses of a name in a hosts file, from every line that lists it. */
export function findInHosts(text: string, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(wanted) ? [address] : [];
  });
}

async function lookupFamily(name: string, family: 4 | 6): Promise<readonly string[]> {
  return (await lookup(name, { all: true, family })).map(({ address }) => address);
}

/**
 * The addresses of both families in turn, IPv4 first. When one family has arrived, the other has 50 ms left (RFC 8305, 3): some name servers
 * never respond to queries for IPv6. What comes later is not used, so every address in use has been returned here and can be checked.
 */
async function resolveBoth(resolve: (family: 4 | 6) => Promise<readonly string[]>): Promise<readonly string[]> {
  const found: { four: readonly string[]; six: readonly string[] } = { four: [], six: [] };
  const four = resolve(4).then((addresses) => void (found.four = addresses));
  const six = resolve(6).then((addresses) => void (found.six = addresses));
  const both = Promise.allSettled([four, six]);
  await Promise.race([both, Promise.any([four, six]).then(resolutionDelay, () => both)]);
  if (found.four.length === 0 && found.six.length === 0) await four;
  const rounds = Math.max(found.four.length, found.six.length);
  return Array.from({ length: rounds }, (_, index) => [found.four[index], found.six[index]])
    .flat()
    .filter((address) => address !== undefined);
}

async function resolutionDelay(): Promise<void> {
  await sleep(resolutionDelayMs);
  // After a stall of the process the response may have arrived with the timer: the sockets are read before an immediate runs.
  await setImmediate();
}

/**
 * Queries name servers without the system's own lookup. That lookup occupies one of four threads until the name server responds, so a few
 * names whose servers never respond would block every other name of the process. Names of the local network still use it, because outsiders
 * cannot make them slow. Rejects with the system's error.
 */
export function createNameResolver({ servers, timeoutMs = 2000, hostsFile = '/etc/hosts' }: NameResolverOptions = {}): ResolveName {
  return async (given) => {
    const name = given.endsWith('.') ? given.slice(0, -1) : given;
    if (ownNetwork.test(name)) return resolveBoth((family) => lookupFamily(name, family));
    const local = findInHosts(await readFile(hostsFile, 'utf8').catch(() => ''), name);
    if (local.length > 0) return local;
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers !== undefined) resolver.setServers(servers);
    try {
      return await resolveBoth((family) => (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)));
    } finally {
      resolver.cancel();
    }
  };
}
