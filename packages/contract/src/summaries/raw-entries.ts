import { Type, type Static } from 'typebox';
import { DateTime, nullable, optional, Uuid } from '../fields/fields.ts';
import { ProviderRef } from '../fields/source-context.ts';
import { Sport } from './sport.ts';

const ProviderJson = Type.Object({}, { additionalProperties: true, description: "The provider's own JSON, unchanged." });
const ProviderId = Type.String({ description: "The provider's own id; the local day where it has none." });
const SourceId = Type.Integer({ deprecated: true, description: 'Numeric id of the provider.' });
const PriorityId = Type.Integer({ deprecated: true, description: 'Without meaning; 0.' });
const Source = Type.Object(ProviderRef.properties, { title: 'ProviderRef', deprecated: true });

const stored = { created_at: Type.Optional(DateTime), updated_at: Type.Optional(DateTime) };

const entry = {
  timestamp: DateTime,
  data: ProviderJson,
  user_id: Uuid,
  provider_id: Type.String({ ...ProviderId, deprecated: true }),
  source_id: SourceId,
  id: Uuid,
  source_device_id: optional(Uuid, { description: 'Our device id, if the recording device is known for certain.' }),
  ...stored,
  source: Source,
};

/** The raw form of an activity. */
export const RawActivity = Type.Object({ ...entry, priority_id: PriorityId }, { title: 'RawActivity' });

/** The raw form of a body measurement or a sleep. */
export const RawEntry = Type.Object(
  { ...entry, priority_id: nullable(PriorityId), priority: optional(Type.Integer({ deprecated: true, description: 'Without meaning.' })) },
  { title: 'RawEntry' },
);

/** The raw form of a workout. */
export const RawWorkout = Type.Object(
  { ...entry, priority_id: PriorityId, sport_id: Type.Integer({ description: 'Same as sport.id.' }), sport: Sport },
  { title: 'RawWorkout' },
);

/** The raw form of a profile. */
export const RawProfile = Type.Object(
  {
    id: Uuid,
    data: ProviderJson,
    user_id: Uuid,
    source_id: SourceId,
    priority_id: optional(PriorityId),
    source: ProviderRef,
    ...stored,
  },
  { title: 'RawProfile' },
);

/** A provider's own description of a device. */
export const RawDevice = Type.Object(
  { data: ProviderJson, provider_id: ProviderId, user_id: Uuid, source_id: SourceId, id: Uuid, source: ProviderRef },
  { title: 'RawDevice' },
);
export type RawDevice = Static<typeof RawDevice>;

/** Summaries whose raw form can be read, with the schema of an entry. */
export const rawEntrySchemas = {
  activity: RawActivity,
  body: RawEntry,
  profile: RawProfile,
  sleep: RawEntry,
  workouts: RawWorkout,
} as const;

export type RawResource = keyof typeof rawEntrySchemas;

/** Whether the raw form of a resource's summaries can be read. */
export function isRawResource(resource: string): resource is RawResource {
  return Object.hasOwn(rawEntrySchemas, resource);
}
