import { MarkerHeaders, markerKey, RecordHeaders, recordTypes, stateTopicOf, topicNames, type RecordType } from '@pulsewire/kafka';

const names = topicNames('');
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The schema's id in the registry precedes the Avro bytes. */
const avroBindings = (key: object) => ({
  kafka: {
    key,
    schemaIdLocation: 'payload',
    schemaIdPayloadEncoding: 'confluent',
    schemaLookupStrategy: 'TopicRecordNameStrategy',
    bindingVersion: '0.5.0',
  },
});

const eventKey = { type: 'string', format: 'uuid', description: 'User id; team id for events without a user.' };

function message({ name, fullName, eventTypes, schema }: RecordType): object {
  return {
    name: fullName,
    title: name,
    description: eventTypes.map((type) => `- \`${type}\``).join('\n'),
    contentType: 'application/avro',
    headers: reference('RecordHeaders'),
    payload: { schemaFormat: 'application/vnd.apache.avro;version=1.9.0', schema },
    bindings: avroBindings(eventKey),
  };
}

const tombstone = {
  name: 'Tombstone',
  title: 'Tombstone',
  description: 'The value of the key is gone. The headers are those of the event that removed it.',
  headers: reference('RecordHeaders'),
  payload: { type: 'null' },
};

const marker = {
  name: 'Marker',
  title: 'Marker',
  description: 'No data. It announces a generation of the log, or lets a broker close a segment.',
  headers: reference('MarkerHeaders'),
  payload: { type: 'null' },
  bindings: { kafka: { key: { type: 'string', const: markerKey }, bindingVersion: '0.5.0' } },
};

/** One message per type of record, and the two messages without a value. */
export function recordMessages(): Readonly<Record<string, object>> {
  const records = recordTypes.map((record) => [record.fullName, message(record)] as const);
  return { ...Object.fromEntries(records), Tombstone: tombstone, Marker: marker };
}

/** Names of the messages of a topic, given without its prefix. */
export function messagesOfTopic(topic: string): readonly string[] {
  if (topic === names.events) return [...recordTypes.map(({ fullName }) => fullName), 'Marker'];
  const ofState = recordTypes.filter((record) => stateTopicOf(record, names) === topic);
  return [...ofState.map(({ fullName }) => fullName), 'Tombstone', 'Marker'];
}

export const recordSchemas = { RecordHeaders, MarkerHeaders } as const;
