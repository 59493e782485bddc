import { Type, type Static } from 'typebox';
import { ConnectionErrorTypeSchema } from '../fields/connection-errors.ts';
import { nullable, optional, optionalText, Uuid } from '../fields/fields.ts';
import { ResourceAvailabilityMap } from '../fields/resource-availability.ts';
import { ProviderRef, SourceType } from '../fields/source-context.ts';

/** Data of `provider.connection.created`, without the removed copy `source`. */
export const ConnectionCreated = Type.Object(
  {
    user_id: Uuid,
    provider: ProviderRef,
    external_user_id: nullable(Type.String(), { description: "The user's id at the provider." }),
    resource_availability: ResourceAvailabilityMap,
  },
  { title: 'ConnectionCreated' },
);
export type ConnectionCreated = Static<typeof ConnectionCreated>;

/** Data of `provider.connection.error`: sent once, when pulling stops until the person connects again. */
export const ConnectionFailed = Type.Object(
  {
    user_id: Uuid,
    provider: Type.String({ description: 'Provider slug.' }),
    error_type: ConnectionErrorTypeSchema,
    message: Type.String({ description: 'Human-readable message.' }),
    error_details: Type.String({ description: 'Message for developers.' }),
  },
  { title: 'ConnectionFailed' },
);
export type ConnectionFailed = Static<typeof ConnectionFailed>;

/** A device of a connection, and data of the device events. */
export const Device = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Our id; source.device_id points at it.' }),
    user_id: Uuid,
    provider: Type.String({ description: 'Provider slug.' }),
    source_type: SourceType,
    app_id: optional(Type.String()),
    device_manufacturer: optional(Type.String()),
    device_model: optional(Type.String()),
    device_version: optional(Type.String()),
    device_id: optionalText('Identifier of the device at the provider.'),
  },
  { title: 'Device' },
);
export type Device = Static<typeof Device>;
