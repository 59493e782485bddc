import type { Database } from '@pulsewire/database';
import { GenerationEnds, generationOf, type LogEvent, type LogIdentity, readIdentity } from '@pulsewire/eventlog';
import type { OutgoingRecord } from '../records/event-record.ts';
import type { EventWriter } from '../records/event-writer.ts';
import { sealOf } from '../records/seal.ts';

/** CloudEvents sequences must sort as text. */
const sequenceDigits = 16;

/** The headers that identify the installation and the generation of a record. */
function stampOf(event: LogEvent, { installationId }: LogIdentity, ends: GenerationEnds): Record<string, string> {
  const generation = generationOf(event.offset);
  const endsBefore = ends.describeBefore(event.shard, generation);
  return {
    ce_installation: installationId,
    ce_generation: String(generation),
    ce_shard: String(event.shard),
    ce_sequence: String(event.offset).padStart(sequenceDigits, '0'),
    ...(endsBefore === '' ? {} : { ce_generationends: endsBefore }),
  };
}

/**
 * A writer whose records contain the installation and the generation, and on the event topic a MAC that only this installation can compute.
 */
export async function stampRecords(writer: EventWriter, database: Database): Promise<EventWriter> {
  const identity = await readIdentity(database);
  const ends = new GenerationEnds();
  const seal = (record: OutgoingRecord): OutgoingRecord => ({
    ...record,
    headers: { ...record.headers, mac: sealOf(identity, record.headers, record.value) },
  });
  return {
    warmUp: () => writer.warmUp(),
    async recordsOf(event) {
      if (ends.generation < generationOf(event.offset)) await ends.refresh(database);
      const made = await writer.recordsOf(event);
      const stamp = stampOf(event, identity, ends);
      const stamped = (record: OutgoingRecord): OutgoingRecord => ({ ...record, headers: { ...record.headers, ...stamp } });
      return {
        event: seal(stamped(made.event)),
        states: made.states.map(({ topic, record }) => ({ topic, record: stamped(record) })),
      };
    },
  };
}
