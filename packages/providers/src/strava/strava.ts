import type { OffsetOrigin } from '@pulsewire/contract';
import { msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { type RecordMaker, recordMakersOf } from '../kit/records/record-maker.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';
import { openZone } from '../kit/time/zone.ts';

export const stravaSlug = 'strava';
/** `source_id` on the wire. */
export const stravaSourceId = 4;
/** Strava collects from many devices and names them only in free text. */
export const app = 'app';

export const stravaSettings = {
  pushSignature: {
    default: 'off',
    values: ['off', 'required'],
    description: '`required` rejects pushes without a valid X-Strava-Signature, which Strava does not send to every application.',
  },
} as const satisfies ConnectorSettings;

export type StravaValues = SettingValues<typeof stravaSettings>;

export type StravaContext = RecordMaker;

export const createContext = recordMakersOf(stravaSlug);

/** `(GMT+01:00) Europe/Berlin`: the name after the bracket; the offset in the bracket ignores summer time. Null when there is none. */
export function zoneNameOf(text: unknown): string | null {
  const name = typeof text === 'string' ? /^\(GMT[+-]\d{2}:\d{2}\) (\S+)$/.exec(text)?.[1] : undefined;
  return name === undefined || openZone(name) === undefined ? null : name;
}

/** When an activity began, and the user's UTC offset. */
export interface ActivityStart {
  readonly ms: number;
  /** Seconds east of UTC; null when the activity does not contain it. */
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin;
  /** Local day. */
  readonly day: string;
}

/** `start_date_local` is never read: it ends in `Z` but is local time. */
export function readStart(item: JsonNode, context: StravaContext): ActivityStart {
  const { ms } = item.at('start_date').time(parseInstant);
  const offset = item.at('utc_offset').optional((node) => Math.round(node.number()));
  if (offset !== null) return { ms, offset, offsetFrom: 'value', day: msToDay(ms + offset * 1000) };
  const name = zoneNameOf(item.at('timezone').value);
  const zone = (name === null ? undefined : openZone(name)) ?? context.zoneOn(msToDay(ms));
  return { ms, offset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), day: zone.dayOf(ms) };
}
