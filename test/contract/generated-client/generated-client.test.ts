import { readFileSync } from 'node:fs';
import path from 'node:path';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { checkProgram, exportsOf } from './check-program.ts';
import { consumerText, mistakenText } from './consumer-text.ts';
import { createOpaqueSearch } from './opaque-types.ts';

/** Free-form parts, with the reason. */
const freeForm: Readonly<Record<string, string>> = {
  'ValidationError.input': 'the value that the client sent, whatever it is',
  'EventTypeBody.schema.*': 'a JSON Schema',
  'RawActivity.data.*': "the provider's own JSON",
  'RawDevice.data.*': "the provider's own JSON",
  'RawEntry.data.*': "the provider's own JSON",
  'RawProfile.data.*': "the provider's own JSON",
  'RawWorkout.data.*': "the provider's own JSON",
  // Versions of the mobile SDKs differ: items are read one by one, and one with another shape must not make a batch fail.
  // The older address of the same batches; it is listed first, and both share their items.
  'ApplePhoneBatch.data.records[]': 'an item as the phone has it',
  'ApplePhoneBatch.sdkVersion': 'not used',
  'ApplePhoneBatch.syncTimestamp': 'not used',
  'PhoneBatch.sdkVersion': 'not used',
  'PhoneBatch.syncTimestamp': 'not used',
  'PhoneLogs.events': 'whatever the SDK logs',
  'PhoneLogs.provider': 'not used',
  'PhoneLogs.sdkVersion': 'not used',
};

let program: ts.Program;
let errors: readonly string[];

beforeAll(async () => {
  const file = path.join(import.meta.dirname, '../../../schemas/openapi/openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenAPI3;
  const client = astToString(await openapiTypes(document));
  ({ program, errors } = checkProgram({ 'client.d.ts': client, 'consumer.ts': consumerText(), 'mistaken.ts': mistakenText }));
});

/** The properties of a type by name. */
function membersOf(type: ts.Type | undefined): [name: string, type: ts.Type][] {
  const checker = program.getTypeChecker();
  const properties = type === undefined ? [] : checker.getPropertiesOfType(checker.getNonNullableType(type));
  return properties.map((property) => [property.name, checker.getTypeOfSymbol(property)]);
}

function memberOf(type: ts.Type | undefined, ...names: readonly string[]): ts.Type | undefined {
  return names.reduce<ts.Type | undefined>((parent, name) => new Map(membersOf(parent)).get(name), type);
}

it('compiles with the examples of all resources and events, and rejects a sample without a unit', () => {
  expect(errors).toEqual([expect.stringMatching(/^mistaken.ts:3 .*'unit' is missing/)]);
});

it('types every response and webhook without unknown or any, except free-form fields', () => {
  const found = exportsOf(program, 'client.d.ts');
  const search = createOpaqueSearch(program.getTypeChecker());
  // Components first, so that one that several operations share is listed under its own name.
  const inSchemas = membersOf(memberOf(found.get('components'), 'schemas')).flatMap(([name, type]) => search(type, name));
  const operations = membersOf(found.get('operations'));
  const inResponses = operations.flatMap(([name, operation]) =>
    membersOf(memberOf(operation, 'responses')).flatMap(([status, response]) =>
      membersOf(memberOf(response, 'content')).flatMap(([kind, body]) => search(body, `${name} ${status} ${kind}`)),
    ),
  );
  const webhooks = membersOf(found.get('webhooks'));
  const inWebhooks = webhooks.flatMap(([name, webhook]) =>
    membersOf(memberOf(webhook, 'post', 'requestBody', 'content')).flatMap(([kind, body]) => search(body, `${name} ${kind}`)),
  );
  expect([operations.length > 300, webhooks.length > 150]).toEqual([true, true]);
  expect([...inSchemas, ...inResponses, ...inWebhooks].toSorted()).toEqual(Object.keys(freeForm).toSorted());
});
