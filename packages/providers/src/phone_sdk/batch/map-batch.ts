import { dayMs } from '@pulsewire/kernel';
import { createCollection, type Collected } from '../collected.ts';
import { mapRecords } from '../map-records.ts';
import { isItem, numberOf, textOf, rowOf, spanOf } from '../read-item.ts';
import { readSleep } from '../read-sleep.ts';
import { seriesRows, typeName } from '../series.ts';
import { namedWriters } from '../source.ts';
import type { PhoneItem, DeletedSample, MappedBatch, PhoneBatch, PhoneProvider, PhoneUser } from '../types.ts';
import { mapElectrocardiograms } from '../workouts/map-electrocardiograms.ts';
import { mapWorkouts } from '../workouts/map-workouts.ts';
import { openZones } from '../zones.ts';

/** HealthKit's codes of sleep; the SDK sends words since 0.3. */
const stages: readonly string[] = ['in_bed', 'sleeping', 'awake', 'light', 'deep', 'rem'];

function metadataOf(list: readonly unknown[]): PhoneItem {
  const entries = list.filter(isItem).map((entry) => [textOf(entry['key']) ?? '', entry['value']] as const);
  return Object.fromEntries(entries);
}

/** An item of the iOS SDK before 0.3, which has other names for the same things, as later ones send it. Other items are returned as they are. */
function fromFirstSdk(item: unknown): unknown {
  if (!isItem(item) || item['uuid'] === undefined || item['id'] !== undefined) return item;
  const { uuid, recordMetadata, workoutStatistics, ...same } = item;
  const code = same['type'] === 'HKCategoryTypeIdentifierSleepAnalysis' ? numberOf(same['value']) : null;
  return {
    ...same,
    id: uuid,
    ...(Array.isArray(recordMetadata) && { metadata: metadataOf(recordMetadata) }),
    ...(Array.isArray(workoutStatistics) && { values: workoutStatistics }),
    ...(code !== null && { stage: stages[code] ?? String(code) }),
  };
}

const slugs: Readonly<Record<string, PhoneProvider>> = { apple: 'apple_health_kit', google: 'health_connect', samsung: 'samsung_health' };

/** The provider that an SDK names in its envelope; null for any other word. */
export function phoneProviderOf(name: unknown): PhoneProvider | null {
  const slug = typeof name === 'string' ? name.toLowerCase() : '';
  return Object.hasOwn(slugs, slug) ? (slugs[slug] ?? null) : null;
}

/** The lists of an envelope; null when it is none. */
export function readPhoneBatch(body: unknown): PhoneBatch | null {
  const data = isItem(body) ? body['data'] : null;
  if (!isItem(body) || !isItem(data)) return null;
  const [records, sleep, workouts, deleted] = [data['records'], data['sleep'], data['workouts'], data['deleted'] ?? body['deleted']].map(
    (list) => list ?? [],
  );
  if (!Array.isArray(records) || !Array.isArray(sleep) || !Array.isArray(workouts) || !Array.isArray(deleted)) return null;
  const lists = { records: records.map(fromFirstSdk), sleep: sleep.map(fromFirstSdk), workouts: workouts.map(fromFirstSdk), deleted };
  return { ...lists, sdkVersion: textOf(body['sdkVersion']) };
}

/** The items that lie in the past. Some watches lose their clock and report readings of years to come; a day's total ends up to a day ahead. */
function inThePast(items: readonly unknown[], user: PhoneUser, to: Collected): readonly unknown[] {
  const limitMs = user.receivedAtMs + dayMs;
  return items.filter((item) => {
    const span = isItem(item) ? spanOf(item) : null;
    const isAhead = span !== null && span.endMs > limitMs;
    if (isAhead) to.leaveOut('bad_time');
    return !isAhead;
  });
}

/** The deleted items that may have been frequent samples: by their type, or of unknown type. */
function deletedSamplesOf(deleted: readonly unknown[]): DeletedSample[] {
  return deleted.flatMap((item) => {
    const itemId = isItem(item) ? textOf(item['id']) : null;
    const name = isItem(item) ? textOf(item['type']) : null;
    const row = name === null ? undefined : rowOf(seriesRows, typeName(name));
    return itemId === null || (row && !row.isFrequent) ? [] : [{ itemId, resource: row?.resource ?? null }];
  });
}

/** Maps a batch of a phone. What cannot be read is left out and counted; it never fails the rest. */
export function mapPhoneBatch(batch: PhoneBatch, owner: PhoneUser): MappedBatch {
  const user: PhoneUser = { ...owner, sdkVersion: batch.sdkVersion ?? null };
  const { collected, records, pressureHalves, cycleItems, readings, workoutParts, dayZones, refs, frequentItems, leftOut } =
    createCollection();
  const zones = openZones(user);
  mapRecords(inThePast(batch.records, user, collected), user, zones, collected);
  mapWorkouts(inThePast(batch.workouts, user, collected), user, zones, collected);
  mapElectrocardiograms(inThePast(batch.electrocardiograms ?? [], user, collected), user, zones, collected);
  const segments = readSleep(inThePast(batch.sleep, user, collected), user, zones, collected);
  const deleted = batch.deleted.flatMap((item) => (isItem(item) ? (textOf(item['id']) ?? []) : []));
  return {
    records: records(),
    pressureHalves,
    segments,
    cycleItems,
    readings,
    workoutParts,
    dayZones: dayZones(),
    refs,
    frequentItems,
    deleted,
    deletedSamples: deletedSamplesOf(batch.deleted),
    leftOut,
    timeZone: zones.last(),
    writers: namedWriters([...batch.records, ...batch.sleep, ...batch.workouts], user.provider),
  };
}
