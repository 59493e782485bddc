import { isAppError } from '@pulsewire/kernel';
import { recordTypes, type RecordType } from '../avro/record-types.ts';
import type { Registry } from '../records/schema-registry.ts';
import { topicNames } from '../records/topics.ts';
import { stateTopicOf } from '../records/state-topics.ts';

interface Subject {
  readonly topic: string;
  readonly record: RecordType;
}

/** Every record type on every topic that can carry it. */
export function subjectsOf(topicPrefix: string): readonly Subject[] {
  const names = topicNames(topicPrefix);
  return recordTypes.flatMap((record) => {
    const state = stateTopicOf(record, names);
    return [{ topic: names.events, record }, ...(state === null ? [] : [{ topic: state, record }])];
  });
}

/** Registers missing schemas; returns the number of subjects. Throws AppError `schema_incompatible` or `registry_unavailable`. */
export async function registerSchemas(registry: Registry, topicPrefix: string): Promise<number> {
  const subjects = subjectsOf(topicPrefix);
  // Sequentially, so that a registry assigns the same ids in the same order; it runs once per deployment.
  for (const { topic, record } of subjects) await registry.register(topic, record);
  return subjects.length;
}

/** Record types whose current schema is not registered. Throws AppError `registry_unavailable`. */
export async function checkSchemas(registry: Registry, topicPrefix: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { topic, record } of subjectsOf(topicPrefix)) {
    try {
      await registry.idOf(topic, record);
    } catch (error) {
      if (!isAppError(error) || error.code !== 'schema_not_registered') throw error;
      missing.push(`${topic} ${record.name}`);
    }
  }
  return missing;
}
