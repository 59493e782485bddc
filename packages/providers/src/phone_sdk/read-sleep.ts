import type { Collected } from './collected.ts';
import { idOf, isItem, numberOf, spanOf, textOf } from './read-item.ts';
import { sourceOf } from './source.ts';
import type { PhoneUser, SleepSegment } from './types.ts';
import type { Zones } from './zones.ts';

const stages: ReadonlySet<string> = new Set(['in_bed', 'sleeping', 'awake', 'light', 'deep', 'rem']);

/** A longer span is no stage of a night. */
const stageMsMax = 24 * 3_600_000;

function scoreOf(values: unknown): number | null {
  const entry = (Array.isArray(values) ? values : []).find((value) => isItem(value) && value['type'] === 'sleepScore') as unknown;
  const score = isItem(entry) ? numberOf(entry['value']) : null;
  return score === null || score <= 0 || score > 100 ? null : Math.round(score);
}

/** The segments of a batch. Words that are no stage, such as `unknown`, are counted by name. */
export function readSleep(items: readonly unknown[], user: PhoneUser, zones: Zones, to: Collected): SleepSegment[] {
  const segments: SleepSegment[] = [];
  for (const item of items) {
    const stage = isItem(item) ? textOf(item['stage'])?.replace('inBed', 'in_bed') : null;
    if (!isItem(item) || !stage) to.leaveOut('unknown_shape');
    else if (stages.has(stage)) {
      const span = spanOf(item);
      if (!span || span.endMs === span.startMs || span.endMs - span.startMs > stageMsMax) to.leaveOut('bad_time');
      else {
        const source = sourceOf(user, item);
        segments.push({
          itemId: idOf(item['id']) ?? '',
          parentId: idOf(item['parentId']) ?? '',
          sourceType: source.type,
          appId: source.appId ?? '',
          stage,
          ...span,
          offset: zones.offsetOf(item, span.startMs),
          score: scoreOf(item['values']),
        });
      }
    } else to.leaveOut('no_stage', stage);
  }
  return segments;
}
