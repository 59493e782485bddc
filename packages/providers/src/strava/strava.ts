import { msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings, PullUser } from '../kit/types/connector.ts';
import { openZone } from '../kit/time/zone.ts';

export const stravaSlug = 'strava';
/** `source_id` on the wire. */
export const stravaSourceId = 4;
/** Strava collects from many devices and names them by free text alone. */
export const app = 'app';

export const stravaSettings = {
  pushSignature: {
    default: 'off',
    description: '`required` refuses pushes without a right X-Strava-Signature, which Strava does not send to every application.',
  },
} as const satisfies ConnectorSettings;

export type StravaValues = SettingValues<typeof stravaSettings>;

export type StravaContext = RecordMaker;

export function createContext(user: PullUser): StravaContext {
  return createRecordMaker(stravaSlug, user);
}

/** `(GMT+01:00) Europe/Berlin`: the name behind the bracket; the offset in it is that of the winter. Null when there is none. */
export function zoneNameOf(text: unknown): string | null {
  const name = typeof text === 'string' ? /^\(GMT[+-]\d{2}:\d{2}\) (\S+)$/.exec(text)?.[1] : undefined;
  return name === undefined || openZone(name) === undefined ? null : name;
}

/** When an activity began, and where the user's clocks stood. */
export interface ActivityStart {
  readonly ms: number;
  /** Seconds east of UTC; null when the activity does not say. */
  readonly offset: number | null;
  /** Local day. */
  readonly day: string;
}

/** `start_date_local` is never read: it ends in `Z` and is no instant. */
export function readStart(item: JsonNode, context: StravaContext): ActivityStart {
  const { ms } = item.at('start_date').time(parseInstant);
  const offset = item.at('utc_offset').optional((node) => Math.round(node.number()));
  if (offset !== null) return { ms, offset, day: msToDay(ms + offset * 1000) };
  const name = zoneNameOf(item.at('timezone').value);
  const zone = (name === null ? undefined : openZone(name)) ?? context.zoneOn(msToDay(ms));
  return { ms, offset: zone.offsetAt(ms), day: zone.dayOf(ms) };
}
