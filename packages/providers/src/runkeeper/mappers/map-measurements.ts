import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { rawOfItems } from '../../kit/records/raw-of.ts';
import { utcMidnight, addDays } from '../../kit/time/days.ts';
import { JsonNode, readEachOf } from '../../kit/values/json-node.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { app, readMoment, type Moment, type RunkeeperContext } from '../runkeeper.ts';

interface Group {
  readonly at: Moment;
  readonly items: readonly JsonNode[];
}

/** Items of one time belong together: the older form of a feed lists each value by itself. */
function groupsOf(resource: string, items: readonly JsonNode[], context: RunkeeperContext, quarantined: Quarantined[]): Group[] {
  const list = new JsonNode(undefined);
  const timed = readEachOf(resource, list, items, quarantined, (item) => ({ at: readMoment(item.at('timestamp'), context), item }));
  const groups = new Map<number, { readonly at: Moment; readonly items: JsonNode[] }>();
  for (const { at, item } of timed) {
    const group = groups.get(at.ms);
    if (group) group.items.push(item);
    else groups.set(at.ms, { at, items: [item] });
  }
  return [...groups.values()].toSorted((a, b) => a.at.ms - b.at.ms);
}

/** The value that one of the items has; a zero was not measured. */
function valueOf({ items }: Group, key: string): number | null {
  for (const item of items) {
    const value = item.at(key).optional((node) => node.amount());
    if (value !== null && value !== 0) return value;
  }
  return null;
}

function mapGroups(
  resource: string,
  items: readonly JsonNode[],
  context: RunkeeperContext,
  read: (group: Group) => readonly CanonicalRecord[],
): MappedRecords {
  const quarantined: Quarantined[] = [];
  const groups = groupsOf(resource, items, context, quarantined);
  const records = readEachOf(resource, new JsonNode(undefined), groups, quarantined, read).flat();
  return { records, quarantined };
}

const sampleOf = ({ ms, offset, offsetFrom }: Moment, value: number): Sample => ({ ts: ms, value, timezoneOffset: offset, offsetFrom });

/** `/weight`: each value that was entered at a time. */
export function mapWeights(items: readonly JsonNode[], context: RunkeeperContext): MappedRecords {
  return mapGroups('body', items, context, (group) => {
    const { at } = group;
    const [weight, fat, bmi, lean] = [
      valueOf(group, 'weight'),
      valueOf(group, 'fat_percent'),
      valueOf(group, 'bmi'),
      valueOf(group, 'free_mass'),
    ];
    if (weight === null && fat === null && bmi === null && lean === null) return [];
    const one = (resource: string, value: number | null, isInterval: boolean) =>
      value === null ? [] : context.samples(resource, app, [{ ...sampleOf(at, value), ...(isInterval && { end: at.ms }) }]);
    return [
      context.summary({
        raw: rawOfItems(group.items),
        resource: 'body',
        sourceType: app,
        // The digits of the clock, so that another zone does not make it another weighing.
        externalId: String(at.ms + (at.offset ?? 0) * 1000),
        calendarDate: at.day,
        at: at.ms,
        data: { weight, fat, body_mass_index: bmi, lean_body_mass_kilogram: lean },
      }),
      ...one('weight', weight, false),
      ...one('fat', fat, false),
      ...one('body_mass_index', bmi, true),
      ...one('lean_body_mass', lean, true),
    ];
  });
}

/** `/generalMeasurements`: of many values the blood pressure. */
export function mapMeasurements(items: readonly JsonNode[], context: RunkeeperContext): MappedRecords {
  return mapGroups('blood_pressure', items, context, (group) => {
    const [systolic, diastolic] = [valueOf(group, 'systolic'), valueOf(group, 'diastolic')];
    if (systolic === null || diastolic === null) return [];
    return context.samples('blood_pressure', app, [{ ...sampleOf(group.at, systolic), value2: diastolic }]);
  });
}

/** `/backgroundActivities`: steps and energy of a day, whose time is midnight. */
export function mapBackground(items: readonly JsonNode[], context: RunkeeperContext): MappedRecords {
  return mapGroups('activity', items, context, (group) => {
    const { day, offset, offsetFrom } = group.at;
    const [steps, calories] = [valueOf(group, 'steps'), valueOf(group, 'calories_burned')];
    if (steps === null && calories === null) return [];
    const zone = context.zoneOn(day);
    const [start, end] = [zone.startOfDay(day), zone.startOfDay(addDays(day, 1))];
    const activity = context.summary({
      raw: rawOfItems(group.items),
      resource: 'activity',
      sourceType: app,
      externalId: day,
      calendarDate: day,
      at: utcMidnight(day),
      offsetFrom,
      data: { steps: steps === null ? null : Math.round(steps), calories_total: calories, timezone_offset: offset },
    });
    if (steps === null) return [activity];
    return [activity, ...context.samples('steps', app, [{ ...sampleOf(group.at, steps), ts: start.ms, end: end.ms }])];
  });
}
