import type { ConfigFields } from './fields.ts';
import { formerNames, settingNames } from './setting-names.ts';

/** The number of single-character edits (and swaps of neighbours) between two texts, counted up to `limit`. */
function editDistance(a: string, b: string, limit = Infinity): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min((previous[j] as number) + 1, (current[j - 1] as number) + 1, substitution);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, (beforePrevious[j - 2] as number) + 1);
      current.push(best);
    }
    // No later row has a smaller minimum, apart from one swap.
    if (Math.min(...current) > limit + 1) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] as number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names that a process reads for these settings; a secret is also read from a file. */
export function namesOf(fields: ConfigFields): string[] {
  return Object.values(fields).flatMap(({ env, secret }) => (secret === true ? [env, `${env}_FILE`] : [env]));
}

/** The current name by each name that these settings had in earlier versions. */
export function formerNamesOf(fields: ConfigFields): Record<string, string> {
  return Object.fromEntries(Object.values(fields).flatMap(({ env, formerly = [] }) => formerly.map((name) => [name, env])));
}

/** Names that our own documentation sets in shells for other programs. */
const ofDocumentation: ReadonlySet<string> = new Set(['API_KEY', 'WEBHOOK_ID', 'WEBHOOK_SECRET', 'WEBHOOK_TIMESTAMP']);

// What others derive from names like ours: OpenTelemetry, launchers of programs, and links to services by Kubernetes and Docker.
const ofOthers = [/^OTEL_/, /_(HOME|OPTS)$/, /_SERVICE_(HOST|PORT)(_|$)/, /_PORT_\d+_(TCP|UDP|SCTP)(_|$)/];
const linkedPort = /^(tcp|udp|sctp):\/\//;

function isOfOthers(name: string, text: string, foreign: readonly string[]): boolean {
  if (ofDocumentation.has(name) || ofOthers.some((form) => form.test(name))) return true;
  if (name.endsWith('_PORT') && linkedPort.test(text)) return true;
  return foreign.some((item) => (item.endsWith('*') ? name.startsWith(item.slice(0, -1)) : name === item));
}

const typoDistanceMax = 2;
// HOST is two edits away from HOME, so only longer names are reported as typos.
const typoLengthMin = 8;

function typoOf(name: string, known: ReadonlySet<string>): string | undefined {
  if (name.length < typoLengthMin - typoDistanceMax) return undefined;
  for (const candidate of known) {
    if (candidate.length < typoLengthMin || !candidate.includes('_')) continue;
    if (editDistance(name, candidate, typoDistanceMax) > typoDistanceMax) continue;
    const isNumbered = name.replaceAll(/\d/g, '') === candidate.replaceAll(/\d/g, '');
    if (!isNumbered) return candidate;
  }
  return undefined;
}

const sorted = (name: string) => name.split('').toSorted().join('');

/** Whether one letter was added, left out or swapped after the first: `DEMOO` and `PROT`, but not `POST` for `PORT`. */
function isSlipOf(name: string, word: string): boolean {
  if (name[0] !== word[0] || editDistance(name, word, 1) > 1) return false;
  return name.length !== word.length || sorted(name) === sorted(word);
}

function oneWordOf(name: string, known: ReadonlySet<string>): string | undefined {
  if (name.includes('_')) return undefined;
  return [...known].find((candidate) => !candidate.includes('_') && isSlipOf(name, candidate));
}

/** The setting that is spelled like this but for its case: `Port`. */
function inOtherCase(name: string, known: ReadonlySet<string>): string | undefined {
  const upper = name.toUpperCase();
  return known.has(upper) ? upper : undefined;
}

/** The setting in a name that adds what no setting has: a file for one that is no secret, or the name of this program. */
function settingIn(name: string, known: ReadonlySet<string>): string | undefined {
  return [name.replace(/_FILE$/, ''), name.replace(/^PULSEWIRE_/, '')].find((candidate) => known.has(candidate));
}

/** The first word of a name of several words: `WEBHOOK` of `WEBHOOK_TIMEOUT_MS`. */
const areaOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('_')));

/** Too common: programs of others have names such as HOST_IP and PORT_RANGE. */
const commonWords: ReadonlySet<string> = new Set(['HOST', 'PORT']);

function nearestOfArea(name: string, known: ReadonlySet<string>): string | undefined {
  const area = areaOf(name);
  if (area === '') return undefined;
  // A setting of one word has an area too: whoever sets PORTAL_ENABLED=off wants PORTAL=off.
  if (known.has(area) && !commonWords.has(area)) return area;
  const candidates = settingNames.filter((candidate) => areaOf(candidate) === area);
  const distances = new Map(candidates.map((candidate) => [candidate, editDistance(name, candidate)]));
  return candidates.toSorted((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0))[0];
}

/**
 * A problem for each variable that looks like a setting and that nothing reads: a former name, a typo, or a name that begins like those of
 * settings. Settings of other processes are known too, because installations give all of them the same environment.
 */
export function misnamed(fields: ConfigFields, env: Environment, foreign: readonly string[]): string[] {
  const known = new Set([...settingNames, ...namesOf(fields)]);
  const renamed: Readonly<Record<string, string>> = { ...formerNames, ...formerNamesOf(fields) };
  return Object.entries(env).flatMap(([name, text = '']) => {
    // Compose files and charts pass an unset variable as an empty string.
    if (text === '' || known.has(name)) return [];
    if (Object.hasOwn(renamed, name)) return [`${name} is now ${renamed[name]}: rename it`];
    const slip = inOtherCase(name, known) ?? typoOf(name, known);
    // The SDK reads names of its own beside ours, but none that is so close to one of ours.
    const isOurs = slip?.startsWith('OTEL_') === true && !foreign.includes(name);
    if (!isOurs && isOfOthers(name, text, foreign)) return [];
    const meant = slip ?? oneWordOf(name, known) ?? settingIn(name, known) ?? nearestOfArea(name, known);
    if (meant === undefined) return [];
    return [`${name} is not a setting; did you mean ${meant}? If it belongs to another program, add it to FOREIGN_VARIABLES`];
  });
}
