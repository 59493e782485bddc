import { AppError, errorCode } from '@pulsewire/kernel';
import { Compatibility, SchemaRegistryClient } from '@confluentinc/schemaregistry/dist/schemaregistry-client.js';
import type { AvroNode } from '../avro/avro-schema.ts';
import type { RecordType } from '../avro/record-types.ts';

/** The operations of a schema registry that we use. */
export interface Registry {
  /** Address of the registry, without credentials. */
  readonly address: string;
  /** Where a schema can be read, for `ce_dataschema`. */
  schemaAddress(schemaId: number): string;
  /** Throws AppError `registry_unavailable` when it does not respond. */
  ping(): Promise<void>;
  /** Id of this record type's schema on a topic. Throws AppError `schema_not_registered` or `registry_unavailable`. */
  idOf(topic: string, record: RecordType): Promise<number>;
  /** The schema with an id. Throws AppError `schema_unknown` or `registry_unavailable`. */
  schemaOf(schemaId: number): Promise<AvroNode>;
  /** Registers it under FULL_TRANSITIVE; a deployment does this, never a running process. Throws AppError `schema_incompatible`. */
  register(topic: string, record: RecordType): Promise<number>;
}

const requestTimeoutMs = 5000;

/** The subject of a record type on a topic: topic and record name. */
export function subjectOf(topic: string, record: Pick<RecordType, 'fullName'>): string {
  return `${topic}-${record.fullName}`;
}

function statusOf(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

function unavailable(cause: unknown): AppError {
  return new AppError({
    code: 'registry_unavailable',
    kind: 'unavailable',
    message: 'The schema registry is unavailable',
    retryable: true,
    details: { reason: errorCode(cause), status: statusOf(cause) },
  });
}

/** A client of a Confluent-compatible registry. Responses are cached without expiry: the schema of an id never changes. */
export function createRegistry(url: string): Registry {
  const { username, password, href } = new URL(url);
  const address = new URL(href);
  address.username = '';
  address.password = '';
  const base = address.href.replace(/\/$/, '');
  const client = new SchemaRegistryClient({
    baseURLs: [href.replace(/\/$/, '')],
    createAxiosDefaults: { timeout: requestTimeoutMs },
    maxRetries: 1,
    retriesWaitMs: 200,
    ...(username === ''
      ? {}
      : {
          basicAuthCredentials: {
            credentialsSource: 'USER_INFO',
            userInfo: `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
          },
        }),
  });
  const ids = new Map<string, number>();
  const schemas = new Map<number, AvroNode>();
  const info = (record: RecordType) => ({ schema: record.schemaText, schemaType: 'AVRO' });

  return {
    address: base,
    schemaAddress: (schemaId) => `${base}/schemas/ids/${schemaId}`,
    async ping() {
      try {
        await client.getDefaultConfig();
      } catch (error) {
        // Any other response shows that the registry is up.
        const status = statusOf(error);
        if (status === undefined || status >= 500) throw unavailable(error);
      }
    },
    async idOf(topic, record) {
      const subject = subjectOf(topic, record);
      const known = ids.get(subject);
      if (known !== undefined) return known;
      try {
        const id = await client.getId(subject, info(record), false);
        ids.set(subject, id);
        return id;
      } catch (error) {
        if (statusOf(error) !== 404) throw unavailable(error);
        throw new AppError({
          code: 'schema_not_registered',
          kind: 'unavailable',
          message: 'A schema is not registered; run `npm run admin -- schemas register`',
          retryable: true,
          details: { subject },
        });
      }
    },
    async schemaOf(schemaId) {
      const known = schemas.get(schemaId);
      if (known !== undefined) return known;
      try {
        const { schema } = await client.getBySubjectAndId('', schemaId);
        const parsed = JSON.parse(schema) as AvroNode;
        schemas.set(schemaId, parsed);
        return parsed;
      } catch (error) {
        if (statusOf(error) !== 404) throw unavailable(error);
        throw new AppError({
          code: 'schema_unknown',
          kind: 'invalid',
          message: 'A record refers to a schema that is not in the registry',
          details: { schemaId },
        });
      }
    },
    async register(topic, record) {
      const subject = subjectOf(topic, record);
      try {
        const id = await client.register(subject, info(record), false);
        // After the first version: some registries refuse a rule for a subject that they do not know yet.
        await client.updateCompatibility(subject, Compatibility.FULL_TRANSITIVE);
        ids.set(subject, id);
        return id;
      } catch (error) {
        const status = statusOf(error);
        if (status !== 409 && status !== 422) throw unavailable(error);
        throw new AppError({
          code: 'schema_incompatible',
          kind: 'conflict',
          message: 'The registry rejected a schema that would break readers of older records',
          details: { subject },
        });
      }
    },
  };
}
