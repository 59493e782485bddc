import type { CanonicalRecord } from '@pulsewire/contract';
import type { MappedRecords } from '../types/connector.ts';

type Path = readonly (string | number)[];

/** Items of a list that are tried; the others have the same shape. */
const triedMax = 3;
const depthMax = 8;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the objects of lists are: each of them is an item that a mapper reads on its own. */
function itemsIn(value: unknown, path: Path = []): Path[] {
  if (path.length > depthMax) return [];
  if (Array.isArray(value)) {
    const tried = value.slice(0, triedMax);
    return tried.flatMap((item, index) => [...(isObject(item) ? [[...path, index]] : []), ...itemsIn(item, [...path, index])]);
  }
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => itemsIn(member, [...path, key])) : [];
}

/** What says of which kind an item is: items of kinds that nobody has heard of yet are left out knowingly. */
const kindPattern = /(?:type|kind)$/i;

/** The same shape and kind, with a text that is no value of anything in every other place. */
function unreadable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unreadable);
  if (!isObject(value)) return '¿unreadable?';
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, member]) => [key, kindPattern.test(key) && !isObject(member) ? member : unreadable(member)]),
  );
}

function replaced(value: unknown, [head, ...rest]: Path, change: (item: unknown) => unknown): unknown {
  if (head === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === head ? replaced(item, rest, change) : item));
  return { ...(value as object), [head]: replaced((value as Record<string, unknown>)[head], rest, change) };
}

/** What identifies each record of a mapped response. */
function identities(records: readonly CanonicalRecord[]): ReadonlySet<string> {
  return new Set(
    records.flatMap((record) => {
      if (record.kind === 'summary') return [`${record.resource} ${record.id}`];
      if (record.kind !== 'samples') return [];
      return record.samples.map(({ ts }) => `${record.resource} ${record.subKind ?? ''} ${ts}`);
    }),
  );
}

/** What an item that cannot be read takes away, unless it is set aside. */
function lossAt(path: Path, whole: MappedRecords, mapped: MappedRecords): string[] {
  const known = new Set(whole.quarantined.map(({ resource, pointer }) => `${resource} ${pointer}`));
  if (mapped.quarantined.some(({ resource, pointer }) => !known.has(`${resource} ${pointer}`))) return [];
  const found = identities(mapped.records);
  const lost = [...identities(whole.records)].filter((identity) => !found.has(identity));
  return lost.length === 0 ? [] : [`/${path.join('/')}: ${lost.slice(0, 2).join(', ')}`];
}

/**
 * The places of a response at which an item that cannot be read takes records away without anything being quarantined. Nothing that a provider
 * sends may vanish between its response and the store without a count and a reason.
 */
export function silentLosses(map: (body: unknown) => MappedRecords, body: unknown): readonly string[] {
  const whole = map(body);
  return itemsIn(body).flatMap((path) => lossAt(path, whole, map(replaced(body, path, unreadable))));
}

/** `silentLosses` of a pull that maps several responses together: `read` runs it with this body as one of them. */
export async function silentLossesOfPull(read: (body: unknown) => Promise<MappedRecords>, body: unknown): Promise<readonly string[]> {
  const whole = await read(body);
  const losses: string[] = [];
  for (const path of itemsIn(body)) losses.push(...lossAt(path, whole, await read(replaced(body, path, unreadable))));
  return losses;
}
