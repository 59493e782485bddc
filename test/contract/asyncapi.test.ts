import { readFileSync } from 'node:fs';
import path from 'node:path';
import specs from '@asyncapi/specs';
import avsc from 'avsc';
import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { allEventTypes, eventFamilies, findEventSchema, isPipelineEvent } from '@pulsewire/contract';
import { headersOf, RecordHeaders, recordTypes } from '@pulsewire/kafka';

interface Message {
  readonly headers: object;
  readonly payload: { readonly schemaFormat?: string; readonly schema?: avsc.Schema };
  readonly examples?: readonly { readonly headers: object; readonly payload: object }[];
}

interface Document {
  readonly channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, object>> }>>;
  readonly components: { readonly messages: Readonly<Record<string, Message>>; readonly schemas: Readonly<Record<string, object>> };
}

const text = readFileSync(path.join(import.meta.dirname, '../../schemas/asyncapi/asyncapi.json'), 'utf8');
const document = JSON.parse(text) as Document;
const messages = document.components.messages;
// The official schema of the format; the variant in which references stay within the file.
const official = specs.schemasWithoutId['3.0.0'] as object;
const ofFormat = Compile(official);

function resolve(reference: string): unknown {
  const parts = reference.slice(2).split('/');
  return parts.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
}

test('the document is valid under the official schema of AsyncAPI 3', () => {
  expect(ofFormat.Errors(document)[1]).toEqual([]);
});

test.each([
  ['an operation without a channel', { ...document, operations: { send: { action: 'send' } } }],
  ['an unknown version', { ...document, asyncapi: '4.0.0' }],
  ['a message with an unknown key', { ...document, components: { messages: { one: { name: 'one', body: {} } } } }],
])('the official schema rejects %s', (_, broken) => {
  expect(ofFormat.Check(broken)).toBe(false);
});

test('every reference resolves', () => {
  const references = [...text.matchAll(/"\$ref": "(#[^"]+)"/g)].map(([, reference = '']) => reference);
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
});

test('the webhook channel has every event type with a schema, and the topics have every record', () => {
  const webhooks = document.channels['webhooks']?.messages ?? {};
  expect(Object.keys(webhooks).toSorted()).toEqual(eventFamilies.map(({ name }) => name).toSorted());
  const described = eventFamilies.flatMap(({ eventTypes }) => eventTypes);
  expect(described.toSorted()).toEqual(
    allEventTypes()
      .filter((type) => !isPipelineEvent(type) && findEventSchema(type) !== undefined)
      .toSorted(),
  );
  const records = recordTypes.map(({ fullName }) => fullName);
  expect(Object.keys(document.channels['events']?.messages ?? {})).toEqual([...records, 'Marker']);
});

test.each(eventFamilies.map(({ name }) => name))('the example of %s matches the payload and the headers of its message', (name) => {
  const message = messages[name];
  const [example] = message?.examples ?? [];
  expect(Compile(message?.payload ?? false).Check(example?.payload)).toBe(true);
  expect(Compile(document.components.schemas['WebhookHeaders'] ?? false).Check(example?.headers)).toBe(true);
});

test('every payload on a topic has an Avro schema that a reader accepts', () => {
  for (const { fullName, schema } of recordTypes) {
    const payload = messages[fullName]?.payload;
    expect(payload?.schemaFormat).toBe('application/vnd.apache.avro;version=1.9.0');
    expect(payload?.schema).toEqual(schema);
    expect(avsc.Type.forSchema(payload?.schema ?? 'null').name).toBe(fullName);
  }
});

test('a record has exactly the headers that the document lists', () => {
  const event = {
    eventId: '01980000-0000-7000-8000-000000000001',
    teamId: '01980000-0000-7000-8000-000000000002',
    userId: '01980000-0000-7000-8000-000000000003',
    clientUserId: 'anna',
    eventType: 'daily.data.steps.created',
    shard: 3,
    offset: 42,
    day: '2026-01-26',
    origin: 'live',
    writtenAt: 1_769_378_400_000,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    body: { kind: 'json', json: '{}' },
  } as const;
  for (const headers of [headersOf(event, false), headersOf({ ...event, userId: null, clientUserId: null, traceId: null }, true)]) {
    expect(Compile({ ...RecordHeaders, additionalProperties: false }).Errors(headers)[1]).toEqual([]);
  }
});
