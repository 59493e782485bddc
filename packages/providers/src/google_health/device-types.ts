import { addDays, msToDay } from '../kit/time/days.ts';
import { textOrNull } from '../kit/records/recorded-by.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import type { PullUser } from '../kit/types/connector.ts';

/** What a device of this name records. In the account facts, so plain JSON. */
interface DeviceType {
  readonly type: string;
  /** The day on which the name became known; before it the device's records were stored as `unknown`. null: with the first facts. */
  readonly learned: string | null;
}

type DeviceTypes = Readonly<Record<string, DeviceType>>;

const namesMax = 100;

function typesIn(account: Readonly<Record<string, unknown>>): DeviceTypes {
  const known = account['device_types'];
  return typeof known === 'object' && known !== null ? (known as DeviceTypes) : {};
}

interface NamedDevice {
  readonly type: string;
  readonly model: string | null;
}

/**
 * The source types of all devices that the account has or had, by product name. A name is never forgotten and keeps its type, because the
 * source type is part of a record's identity: a record that is read again after its device was removed must not become another one.
 */
export function learnDeviceTypes(
  previous: Readonly<Record<string, unknown>>,
  devices: readonly NamedDevice[],
  now: Date | undefined,
): { readonly types: DeviceTypes; readonly hasLearned: boolean } {
  const known = typesIn(previous);
  const learned = Object.keys(previous).length === 0 || now === undefined ? null : msToDay(now.getTime());
  const added = devices.flatMap(({ type, model }): [string, DeviceType][] =>
    model === null || type === 'unknown' || Object.hasOwn(known, model) ? [] : [[model, { type, learned }]],
  );
  const entries = [...Object.entries(known), ...added.toReversed()].slice(0, namesMax);
  return { types: Object.fromEntries(entries), hasLearned: added.length > 0 && learned !== null };
}

/** The first facts that list source types by name come from a version that stored everything without a form as `unknown`. */
export const knewTypes = (account: Readonly<Record<string, unknown>>): boolean => 'device_types' in account;

const formFactors: ReadonlyMap<unknown, string> = new Map([
  ['WATCH', 'watch'],
  ['FITNESS_BAND', 'watch'],
  ['SCALE', 'scale'],
  ['PHONE', 'phone'],
  ['TABLET', 'phone'],
  ['RING', 'ring'],
  ['CHEST_STRAP', 'chest_strap'],
]);

/** The types of points whose device was not known: without and with an application. */
export const formerTypes = ['unknown', 'app'] as const;

/** What measured a listed point. */
export interface PointSource {
  readonly type: string;
  /** The type under which the same record may be stored from the time when its device was not known; null: none. */
  readonly formerly: string | null;
}

/**
 * What measured a listed point. Any part of `dataSource` may be missing: a tracker states its form with workouts alone, and elsewhere only the
 * name of its product, which the paired devices explain. `ms` is the point's time.
 */
export function sourceOfPoint(point: JsonNode, { account }: Pick<PullUser, 'account'>, ms: number): PointSource {
  const source = point.at('dataSource');
  if (source.at('recordingMethod').value === 'MANUAL') return { type: 'app', formerly: null };
  const device = source.at('device');
  const stated = formFactors.get(device.at('formFactor').value);
  if (stated !== undefined) return { type: stated, formerly: null };
  const unnamed = source.at('application').isMissing ? 'unknown' : 'app';
  const types = typesIn(account);
  const name = textOrNull(device.at('displayName'));
  const known = name !== null && Object.hasOwn(types, name) ? types[name] : undefined;
  if (known === undefined) return { type: unnamed, formerly: null };
  const mayBeStored = known.learned !== null && msToDay(ms) <= addDays(known.learned, 1);
  return { type: known.type, formerly: mayBeStored ? unnamed : null };
}
