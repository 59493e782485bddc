import { Type, type Static } from 'typebox';
import { ConnectionErrorTypeSchema } from '../fields/connection-errors.ts';
import { DateTime, nullable, openEnum, optional } from '../fields/fields.ts';
import { ResourceAvailabilityMap } from '../fields/resource-availability.ts';
import { resources } from '../resources/resources.ts';
import { historicalPullStatuses } from './introspection.ts';

/** How a provider is linked. */
export const SourceAuthType = openEnum(['oauth', 'team_oauth', 'sdk', 'password', 'email', 'app']);

const ConnectionErrorDetails = Type.Object({
  error_type: ConnectionErrorTypeSchema,
  error_message: Type.String({ description: 'Human-readable message.' }),
  errored_at: DateTime,
});

const HistoryProgress = Type.Object({
  status: openEnum(historicalPullStatuses),
  scheduled_at: DateTime,
  ended_at: nullable(DateTime),
  resources_total: Type.Integer(),
  resources_ended: Type.Integer({ description: 'Resources whose history is complete, or read as far as possible.' }),
  windows_total: Type.Integer({ description: 'Parts into which the range was cut; resources that are read together share them.' }),
  windows_ended: Type.Integer(),
  windows_given_up: Type.Integer({ description: 'Parts that were not read after all attempts; they are among those that ended.' }),
});

/** A provider that a user is connected to. */
export const UserProvider = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    logo: Type.String({ description: 'URL.' }),
    created_on: DateTime,
    status: openEnum(['connected', 'error', 'paused']),
    external_user_id: optional(Type.String({ description: "The user's id at the provider." })),
    error_details: optional(ConnectionErrorDetails, { description: 'Only with the status error.' }),
    resource_availability: ResourceAvailabilityMap,
    historical_pull: optional(HistoryProgress, {
      description: 'How far the reading of history has come; null where none was requested. By resource: `/v2/introspect/historical_pull`.',
    }),
  },
  { title: 'UserProvider' },
);
export type UserProvider = Static<typeof UserProvider>;

/** Response of GET /v2/user/providers/{user_id}. */
export const UserProvidersBody = Type.Object({ providers: Type.Array(UserProvider) }, { title: 'UserProvidersBody' });
export type UserProvidersBody = Static<typeof UserProvidersBody>;

/** GET /v2/providers. */
export const CatalogueQuery = Type.Object(
  { source_type: Type.Optional(Type.String({ description: 'Kind of source: app, ble, device, lab or provider.' })) },
  { title: 'CatalogueQuery' },
);
export type CatalogueQuery = Static<typeof CatalogueQuery>;

/** An entry of the catalogue. */
export const CatalogueProvider = Type.Object(
  {
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    logo: nullable(Type.String(), { description: 'URL.' }),
    auth_type: optional(SourceAuthType),
    supported_resources: Type.Optional(Type.Array(openEnum(resources.map(({ name }) => name)))),
    unavailable_resources: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Resources that the provider has and that are not available here, each with the reason.',
      }),
    ),
  },
  { title: 'CatalogueProvider' },
);
export type CatalogueProvider = Static<typeof CatalogueProvider>;

/** Response of GET /v2/providers. */
export const CatalogueBody = Type.Array(CatalogueProvider, { title: 'CatalogueBody' });
export type CatalogueBody = Static<typeof CatalogueBody>;
