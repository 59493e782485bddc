import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { allEventTypes } from '../events/event-types.ts';
import { eventCatalogue, exampleDataJson } from './event-catalogue.ts';

test('every event type is described, and its example fits its schema', () => {
  const rows = eventCatalogue();
  expect(rows.map((row) => row.event_type)).toEqual(allEventTypes());
  for (const { event_type: type, description, schema, example } of rows) {
    expect([type, description]).not.toEqual([type, '']);
    if (schema === null) continue;
    expect([type, Compile(schema).Check(example)]).toEqual([type, true]);
    expect(example).toMatchObject({ event_type: type, data: JSON.parse(exampleDataJson(type) ?? 'null') as object });
  }
  // Lab events get their schemas with the labs package.
  expect(rows.filter((row) => row.schema === null).every((row) => row.event_type.startsWith('lab'))).toBe(true);
});
