import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { profileRecord } from '../../kit/records/profile-record.ts';
import { addDays, utcMidnight } from '../../kit/time/days.ts';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import { parseInstant, parseWallClock } from '../../kit/time/time.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { positive, watch, type PolarContext } from '../polar.ts';

const sexes: Readonly<Record<string, string>> = { male: 'male', female: 'female' };
const fields = ['height', 'weight', 'vo2_max', 'birthday', 'gender'] as const;
/** Values that the user entered. */
const typed = 'app';

// Some values have no offset; they are taken as UTC.
const parseModified = (text: string): number | undefined => parseInstant(text)?.ms ?? parseWallClock(text);

function readPhysical(info: JsonNode, context: PolarContext): CanonicalRecord[] {
  const [height, weight, vo2Max] = [positive(info.at('height')), positive(info.at('weight')), positive(info.at('vo2_max'))];
  const modifiedMs = info.at('modified').optional((node) => node.time(parseModified));
  const sex = info.at('gender').optional((node) => sexes[node.text().toLowerCase()] ?? null);
  const profile = profileRecord(context, {
    raw: info,
    sourceType: typed,
    height: height === null ? null : Math.round(height),
    birthDate: info.at('birthday').optional((node) => node.day()),
    sex,
  });
  // Without the time of the change, today's value must not be stored for other days.
  if (modifiedMs === null) return [profile];
  const { clock } = context;
  const day = clock.dayOf(modifiedMs);
  const start = clock.startOfDay(day);
  const fitness = {
    ts: start.ms,
    end: clock.startOfDay(addDays(day, 1)).ms,
    timezoneOffset: start.offset,
    offsetFrom: clock.originAt(start.ms),
  };
  const body = { resource: 'body', sourceType: typed, externalId: day, calendarDate: day, at: utcMidnight(day) };
  return [
    profile,
    ...(weight === null
      ? []
      : [
          context.summary({ ...body, data: { weight }, raw: info }),
          ...context.samples('weight', typed, [
            { ts: modifiedMs, value: weight, timezoneOffset: clock.offsetAt(modifiedMs), offsetFrom: clock.originAt(modifiedMs) },
          ]),
        ]),
    ...(vo2Max === null ? [] : context.samples('vo2_max', watch, [{ ...fitness, value: vo2Max }])),
  ];
}

/** `physical-info`: the profile, and weight and fitness on the day of their last change. */
export function mapPhysical(body: unknown, context: PolarContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  if (body === undefined) return { records: [], quarantined };
  const root = new JsonNode(body);
  const records = readWhole('profile', quarantined, () => {
    if (fields.every((key) => root.at(key).isMissing)) throw root.fail('unknown_shape');
    return readPhysical(root, context);
  });
  return { records: records ?? [], quarantined };
}
