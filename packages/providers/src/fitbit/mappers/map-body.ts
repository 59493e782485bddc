import type { CanonicalRecord, Quarantined, Sample } from '@pulsewire/contract';
import { mapWhole } from '../../kit/records/map-records.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import { parseClock } from '../../kit/time/time.ts';
import type { LocalInstant } from '../../kit/time/zone.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { fitbitSummaryId, groupOf, sourceOf, type MapContext, type Mapped } from '../context/map-context.ts';
import { clockAt, readEntries, type EntryClock } from '../context/read-entries.ts';

const genders: Readonly<Record<string, string>> = { FEMALE: 'female', MALE: 'male' };

/** Maps the response of `/1/user/-/profile.json` to the profile. A height of 0 means that the user entered none. */
export function mapProfile(body: unknown, context: MapContext): Mapped {
  return mapWhole('profile', () => {
    const user = new JsonNode(body).at('user');
    // A response without any id is not a profile.
    user.at('encodedId').id();
    const gender = user.at('gender').optional((node) => node.text());
    const sex = gender !== null && Object.hasOwn(genders, gender) ? (genders[gender] ?? null) : null;
    const height = user.at('height').optional((node) => Math.round(node.amount()));
    const source = sourceOf('app');
    return {
      kind: 'summary',
      id: fitbitSummaryId(context, source, 'profile', 'profile'),
      resource: 'profile',
      source,
      calendarDate: null,
      // A profile has no time; with a fixed instant, an unchanged profile remains the same record.
      at: 0,
      raw: { externalId: 'profile', data: user.value },
      data: {
        height: height === 0 ? null : height,
        birth_date: user.at('dateOfBirth').optional((node) => (node.value === '' ? null : node.day())),
        gender: sex,
        sex,
      },
    };
  });
}

const sourceTypes = ['scale', 'app'] as const;
type BodySourceType = (typeof sourceTypes)[number];

/** Aria, AriaAir and Aria2 are scales; everything else (`Web`, `API`, another vendor's name) was entered manually or sent by an app. */
function sourceTypeOf(log: JsonNode): BodySourceType {
  const source = log.at('source').value;
  return typeof source === 'string' && /^aria/i.test(source) ? 'scale' : 'app';
}

function clockOf(log: JsonNode): EntryClock {
  const day = log.at('date').day();
  return { day, wallMs: utcMidnight(day) + log.at('time').time(parseClock) };
}

function groupBySource(resource: string, samples: readonly { type: BodySourceType; sample: Sample }[]): CanonicalRecord[] {
  return sourceTypes.flatMap((type) => {
    const ofType = samples.filter((entry) => entry.type === type).map((entry) => entry.sample);
    return groupOf(resource, type, ofType);
  });
}

/**
 * Maps `/1/user/-/body/log/weight/date/{start}/{end}.json` to a body summary and a sample per weighing. The fat log has its fat percentage
 * too.
 */
export function mapWeight(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('weight');
  const read = (log: JsonNode, day: string, moment: LocalInstant) => {
    const type = sourceTypeOf(log);
    const logId = log.at('logId').id();
    const weight = log.at('weight').amount();
    const fat = log.at('fat').optional((node) => node.amount());
    const bmi = log.at('bmi').optional((node) => node.amount());
    return { log, type, logId, day, moment, weight, fat, bmi };
  };
  const logs = readEntries({ resource: 'weight', list, clockOf, read }, context, quarantined);
  const bodies = logs.map(({ log, type, logId, day, moment, weight, fat, bmi }): CanonicalRecord => {
    const source = sourceOf(type);
    const id = fitbitSummaryId(context, source, 'body', logId);
    const raw = { externalId: logId, data: log.value };
    return {
      kind: 'summary',
      id,
      resource: 'body',
      source,
      calendarDate: day,
      at: moment.ms,
      data: { weight, fat, body_mass_index: bmi },
      raw,
    };
  });
  const sampleOf = (moment: LocalInstant, value: number): Sample => ({ ts: moment.ms, value, timezoneOffset: moment.offset });
  const weights = logs.map(({ type, moment, weight }) => ({ type, sample: sampleOf(moment, weight) }));
  return { records: [...bodies, ...groupBySource('weight', weights)], quarantined };
}

/** Maps `/1/user/-/body/log/fat/date/{start}/{end}.json`: every fat percentage, with or without a weight. */
export function mapFat(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('fat');
  const read = (log: JsonNode, _day: string, moment: LocalInstant) => {
    const sample: Sample = { ts: moment.ms, value: log.at('fat').amount(), timezoneOffset: moment.offset };
    return { type: sourceTypeOf(log), sample };
  };
  const samples = readEntries({ resource: 'fat', list, clockOf, read }, context, quarantined);
  return { records: groupBySource('fat', samples), quarantined };
}

/** `/1/user/-/temp/core/date/{start}/{end}.json`: manually entered °C. Fitbit does not record where on the body it was taken. */
export function mapCoreTemperature(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const list = new JsonNode(body).at('tempCore');
  const read = (entry: JsonNode, _day: string, { ms, offset }: LocalInstant): Sample => ({
    ts: ms,
    end: ms,
    value: entry.at('value').amount(),
    timezoneOffset: offset,
    extra: { sensor_location: null },
  });
  const samples = readEntries(
    { resource: 'body_temperature', list, clockOf: (entry) => clockAt(entry.at('dateTime')), read },
    context,
    quarantined,
  );
  return { records: groupOf('body_temperature', 'app', samples), quarantined };
}
