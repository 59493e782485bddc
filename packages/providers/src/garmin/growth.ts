import type { JsonNode } from '../kit/values/json-node.ts';
import type { Growth } from '../kit/types/connector.ts';

/** Nights that the provider or a person has finished: the one received last counts, whatever its length. */
const finalValidations: ReadonlySet<unknown> = new Set(['ENHANCED_FINAL', 'AUTO_FINAL', 'AUTO_MANUAL', 'MANUAL']);

/** Determines which of two other versions of a night takes precedence; highest first. */
const validations = ['ENHANCED_TENTATIVE', 'AUTO_TENTATIVE', 'DEVICE', 'OFF_WRIST'];
const durationMax = 999_999;
const idLengthMax = 200;

const hour = 3600;
/** The lengths of a local day that is over, with and without a change of clocks. */
const dayLengths: ReadonlySet<unknown> = new Set([23 * hour, 24 * hour, 25 * hour]);
const epochLength = 900;
/**
 * Garmin repeats pushes for a week, and pushes up to three months of history on request. A quarter of an hour is tracked for as long as pushes
 * are repeated: a day has 96 of them.
 */
const daysTracked = 100;

/** Whether this version no longer grows, by what it says itself. Of summaries without such a sign nothing is known. */
function isFinalOf(key: string, item: JsonNode): boolean {
  const duration = item.at('durationInSeconds').value;
  if (key === 'sleeps') return finalValidations.has(item.at('validation').value);
  if (key === 'epochs') return typeof duration === 'number' && duration >= epochLength;
  return dayLengths.has(duration);
}

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
 * The extent of a summary that is pushed again while it grows: its duration; for nights, first how sure they are. Null: it does not grow.
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
  return {
    item: `${key} ${id}`,
    extent: rank * (durationMax + 1) + seconds,
    ...(isFinalOf(key, item) && { isFinal: true }),
    endMs: Math.round((start + duration) * 1000),
    ...(key !== 'epochs' && { keepDays: daysTracked }),
  };
}
