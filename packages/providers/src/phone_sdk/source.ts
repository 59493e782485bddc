import type { SourceRef } from '@pulsewire/contract';
import { isItem, keyTextOf, metadataOf, partOf, rowOf, textOf } from './read-item.ts';
import type { PhoneItem, PhoneProvider, PhoneUser, PhoneWriter } from './types.ts';

/** Of HealthKit itself: its bundle id has the id of the device at its end. */
export const healthKitApp = 'com.apple.health';

/** The bundle id of a writer, the same for all devices of HealthKit: an export does not state which of them it was. */
export const withoutDevice = (appId: string | null): string | null => (appId?.startsWith(`${healthKitApp}.`) ? healthKitApp : appId);

/** How a name is compared: a phone and an export may write its apostrophes and capitals in other ways. */
export const nameKeyOf = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .toLowerCase()
    .trim();

const types: Readonly<Record<string, string>> = {
  phone: 'phone',
  watch: 'watch',
  fitness_band: 'watch',
  scale: 'scale',
  ring: 'ring',
  chest_strap: 'chest_strap',
};

function typeOfModel(model: string): string | null {
  if (model.startsWith('Watch')) return 'watch';
  return /^i(?:Phone|Pad|Pod)/.test(model) ? 'phone' : null;
}

/** The kind of device that a phone names, or that the model tells. */
export function deviceTypeOf(source: PhoneItem): string {
  const named = rowOf(types, textOf(source['deviceType'])?.toLowerCase() ?? '');
  // The first SDKs send both, and then the model is the kind of device, such as `Watch`.
  return named ?? typeOfModel(textOf(source['productType']) ?? textOf(source['deviceModel']) ?? '') ?? 'unknown';
}

/** App and kind of device of a writer; together they are the identity of what it wrote. */
export interface Writer {
  readonly appId: string | null;
  readonly type: string;
}

/**
 * The writer of an item of an export, which states the name of the writer and the device, but no bundle id. What Apple's own devices wrote
 * has their version as its own; with another version an app wrote it there. Of an app it is not stated on which device it ran, which is
 * the phone unless the phone itself has named this writer otherwise.
 */
function writerInExport(source: PhoneItem, name: string, writers: readonly PhoneWriter[]): Writer {
  const model = textOf(source['deviceModel']) ?? '';
  const isApple = textOf(source['deviceManufacturer'])?.startsWith('Apple') ?? false;
  const ownType = isApple ? typeOfModel(model) : null;
  const key = nameKeyOf(name);
  const named = writers.filter((writer) => nameKeyOf(writer.name) === key && (ownType === null || writer.type === ownType));
  const [first] = named;
  if (first && new Set(named.map(({ appId }) => appId)).size === 1) return { appId: first.appId, type: ownType ?? first.type };
  const [version, system] = [textOf(source['version']), textOf(source['deviceSoftwareVersion'])];
  const isByDevice = ownType !== null && (version === null || system === null || version === system);
  return { appId: isByDevice ? healthKitApp : keyTextOf(name), type: ownType ?? 'phone' };
}

/** The writer of an item: of HealthKit the same whether its phone sent it or an export holds it. */
export function writerOf(source: PhoneItem, provider: PhoneProvider, writers: readonly PhoneWriter[]): Writer {
  const appId = keyTextOf(source['appId']) ?? keyTextOf(source['bundleIdentifier']);
  const name = textOf(source['name']);
  if (provider !== 'apple_health_kit') return { appId, type: deviceTypeOf(source) };
  if (appId === null && name !== null) return writerInExport(source, name, writers);
  return { appId: withoutDevice(appId), type: deviceTypeOf(source) };
}

const measuredBy: Readonly<Record<string, string>> = {
  interstitial_fluid: 'automatic',
  interstitial: 'automatic',
  capillary_blood: 'fingerprick',
  capillary: 'fingerprick',
};

/** Where an item was measured. What a person typed in comes from an app, whatever device it was typed on. */
export function sourceOf({ provider, writers = [] }: Pick<PhoneUser, 'provider' | 'writers'>, item: PhoneItem): SourceRef {
  const source = partOf(item, 'source');
  const metadata = metadataOf(item);
  const isTyped = source['recordingMethod'] === 'manual' || ['1', 'true', 1, true].includes(metadata['HKWasUserEntered'] as string);
  const specimen = rowOf(measuredBy, (textOf(metadata['specimenSource']) ?? textOf(metadata['sampleSourceType']))?.toLowerCase() ?? '');
  const { appId, type } = writerOf(source, provider, writers);
  return { provider, type: isTyped ? 'app' : (specimen ?? type), appId, deviceId: null };
}

/** Most writers of a batch that are remembered. */
const writersMax = 100;

/** The writers that a phone names by bundle id and name, each once: exports state the name only. */
export function namedWriters(items: readonly unknown[], provider: PhoneProvider): PhoneWriter[] {
  const found = new Map<string, PhoneWriter>();
  if (provider !== 'apple_health_kit') return [];
  for (const item of items) {
    const source = isItem(item) ? item['source'] : null;
    if (!isItem(source)) continue;
    const [name, { appId, type }] = [keyTextOf(source['name']), writerOf(source, provider, [])];
    const isNamed = name !== null && appId !== null && (textOf(source['appId']) ?? textOf(source['bundleIdentifier'])) !== null;
    if (isNamed && found.size < writersMax) found.set(JSON.stringify([nameKeyOf(name), appId, type]), { name, appId, type });
  }
  return [...found.values()];
}
