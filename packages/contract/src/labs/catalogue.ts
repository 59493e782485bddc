import { Type } from 'typebox';
import { nullable, openEnum, optional, optionalInteger, Uuid } from '../fields/fields.ts';
import { billingTypes, collectionMethods, delegatedFlows, labAccountStatuses, labSlugs, labTestStatuses, sampleTypes } from './enums.ts';

/** A lab. */
export const Lab = Type.Object(
  {
    id: Type.Integer(),
    slug: openEnum(labSlugs),
    name: Type.String(),
    first_line_address: Type.String(),
    city: Type.String(),
    zipcode: Type.String(),
    collection_methods: Type.Array(openEnum(collectionMethods)),
    sample_types: Type.Array(openEnum(sampleTypes)),
    logo_url: optional(Type.String()),
  },
  { title: 'Lab' },
);
export const LabsBody = Type.Array(Lab, { title: 'LabsBody' });

const AoeAnswerChoice = Type.Object({ id: Type.Integer(), code: Type.String(), value: Type.String() }, { title: 'AnswerChoice' });
const Question = Type.Object(
  {
    id: Type.Integer(),
    required: Type.Boolean(),
    code: Type.String(),
    value: Type.String({ description: 'The question.' }),
    type: openEnum(['choice', 'text', 'numeric', 'multi_choice']),
    sequence: Type.Integer(),
    answers: Type.Array(AoeAnswerChoice),
    constraint: optional(Type.String()),
    default: optional(Type.String()),
  },
  { title: 'Question' },
);
const Questions = Type.Object({ questions: Type.Array(Question) }, { title: 'AoE' });

const markerFields = {
  id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  description: optional(Type.String()),
  lab_id: optional(Type.Integer()),
  provider_id: optional(Type.String({ description: "The lab's own order code." })),
  type: optional(openEnum(['biomarker', 'panel'])),
  unit: optional(Type.String()),
  price: optional(Type.String({ description: 'Such as 10.00, or N/A.' })),
  aoe: optional(Questions),
  a_la_carte_enabled: Type.Boolean(),
  common_tat_days: optionalInteger('Usual turnaround in days.'),
  worst_case_tat_days: optionalInteger('Longest turnaround in days.'),
  is_orderable: optional(Type.Boolean()),
};

/** A test that a lab offers. */
export const Marker = Type.Object(markerFields, { title: 'Marker' });

const Loinc = Type.Object(
  { id: Type.Integer(), name: Type.String(), slug: Type.String(), code: Type.String(), unit: nullable(Type.String()) },
  { title: 'Loinc' },
);
const ExpectedResult = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    lab_id: optional(Type.Integer()),
    provider_id: optional(Type.String()),
    required: Type.Boolean(),
    loinc: optional(Loinc),
  },
  { title: 'ExpectedResult' },
);
const MarkerWithResults = Type.Object({ ...markerFields, expected_results: Type.Array(ExpectedResult) }, { title: 'MarkerWithResults' });

const Price = Type.Object(
  { base_amount_minor: Type.Optional(Type.Integer()), unspecified: Type.Optional(openEnum(['refer_to_contract', 'price_unavailable'])) },
  { title: 'Price', description: 'An amount in cents, or why there is none.' },
);
const MarkerPricing = Type.Object({ currency: Type.Literal('USD'), data: Type.Record(Type.String(), Price) }, { title: 'MarkerPricing' });

/** A page of markers. */
export const MarkersPage = Type.Object(
  {
    markers: Type.Array(MarkerWithResults),
    total: Type.Integer(),
    page: Type.Integer(),
    size: Type.Integer(),
    pages: Type.Integer(),
    pricing: optional(MarkerPricing),
  },
  { title: 'MarkersPage' },
);

/** A team's selection of markers of one lab, for one collection method. */
export const LabTest = Type.Object(
  {
    id: Uuid,
    slug: Type.String(),
    name: Type.String(),
    sample_type: openEnum(sampleTypes),
    method: openEnum(collectionMethods),
    price: Type.Number(),
    is_active: Type.Boolean({ deprecated: true }),
    status: openEnum(labTestStatuses),
    fasting: Type.Boolean(),
    lab: nullable(Lab),
    markers: nullable(Type.Array(Marker)),
    is_delegated: Type.Boolean({ deprecated: true }),
    auto_generated: Type.Boolean({ description: 'Made for an order of single markers.' }),
    has_collection_instructions: optional(Type.Boolean()),
    common_tat_days: optionalInteger('Usual turnaround in days.'),
    worst_case_tat_days: optionalInteger('Longest turnaround in days.'),
  },
  { title: 'LabTest' },
);
export const LabTestsBody = Type.Array(LabTest, { title: 'LabTestsBody' });

const LabTestPricing = Type.Object(
  {
    currency: Type.Literal('USD'),
    data: Type.Record(
      Type.String(),
      Type.Object({ pricing: Price, marker_breakdown: optional(Type.Record(Type.String(), Price)) }, { title: 'LabTestPrice' }),
    ),
  },
  { title: 'LabTestPricing' },
);
export const LabTestsPage = Type.Object(
  { data: Type.Array(LabTest), next_cursor: nullable(Type.String()), pricing: optional(LabTestPricing) },
  { title: 'LabTestsPage' },
);

/** A team's account at a lab. */
const LabAccount = Type.Object(
  {
    id: Uuid,
    lab: openEnum(labSlugs),
    org_id: optional(Uuid),
    status: openEnum(labAccountStatuses),
    delegated_flow: openEnum(delegatedFlows),
    provider_account_id: Type.String({ description: 'Number of the account at the lab.' }),
    account_name: optional(Type.String()),
    default_clinical_notes: optional(Type.String()),
    business_units: optional(Type.Array(Type.String())),
    allowed_billing: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: `Billing types (${billingTypes.join(', ')}) with the states of patients where each may be used.`,
    }),
    team_id_allowlist: Type.Array(Uuid),
  },
  { title: 'LabAccount' },
);
export const LabAccountsBody = Type.Object({ data: Type.Array(LabAccount) }, { title: 'LabAccountsBody' });
