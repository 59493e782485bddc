import { isItem, numberOf, textOf } from '../read-item.ts';
import type { PhoneItem } from '../types.ts';

/** HealthKit's codes of sleep; the SDK sends words since 0.3. */
const stages: readonly string[] = ['in_bed', 'sleeping', 'awake', 'light', 'deep', 'rem'];

function metadataOf(list: readonly unknown[]): PhoneItem {
  const entries = list.filter(isItem).map((entry) => [textOf(entry['key']) ?? '', entry['value']] as const);
  return Object.fromEntries(entries);
}

/** An item of the iOS SDK before 0.3, which has other names for the same things, as later ones send it. Other items are returned as they are. */
export function fromFirstSdk(item: unknown): unknown {
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
