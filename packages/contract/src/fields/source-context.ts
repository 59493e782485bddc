import { Type, type Static } from 'typebox';
import { openEnum, optional, Uuid } from './fields.ts';

/** Source types. */
export const sourceTypes = [
  'unknown',
  'phone',
  'watch',
  'app',
  'multiple_sources',
  'fingerprick',
  'cuff',
  'manual_scan',
  'automatic',
  'insulin_pump',
  'scale',
  'chest_strap',
  'ring',
  'lab',
  'exercise_machine',
  'earphone',
] as const;

export const SourceType = openEnum(sourceTypes, 'Kind of source that measured.');

/** Where a record was measured, without the removed fields. */
export const SourceContext = Type.Object(
  {
    provider: Type.String({ description: 'Provider slug.' }),
    type: SourceType,
    app_id: optional(Type.String({ description: 'Originating app, for providers that aggregate several.' })),
    device_id: optional(Uuid, { description: 'Our device id, if the recording device is known for certain.' }),
    sport: optional(Type.String({ description: 'Sport slug; only on workout streams and wheelchair distance.' })),
    workout_id: optional(Uuid, { description: 'Our workout id; only on workout distance and swimming strokes.' }),
  },
  { title: 'SourceContext' },
);

/** The source as sent: every key is present. */
export type SourceContext = Required<Static<typeof SourceContext>>;

/** A provider described by name, slug and logo. */
export const ProviderRef = Type.Object(
  { name: Type.String(), slug: Type.String(), logo: Type.String({ description: 'URL.' }) },
  { title: 'ProviderRef' },
);
export type ProviderRef = Static<typeof ProviderRef>;

/** Keys that sleep cycles, menstrual cycles and electrocardiograms repeat beside `source`. */
export const flatSourceFields = {
  source_provider: Type.String({ description: 'Provider or lab slug.' }),
  source_type: SourceType,
  source_app_id: optional(Type.String()),
  source_device_id: optional(Uuid),
};
