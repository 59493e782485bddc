import { recordMakersOf } from '../kit/records/record-maker.ts';
import type { SettingValues } from '../kit/settings.ts';
import type { ConnectorSettings } from '../kit/types/connector.ts';

export const omronSlug = 'omron';
/** `source_id` on the wire. */
export const omronSourceId = 21;

/** Kinds of measurements, as scopes, calls and notifications name them. */
export const measurementTypes = ['bloodpressure', 'weight', 'activity'] as const;
export type MeasurementType = (typeof measurementTypes)[number];

export const sources = { cuff: 'cuff', scale: 'scale', tracker: 'unknown' } as const;

export const omronSettings = {
  weightUnit: {
    default: '',
    values: ['kg', 'lb'],
    description: 'unit of weights sent without one: kg or lb. If it is not set, they are not stored.',
  },
} as const satisfies ConnectorSettings;

export type OmronValues = SettingValues<typeof omronSettings>;

export const createContext = recordMakersOf(omronSlug);
