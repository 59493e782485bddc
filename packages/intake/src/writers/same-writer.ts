import { healthKitApp, nameKeyOf, withoutDevice, type PhoneWriter } from '@pulsewire/providers';

/** App and kind of device of what was written. */
export interface WriterRef {
  readonly appId?: string | null;
  readonly type: string;
}

const isBundleId = (appId: string) => /^[\w-]+(?:\.[\w-]+)+$/.test(appId);

/** The kind of device is unknown in data from before a phone or an export stated it. */
export const isSameDevice = (a: string, b: string): boolean =>
  a === b || ((a === 'unknown' || b === 'unknown') && a !== 'app' && b !== 'app');

/**
 * How two writers are related: `same` by what is known of them, `other`, or `unclear` where one is the name in an export and the other a
 * bundle id whose name no phone has stated. Then only what they wrote can tell.
 */
export function compareApps(first: string | null, second: string | null, known: readonly PhoneWriter[]): 'same' | 'other' | 'unclear' {
  const [a, b] = [withoutDevice(first), withoutDevice(second)];
  if (a === b) return 'same';
  // Earlier imports kept no names.
  if (a === null || b === null) return 'unclear';
  if (isBundleId(a) === isBundleId(b)) return nameKeyOf(a) === nameKeyOf(b) ? 'same' : 'other';
  const [name, bundleId] = isBundleId(a) ? [b, a] : [a, b];
  const names = known.filter(({ appId }) => appId === bundleId).map((writer) => nameKeyOf(writer.name));
  if (names.includes(nameKeyOf(name))) return 'same';
  // Earlier imports took all that was recorded on Apple's devices for HealthKit's own.
  return names.length === 0 || bundleId === healthKitApp ? 'unclear' : 'other';
}

function rankOf(appId: string | null): number {
  if (appId === null) return 0;
  if (appId === healthKitApp) return 1;
  return isBundleId(appId) ? 3 : 2;
}

/** The better of two names of one writer, whichever arrived first: a bundle id, the name of an app, HealthKit itself. */
export function betterApp(first: string | null, second: string | null): string | null {
  const [a, b] = [withoutDevice(first), withoutDevice(second)];
  return rankOf(b) > rankOf(a) ? b : a;
}

/** What is learnt from two writers that turned out to be one: the name of a bundle id. Null where they state no name and id of an app. */
export function writerOfBoth(first: WriterRef, second: WriterRef): PhoneWriter | null {
  const [a, b] = [first.appId ?? null, second.appId ?? null];
  if (a === null || b === null || isBundleId(a) === isBundleId(b)) return null;
  const [name, appId] = isBundleId(a) ? [b, a] : [a, b];
  return withoutDevice(appId) === healthKitApp ? null : { name, appId, type: first.type === 'unknown' ? second.type : first.type };
}
