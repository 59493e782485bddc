import { Type } from 'typebox';
import { closedEnum, openEnum, optional, optionalText, Uuid, ZipCode } from '../fields/fields.ts';
import { billingTypes, centerCapabilities, centralLabs, labSlugs, radii } from './enums.ts';

const radius = closedEnum(radii, { default: '25', description: 'Miles.' });
const capabilities = Type.Array(openEnum(centerCapabilities));
const billTypes = Type.Array(openEnum(billingTypes));

/** A point. */
export const LngLat = Type.Object(
  { lng: Type.Number({ minimum: -180, maximum: 180 }), lat: Type.Number({ minimum: -90, maximum: 90 }) },
  { title: 'LngLat' },
);

/** GET /v3/order/area/info. */
export const AreaInfoQuery = Type.Object(
  {
    zip_code: ZipCode,
    radius,
    lab: Type.Optional(closedEnum(centralLabs, { deprecated: true })),
    labs: Type.Optional(Type.Array(closedEnum(centralLabs))),
    lab_account_id: Type.Optional(Uuid),
  },
  { title: 'AreaInfoQuery' },
);

const tiers = Type.Array(openEnum(['appointment-ready', 'appointment-request']));
const CentersInArea = Type.Object(
  {
    appointment_with_service: Type.Boolean({ description: 'Whether a center within the radius can be booked here.' }),
    within_radius: Type.Integer({ description: 'Centers within the radius.' }),
    radius: Type.String({ description: 'Miles.' }),
    capabilities,
  },
  { title: 'CentersInArea' },
);
const CentralLabArea = Type.Object(
  { patient_service_centers: CentersInArea, supported_bill_types: billTypes, lab_id: Type.Integer() },
  { title: 'CentralLabArea' },
);

export const AreaInfoBody = Type.Object(
  {
    zip_code: Type.String(),
    phlebotomy: Type.Object({
      is_served: Type.Boolean(),
      providers: Type.Array(
        Type.Object({ name: openEnum(['getlabs', 'phlebfinders', 'quest', 'sonora_quest']), tier: tiers, service_types: tiers }),
      ),
    }),
    central_labs: Type.Record(Type.String(), CentralLabArea, { description: 'By lab slug.' }),
  },
  { title: 'AreaInfoBody' },
);

const centerFilters = { radius, capabilities: Type.Optional(Type.Array(closedEnum(centerCapabilities))) };

/** GET /v3/order/psc/info. */
export const CenterInfoQuery = Type.Object(
  {
    zip_code: ZipCode,
    lab_id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    ...centerFilters,
    lab_account_id: Type.Optional(Uuid),
  },
  { title: 'CenterInfoQuery' },
);

/** GET /v3/order/{order_id}/psc/info. */
export const OrderCenterQuery = Type.Object(centerFilters, { title: 'OrderCenterQuery' });

const ServiceCenter = Type.Object(
  {
    metadata: Type.Object({
      name: Type.String(),
      state: Type.String(),
      city: Type.String(),
      zip_code: Type.String(),
      first_line: Type.String(),
      second_line: optional(Type.String()),
      phone_number: optional(Type.String()),
      fax_number: optional(Type.String()),
      hours: optional(Type.Record(Type.String(), Type.String()), { description: 'Opening hours by day of the week; null when unknown.' }),
      website: optionalText('Address of its page.'),
    }),
    distance: Type.String({ description: 'Whole miles from the middle of the ZIP area.' }),
    site_code: Type.String(),
    supported_bill_types: billTypes,
    location: LngLat,
    capabilities,
  },
  { title: 'ServiceCenter' },
);

export const CenterInfoBody = Type.Object(
  {
    lab_id: Type.Integer(),
    slug: openEnum(labSlugs),
    patient_service_centers: Type.Array(ServiceCenter, { description: 'Nearest first, at most 30.' }),
  },
  { title: 'CenterInfoBody' },
);
