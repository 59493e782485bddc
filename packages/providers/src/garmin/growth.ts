import type { JsonNode } from '../kit/values/json-node.ts';
import type { Growth } from '../kit/types/connector.ts';

/** Determines which of two versions of a night takes precedence; highest first. */
const validations = [
  'ENHANCED_FINAL',
  'AUTO_FINAL',
  'ENHANCED_TENTATIVE',
  'AUTO_TENTATIVE',
  'DEVICE',
  'AUTO_MANUAL',
  'MANUAL',
  'OFF_WRIST',
];
const durationMax = 999_999;
const idLengthMax = 200;

function rankOf(item: JsonNode): number {
  const place = validations.indexOf(String(item.at('validation').value));
  return place === -1 ? 0 : validations.length - place;
}

/** Identifies an item in every push of it. Workouts may become shorter when they are edited, so for them the last push takes precedence. */
function itemOf(key: string, item: JsonNode): string | null {
  if (key === 'activities' || key === 'manuallyUpdatedActivities' || key === 'activityDetails') return null;
  if (key === 'dailies') return item.at('calendarDate').optional((node) => node.text());
  if (key === 'epochs') return item.at('startTimeInSeconds').optional((node) => node.id());
  return item.at('summaryId').optional((node) => node.id());
}

/**
 * The extent of a summary that is pushed again while it grows: its duration; for nights, first how final they are. Null: it does not grow.
 */
export function growthOf(key: string, item: JsonNode): Growth | null {
  const id = itemOf(key, item);
  const [start, duration] = [item.at('startTimeInSeconds').value, item.at('durationInSeconds').value];
  if (
    id === null ||
    id.length > idLengthMax ||
    typeof start !== 'number' ||
    typeof duration !== 'number' ||
    !(start >= 0) ||
    !(duration >= 0)
  )
    return null;
  const seconds = Math.min(Math.round(duration), durationMax);
  const rank = key === 'sleeps' ? rankOf(item) : 0;
  return { item: `${key} ${id}`, extent: rank * (durationMax + 1) + seconds, endMs: Math.round((start + duration) * 1000) };
}
