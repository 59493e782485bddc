import { Type, type Static } from 'typebox';
import { DateOnly, DateTime, nullable, openEnum, optional, Uuid } from '../fields/fields.ts';

const TrackedMarker = Type.Object(
  {
    marker_id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    provider_id: Type.String({ description: "The laboratory's code of the marker." }),
    status: openEnum(
      ['pending', 'incomplete', 'resulted'],
      'pending: no result yet; incomplete: results are missing, because they follow or because the laboratory could not measure them; ' +
        'resulted: all are there.',
    ),
    expected_results: Type.Integer({ description: 'Results that belong to the marker.' }),
    resulted: Type.Integer({ description: 'Results that are there.' }),
    not_measured: Type.Integer({ description: 'Results that the laboratory could not measure.' }),
  },
  { title: 'TrackedMarker' },
);

/** How far an order is, and `data` of `labtest.order_tracking.updated`. */
export const OrderTracking = Type.Object(
  {
    order_id: Uuid,
    user_id: Uuid,
    team_id: Uuid,
    status: openEnum(
      ['expected', 'collected', 'incomplete', 'resulted', 'ended'],
      'expected: the sample is not taken yet; collected: taken, without results; incomplete: some results are there; resulted: all are ' +
        'there; ended: cancelled or failed without results.',
    ),
    collected_on: nullable(Type.String({ format: 'date' }), { description: 'Day in the time zone of the patient.' }),
    expected_result_by_date: optional(DateOnly),
    worst_case_result_by_date: optional(DateOnly),
    markers: Type.Array(TrackedMarker, { description: 'As ordered.' }),
    updated_at: DateTime,
  },
  { title: 'OrderTracking' },
);
export type OrderTracking = Static<typeof OrderTracking>;
