import { describe, expect, test } from 'vitest';
import { comparePublished } from './compare-published.ts';

const user = {
  title: 'User',
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    age: { type: 'integer' },
    unit: { type: 'string', const: 'bpm' },
    status: { type: 'string', enum: ['new', 'done'] },
  },
};
const body = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 100 },
    note: { type: ['string', 'null'] },
    kind: { type: 'string', enum: ['a', 'b'] },
    count: { type: 'number' },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const limit = { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } };

function openApi(changes: { body?: object; user?: object; operation?: object; webhook?: object } = {}) {
  const post = {
    operationId: 'createUser',
    parameters: [limit],
    requestBody: { required: true, ...json(changes.body ?? body) },
    responses: { 201: json({ $ref: '#/components/schemas/User' }), 404: { description: 'No such user.' } },
    ...changes.operation,
  };
  return {
    paths: { '/users': { post } },
    webhooks: { 'user.created': { post: { operationId: 'on.user.created', requestBody: json(changes.webhook ?? user) } } },
    components: { schemas: { User: changes.user ?? user } },
  };
}

const users = { address: 'users', messages: { created: { $ref: '#/components/messages/created' } } };

function asyncApi(changes: { payload?: object; channels?: object; operations?: object } = {}) {
  const message = { contentType: 'application/json', headers: { type: 'object' }, payload: changes.payload ?? user };
  return {
    channels: changes.channels ?? { users },
    operations: changes.operations ?? { sendUsers: { action: 'send', channel: { $ref: '#/channels/users' } } },
    components: { messages: { created: message } },
  };
}

const against = (file: string, older: unknown, newer: unknown) => comparePublished(new Map([[file, older]]), new Map([[file, newer]]));
const withField = (schema: typeof user | typeof body, changes: object) => ({ ...schema, properties: { ...schema.properties, ...changes } });
const without = (schema: typeof user | typeof body, field: string) => {
  const entries = Object.entries(schema.properties).filter(([name]) => name !== field);
  return { ...schema, properties: Object.fromEntries(entries) };
};

describe('a request', () => {
  test.each([
    ['a field that is gone', without(body, 'note'), '/note: the field is gone'],
    [
      'a new required field',
      { ...withField(body, { city: { type: 'string' } }), required: ['name', 'city'] },
      '/city: the field is now required',
    ],
    ['a field that becomes required', { ...body, required: ['name', 'kind'] }, '/kind: the field is now required'],
    ['another type', withField(body, { name: { type: 'integer' } }), '/name: the type changed from string to integer'],
    ['a narrower number', withField(body, { count: { type: 'integer' } }), '/count: the type changed from number to integer'],
    ['null that is no longer accepted', withField(body, { note: { type: 'string' } }), '/note: the alternative null is gone'],
    ['a shorter length', withField(body, { name: { type: 'string', maxLength: 10 } }), '/name: maxLength changed from 100 to 10'],
    [
      'a new format',
      withField(body, { name: { type: 'string', maxLength: 100, format: 'email' } }),
      '/name: format changed from none to "email"',
    ],
    ['a value that is gone', withField(body, { kind: { type: 'string', enum: ['a'] } }), '/kind: the value "b" is gone'],
    ['unknown fields refused', { ...body, additionalProperties: false }, ': unknown fields are no longer accepted'],
  ])('is broken by %s', (_, changed, problem) => {
    const lines = against('openapi/openapi.json', openApi(), openApi({ body: changed }));
    expect(lines).toEqual([`openapi/openapi.json: POST /users body${problem}`]);
  });

  test.each([
    ['an optional field', withField(body, { city: { type: 'string' } })],
    ['a value', withField(body, { kind: { type: 'string', enum: ['a', 'b', 'c'] } })],
    ['a wider type', withField(body, { name: { type: ['string', 'null'], maxLength: 200 } })],
    ['a field that is no longer required', { ...body, required: [] }],
  ])('a request may gain %s', (_, changed) => {
    expect(against('openapi/openapi.json', openApi(), openApi({ body: changed }))).toEqual([]);
  });
});

const sentBreaks: readonly (readonly [string, object, string])[] = [
  ['a field that is gone', without(user, 'age'), '/age: the field is gone'],
  ['a field that may be missing', { ...user, required: ['id'] }, '/name: the field is no longer always there'],
  ['another type', withField(user, { age: { type: 'string' } }), '/age: the type changed from integer to string'],
  ['a wider number', withField(user, { age: { type: 'number' } }), '/age: the type changed from integer to number'],
  ['null where there was none', withField(user, { age: { type: ['integer', 'null'] } }), '/age: null is possible now'],
  ['another unit', withField(user, { unit: { type: 'string', const: 'rpm' } }), '/unit: the value "bpm" is gone'],
  ['a value that is gone', withField(user, { status: { type: 'string', enum: ['new'] } }), '/status: the value "done" is gone'],
  ['another format', withField(user, { id: { type: 'string' } }), '/id: format changed from "uuid" to none'],
];

describe('what is sent', () => {
  test.each(sentBreaks)('in a response is broken by %s', (_, changed, problem) => {
    const lines = against('openapi/openapi.json', openApi(), openApi({ user: changed }));
    expect(lines).toEqual([`openapi/openapi.json: POST /users 201${problem}`]);
  });

  test.each(sentBreaks)('in a webhook is broken by %s', (_, changed, problem) => {
    const lines = against('openapi/openapi.json', openApi(), openApi({ webhook: changed }));
    expect(lines).toEqual([`openapi/openapi.json: user.created body${problem}`]);
  });

  test.each(sentBreaks)('in a message is broken by %s', (_, changed, problem) => {
    const lines = against('asyncapi/asyncapi.json', asyncApi(), asyncApi({ payload: changed }));
    expect(lines).toEqual([`asyncapi/asyncapi.json: users created payload${problem}`]);
  });

  test.each(sentBreaks)('in an event schema is broken by %s', (_, changed, problem) => {
    expect(against('events/user.json', user, changed)).toEqual([`events/user.json: ${problem}`]);
  });

  test.each([
    ['a field', withField(user, { city: { type: 'string' } })],
    ['a value', withField(user, { status: { type: 'string', enum: ['new', 'done', 'late'] } })],
    ['a promise', { ...withField(user, { name: { type: 'string' } }), required: ['id', 'name', 'age'] }],
  ])('a response may gain %s', (_, changed) => {
    expect(against('events/user.json', user, changed)).toEqual([]);
    expect(against('openapi/openapi.json', openApi(), openApi({ user: changed, webhook: changed }))).toEqual([]);
    expect(against('asyncapi/asyncapi.json', asyncApi(), asyncApi({ payload: changed }))).toEqual([]);
  });
});

describe('a document', () => {
  const noPath = { ...openApi(), paths: {} };
  test.each([
    ['an operation', noPath, 'POST /users: the operation is gone'],
    ['a webhook', { ...openApi(), webhooks: {} }, 'user.created: the webhook is gone'],
    ['a parameter', openApi({ operation: { parameters: [] } }), 'POST /users query limit: the parameter is gone'],
    ['a response', openApi({ operation: { responses: { 201: json(user) } } }), 'POST /users 404: the response is gone'],
    ['an operationId', openApi({ operation: { operationId: 'addUser' } }), 'POST /users: operationId changed from createUser to addUser'],
  ])('of the HTTP interface must keep %s', (_, newer, problem) => {
    expect(against('openapi/openapi.json', openApi(), newer)).toEqual([`openapi/openapi.json: ${problem}`]);
  });

  test('of the HTTP interface must not require a new parameter', () => {
    const required = { name: 'day', in: 'query', required: true, schema: { type: 'string' } };
    const newer = openApi({ operation: { parameters: [limit, required] } });
    expect(against('openapi/openapi.json', openApi(), newer)).toEqual([
      'openapi/openapi.json: POST /users query day: the parameter is now required',
    ]);
  });

  test.each([
    ['a channel', asyncApi({ channels: {} }), 'users: the channel is gone'],
    ['a message', asyncApi({ channels: { users: { address: 'users', messages: {} } } }), 'users created: the message is gone'],
    ['an address', asyncApi({ channels: { users: { ...users, address: 'people' } } }), 'users: address changed from "users" to "people"'],
    ['an operation', asyncApi({ operations: {} }), 'sendUsers: the operation is gone'],
  ])('of the messages must keep %s', (_, newer, problem) => {
    expect(against('asyncapi/asyncapi.json', asyncApi(), newer)).toEqual([`asyncapi/asyncapi.json: ${problem}`]);
  });

  test('may gain operations, webhooks, channels and event types', () => {
    const paths = { ...openApi().paths, '/teams': openApi().paths['/users'] };
    expect(against('openapi/openapi.json', openApi(), { ...openApi(), paths, webhooks: { ...openApi().webhooks, other: {} } })).toEqual([]);
    expect(against('asyncapi/asyncapi.json', asyncApi(), { ...asyncApi(), channels: { ...asyncApi().channels, other: {} } })).toEqual([]);
    expect(against('events/index.json', { a: 'a.json' }, { a: 'a.json', b: 'b.json' })).toEqual([]);
  });

  test('must not disappear, nor an event type from the index', () => {
    expect(comparePublished(new Map([['events/user.json', user]]), new Map())).toEqual(['events/user.json: the document is gone']);
    expect(against('events/index.json', { a: 'a.json' }, {})).toEqual(['events/index.json: a: the event type is gone']);
  });

  test('may change texts and examples, but not the values of maps', () => {
    const map = (value: object) => ({ type: 'object', patternProperties: { '^.*$': value } });
    const described = map({ type: 'number', description: 'Grams.', examples: [3] });
    expect(against('events/user.json', map({ type: 'number' }), described)).toEqual([]);
    const broken = against('events/user.json', map({ type: 'number' }), map({ type: 'string' }));
    expect(broken).toEqual(['events/user.json: /*: the type changed from number to string']);
  });

  test('may refer to itself', () => {
    const tree = (fields: object) => {
      const node = { type: 'object', properties: { child: { $ref: '#/definitions/node' }, ...fields } };
      return { $ref: '#/definitions/node', definitions: { node } };
    };
    const older = tree({ name: { type: 'string' } });
    expect(against('events/tree.json', older, older)).toEqual([]);
    expect(against('events/tree.json', older, tree({}))).toEqual(['events/tree.json: /name: the field is gone']);
  });
});
