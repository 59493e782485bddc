import { Type, type Static } from 'typebox';
import { DateTime, openEnum, optional, Uuid } from '../fields/fields.ts';
import { failureTypes, interpretations, resultTypes } from './enums.ts';
import { OrderTransaction } from './orders.ts';
import { PostalAddress } from './people.ts';

const resultStatus = openEnum(['final', 'partial']);
const day = (description?: string) => optional(Type.String(), { deprecated: true, ...(description !== undefined && { description }) });

/** The patient and the status of results. */
export const ResultsMetadata = Type.Object(
  {
    age: Type.String({ description: 'Whole years on the day of collection.' }),
    dob: Type.String(),
    'clia_#': optional(Type.String({ description: 'Registration of the laboratory.' })),
    patient: Type.String(),
    provider: optional(Type.String({ description: 'The physician.' })),
    laboratory: optional(Type.String()),
    date_reported: Type.String({ deprecated: true }),
    date_collected: day(),
    specimen_number: Type.String(),
    date_received: day(),
    status: resultStatus,
    interpretation: optional(openEnum(interpretations)),
    patient_id: optional(Type.String()),
    account_id: optional(Type.String()),
  },
  { title: 'ResultsMetadata' },
);

const SourceMarker = Type.Object(
  { marker_id: Type.Integer(), name: Type.String(), slug: Type.String(), provider_id: optional(Type.String()) },
  { title: 'SourceMarker' },
);
const origin = {
  loinc: optional(Type.String()),
  loinc_slug: optional(Type.String()),
  provider_id: optional(Type.String({ description: 'Code of the laboratory.' })),
  source_markers: optional(Type.Array(SourceMarker), { description: 'Ordered markers that it belongs to; null: it was not ordered.' }),
};

export const BiomarkerResult = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    value: optional(Type.Number({ description: '-1 when it is not a number.' }), { deprecated: true }),
    result: Type.String({ description: 'Always text, whatever its type.' }),
    type: openEnum(resultTypes),
    unit: optional(Type.String()),
    timestamp: optional(DateTime),
    notes: optional(Type.String()),
    reference_range: optional(Type.String()),
    min_range_value: optional(Type.Number()),
    max_range_value: optional(Type.Number()),
    is_above_max_range: optional(Type.Boolean()),
    is_below_min_range: optional(Type.Boolean()),
    interpretation: openEnum(interpretations),
    source_interpretation: Type.String({ description: 'Remark of the laboratory.' }),
    ...origin,
    performing_laboratory: optional(Type.String({ description: 'Key into `performing_laboratories` of its sample.' })),
    source_sample_id: optional(Type.String()),
  },
  { title: 'BiomarkerResult' },
);

export const MissingResult = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    inferred_failure_type: openEnum(failureTypes),
    note: optional(Type.String()),
    ...origin,
  },
  { title: 'MissingResult' },
);

const ZonedTime = Type.Object(
  { timestamp: DateTime, timezone_offset: Type.Integer({ description: 'Seconds east of UTC.' }) },
  { title: 'ZonedTime' },
);
const PerformingLaboratory = Type.Object(
  {
    name: optional(Type.String()),
    phone_number: optional(Type.String()),
    medical_director: optional(Type.String()),
    address: optional(PostalAddress),
  },
  { title: 'PerformingLaboratory' },
);
const ClinicalInformation = Type.Object(
  {
    fasting: Type.Boolean(),
    notes: optional(Type.String()),
    information: optional(Type.String()),
    total_volume: optional(Type.String()),
  },
  { title: 'ClinicalInformation' },
);
const Sample = Type.Object(
  {
    sample_id: optional(Type.String()),
    control_number: optional(Type.String()),
    date_collected: optional(ZonedTime),
    date_received: optional(ZonedTime),
    date_reported: optional(ZonedTime),
    performing_laboratories: optional(Type.Record(Type.String(), PerformingLaboratory)),
    clinical_information: optional(ClinicalInformation),
  },
  { title: 'LabSample' },
);

export const ResultsBody = Type.Object(
  {
    metadata: ResultsMetadata,
    results: Type.Array(BiomarkerResult),
    missing_results: optional(Type.Array(MissingResult)),
    sample_information: optional(Type.Record(Type.String(), Sample), { description: 'By sample id.' }),
    order_transaction: optional(OrderTransaction),
  },
  { title: 'ResultsBody' },
);
export type ResultsBody = Static<typeof ResultsBody>;

/** Values of an order that later reports have replaced. */
export const ResultHistoryBody = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          provider_id: Type.String({ description: "The laboratory's code of the analyte." }),
          result: Type.String(),
          unit: optional(Type.String()),
          reported_at: DateTime,
          replaced_at: Type.Unsafe<string>({ ...DateTime, description: 'When the report that replaced it was made.' }),
        },
        { title: 'FormerResult' },
      ),
      { description: 'The oldest first.' },
    ),
  },
  { title: 'ResultHistoryBody' },
);
export type ResultHistoryBody = Static<typeof ResultHistoryBody>;

/** `data` of `labtest.result.critical`. */
export const CriticalResult = Type.Object(
  {
    order_id: Uuid,
    sample_id: Type.String(),
    status: resultStatus,
    interpretation: openEnum(interpretations),
    team_id: Uuid,
    user_id: Uuid,
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'CriticalResult' },
);
export type CriticalResult = Static<typeof CriticalResult>;
