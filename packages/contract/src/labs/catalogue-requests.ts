import { Type } from 'typebox';
import { closedEnum, optionalInput, Uuid } from '../fields/fields.ts';
import { collectionMethods, labAccountStatuses, labSlugs, labTestStatuses } from './enums.ts';

const integerMax = 2_147_483_647;
const paging = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  size: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
};
const id = Type.Integer({ minimum: 0, maximum: integerMax });
const flag = (description: string) => Type.Boolean({ default: false, description });
const pricing = flag('Adds prices.');

export const PageQuery = Type.Object(paging, { title: 'PageQuery' });

/** GET /v3/lab_tests/markers. */
export const MarkersQuery = Type.Object(
  {
    lab_id: Type.Optional(Type.Array(id, { maxItems: 100 })),
    lab_slug: Type.Optional(Type.String({ description: 'Takes precedence over `lab_id`.' })),
    name: Type.String({ default: '', description: 'Part of the name.' }),
    a_la_carte_enabled: Type.Optional(Type.Boolean()),
    include_pricing: pricing,
    lab_account_id: Type.Optional(Uuid),
    ...paging,
  },
  { title: 'MarkersQuery' },
);

const ids = optionalInput(Type.Array(id, { maxItems: 200 }));
const codes = optionalInput(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 200 }));

/** Markers to order beside, or instead of, saved tests. */
export const AddOn = Type.Object({ marker_ids: ids, provider_ids: codes }, { title: 'AddOn' });

/** What to order. */
export const orderSetFields = {
  lab_test_ids: optionalInput(Type.Array(Uuid, { maxItems: 100 })),
  add_on: Type.Optional(Type.Union([AddOn, Type.Null()])),
};

/** POST /v3/lab_tests/list_order_set_markers. */
export const OrderSetMarkersBody = Type.Object(
  { ...orderSetFields, lab_account_id: optionalInput(Uuid) },
  { title: 'OrderSetMarkersBody' },
);

const testFilters = {
  generation_method: closedEnum(['auto', 'manual', 'all'], { default: 'manual' }),
  lab_slug: Type.Optional(Type.String()),
  collection_method: Type.Optional(closedEnum(collectionMethods)),
  status: Type.Optional(closedEnum(labTestStatuses)),
  marker_ids: Type.Optional(Type.Array(id, { maxItems: 100 })),
  provider_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  name: Type.Optional(Type.String()),
  order_key: Type.Optional(closedEnum(['price', 'created_at', 'updated_at'])),
  order_direction: closedEnum(['asc', 'desc'], { default: 'asc' }),
};

/** GET /v3/lab_test. */
export const LabTestsQuery = Type.Object(
  {
    lab_test_limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    next_cursor: Type.Optional(Type.String()),
    include_pricing: pricing,
    lab_account_id: Type.Optional(Uuid),
    ...testFilters,
  },
  { title: 'LabTestsQuery' },
);

/** GET /v3/lab_tests. */
export const AllLabTestsQuery = Type.Object(testFilters, { title: 'AllLabTestsQuery' });

/** POST /v3/lab_tests. */
export const CreateLabTestBody = Type.Object(
  {
    marker_ids: ids,
    provider_ids: codes,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    method: closedEnum(collectionMethods),
    description: Type.String({ maxLength: 2000 }),
    fasting: optionalInput(Type.Boolean()),
    lab_account_id: optionalInput(Uuid),
    lab_slug: optionalInput(closedEnum(labSlugs)),
  },
  { title: 'CreateLabTestBody' },
);

/** PATCH /v3/lab_tests/{lab_test_id}. */
export const UpdateLabTestBody = Type.Object(
  { name: optionalInput(Type.String({ minLength: 1, maxLength: 200 })), active: optionalInput(Type.Boolean()) },
  { title: 'UpdateLabTestBody' },
);

export const LabTestParams = Type.Object({ lab_test_id: Uuid }, { title: 'LabTestParams' });
export const LabMarkerParams = Type.Object({ lab_id: id, provider_id: Type.String() }, { title: 'LabMarkerParams' });
export const LabAccountQuery = Type.Object({ lab_account_id: Type.Optional(Uuid) }, { title: 'LabAccountQuery' });

/** GET /v3/lab_test/lab_account. */
export const LabAccountsQuery = Type.Object(
  { lab_account_id: Type.Optional(Uuid), status: Type.Optional(closedEnum(labAccountStatuses)) },
  { title: 'LabAccountsQuery' },
);
