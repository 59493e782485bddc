import type { TObject } from 'typebox';

/** The three event types of a resource of health data. */
export interface ResourceEvents {
  readonly created: string;
  readonly updated: string;
  readonly historical: string;
}

interface ResourceCommon {
  /** Name as in paths and in event types. */
  readonly name: string;
  /** null for resources without events of their own pattern: families, and the sleep stream. */
  readonly events: ResourceEvents | null;
  /** Being removed. */
  readonly isDeprecated: boolean;
}

/** One object per id; a later version replaces all earlier ones. */
export interface SummaryResource extends ResourceCommon {
  readonly kind: 'summary';
  readonly events: ResourceEvents;
  /** Wire form. */
  readonly schema: TObject;
  /** Key of the array in the response of the read endpoint; null when the response is the bare object. */
  readonly responseKey: string | null;
  /** Window of the read endpoint: days or instants, only days, or none. */
  readonly window: 'instants' | 'days' | 'none';
}

/** The sub-kind of a sample, on the wire its `type`. */
export type SubKinds =
  /** Always present, and part of the sample's identity. `values: null` means any text. */
  | { readonly presence: 'required'; readonly values: readonly string[] | null }
  /** Present if the provider sends it; not part of the identity. */
  | { readonly presence: 'optional'; readonly values: readonly string[] };

/** A field of a sample in addition to the common ones. Null when there is no value. */
export interface ExtraField {
  readonly name: string;
  readonly values: readonly string[];
  /** The value is a list of these texts. */
  readonly isList: boolean;
  /** The key is always present. */
  readonly isRequired: boolean;
}

/** Samples over time. */
export interface TimeseriesResource extends ResourceCommon {
  readonly kind: 'timeseries';
  readonly events: ResourceEvents;
  /** Name in the path of the read endpoint; differs for weight and fat. */
  readonly readSlug: string;
  /** Whether the deprecated flat read exists. */
  readonly hasFlatRead: boolean;
  readonly shape: 'point' | 'interval';
  /** A point that has `start` and `end` when its end is known. */
  readonly showsKnownEnd: boolean;
  readonly unit: string;
  /** Clients compare the unit's text literally. */
  readonly isUnitFixed: boolean;
  /** A text is in `extra.text` of a sample, pressures are in `value` and `value2`. */
  readonly valueForm: 'number' | 'text' | 'pressure';
  readonly subKinds: SubKinds | null;
  readonly extraFields: readonly ExtraField[];
  readonly meaning: string;
}

/** Data too large for an event: the event only announces that it can be read. */
export interface StreamResource extends ResourceCommon {
  readonly kind: 'stream';
}

/** A catalogue name other than health data; its events are in the table of lifecycle events. */
export interface FamilyResource extends ResourceCommon {
  readonly kind: 'family';
}

export type Resource = SummaryResource | TimeseriesResource | StreamResource | FamilyResource;
