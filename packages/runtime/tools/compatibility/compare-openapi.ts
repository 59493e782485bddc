import { compareSchemas, type Break, type Versions } from './compare-schemas.ts';
import type { Direction } from './compare-bounds.ts';
import { objectAt, resolve, type Schema } from './schema-nodes.ts';

const at = (path: string, problem: string): readonly Break[] => [{ path, problem }];

interface Place {
  readonly documents: Versions;
  readonly path: string;
  readonly direction: Direction;
}

/** The schema of each content type. */
function compareContents(older: Schema, newer: Schema, { documents, path, direction }: Place): readonly Break[] {
  const after = objectAt(newer['content']);
  return Object.entries(objectAt(older['content'])).flatMap(([type, content]) => {
    if (!(type in after)) return at(path, `${type} is gone`);
    const schemas = { older: objectAt(content)['schema'], newer: objectAt(after[type])['schema'] };
    return schemas.older === undefined ? [] : compareSchemas(schemas, documents, direction, path);
  });
}

function parametersOf(operation: Schema, document: unknown): ReadonlyMap<string, Schema> {
  const list = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  const parameters = list.map((item) => resolve(item, document));
  return new Map(parameters.map((parameter) => [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter]));
}

function compareParameters(older: Schema, newer: Schema, place: Place): readonly Break[] {
  const { documents, direction } = place;
  const isReceived = direction === 'received';
  const [before, after] = [parametersOf(older, documents.older), parametersOf(newer, documents.newer)];
  const known = [...before].flatMap(([name, parameter]) => {
    const path = `${place.path} ${name}`;
    const now = after.get(name);
    if (now === undefined) return at(path, 'the parameter is gone');
    const relaxed = !isReceived && parameter['required'] === true && now['required'] !== true;
    const schemas = { older: parameter['schema'], newer: now['schema'] };
    return [...(relaxed ? at(path, 'the header is no longer always there') : []), ...compareSchemas(schemas, documents, direction, path)];
  });
  const required = [...after].filter(([name, now]) => isReceived && now['required'] === true && before.get(name)?.['required'] !== true);
  return [...known, ...required.flatMap(([name]) => at(`${place.path} ${name}`, 'the parameter is now required'))];
}

function compareBodies(older: Schema, newer: Schema, place: Place): readonly Break[] {
  const { documents, direction } = place;
  const path = `${place.path} body`;
  const [before, after] = [resolve(older['requestBody'], documents.older), resolve(newer['requestBody'], documents.newer)];
  const isNewlyRequired = direction === 'received' && after['required'] === true && before['required'] !== true;
  return [
    ...(isNewlyRequired ? at(path, 'the body is now required') : []),
    ...compareContents(before, after, { documents, path, direction }),
  ];
}

function compareResponses(older: Schema, newer: Schema, { documents, path }: Place): readonly Break[] {
  const after = objectAt(newer['responses']);
  return Object.entries(objectAt(older['responses'])).flatMap(([status, response]) => {
    const inner = `${path} ${status}`;
    if (!(status in after)) return at(inner, 'the response is gone');
    const [before, now] = [resolve(response, documents.older), resolve(after[status], documents.newer)];
    const headers = Object.keys(objectAt(before['headers'])).filter((name) => !(name in objectAt(now['headers'])));
    return [
      ...headers.flatMap((name) => at(inner, `the header ${name} is gone`)),
      ...compareContents(before, now, { documents, path: inner, direction: 'sent' }),
    ];
  });
}

function compareOperations(older: Schema, newer: Schema, place: Place): readonly Break[] {
  const renamed = older['operationId'] !== newer['operationId'];
  const secured = JSON.stringify(older['security']) !== JSON.stringify(newer['security']);
  return [
    ...(renamed ? at(place.path, `operationId changed from ${String(older['operationId'])} to ${String(newer['operationId'])}`) : []),
    ...(secured ? at(place.path, 'security changed') : []),
    ...compareParameters(older, newer, place),
    ...compareBodies(older, newer, place),
    ...(place.direction === 'received' ? compareResponses(older, newer, place) : []),
  ];
}

function compareSection(section: 'paths' | 'webhooks', documents: Versions, direction: Direction): readonly Break[] {
  const [before, after] = [objectAt(documents.older)[section], objectAt(documents.newer)[section]].map(objectAt);
  return Object.entries(before ?? {}).flatMap(([path, operations]) =>
    Object.entries(objectAt(operations)).flatMap(([method, operation]) => {
      const now = objectAt(after?.[path])[method];
      const place = { documents, direction, path: section === 'paths' ? `${method.toUpperCase()} ${path}` : path };
      if (now === undefined) return at(place.path, section === 'paths' ? 'the operation is gone' : 'the webhook is gone');
      return compareOperations(objectAt(operation), objectAt(now), place);
    }),
  );
}

/** Every promise of an OpenAPI document that the newer version breaks. */
export function compareOpenApi(documents: Versions): readonly Break[] {
  return [...compareSection('paths', documents, 'received'), ...compareSection('webhooks', documents, 'sent')];
}
