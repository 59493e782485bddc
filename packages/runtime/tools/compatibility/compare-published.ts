import { compareAsyncApi } from './compare-asyncapi.ts';
import { compareOpenApi } from './compare-openapi.ts';
import { compareSchemas, type Break, type Versions } from './compare-schemas.ts';
import { objectAt } from './schema-nodes.ts';

/** Documents by their path below `schemas`. */
export type Documents = ReadonlyMap<string, unknown>;

const texts: ReadonlySet<string> = new Set(['description', 'summary', 'example', 'examples', 'tags', 'info', 'servers', 'x-tagGroups']);
/** Keys under which names are chosen freely: a field may be called `description`. */
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'messages',
  'parameters',
  'headers',
  'default',
  'const',
  'enum',
]);

/** The document without texts and examples, which promise nothing. */
export function withoutTexts(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => areNames || !texts.has(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutTexts(item, !areNames && named.has(key))]));
}

function compareEventTypes({ older, newer }: Versions): readonly Break[] {
  const gone = Object.keys(objectAt(older)).filter((type) => !(type in objectAt(newer)));
  return gone.map((path) => ({ path, problem: 'the event type is gone' }));
}

function compareDocument(file: string, versions: Versions): readonly Break[] {
  if (file === 'openapi/openapi.json') return compareOpenApi(versions);
  if (file === 'asyncapi/asyncapi.json') return compareAsyncApi(versions);
  if (file === 'events/index.json') return compareEventTypes(versions);
  return compareSchemas(versions, versions, 'sent', '');
}

/** Every promise of the published documents that the current ones break, one line each. */
export function comparePublished(published: Documents, current: Documents): readonly string[] {
  return [...published].flatMap(([file, older]) => {
    if (!current.has(file)) return [`${file}: the document is gone`];
    const breaks = compareDocument(file, { older, newer: withoutTexts(current.get(file)) });
    return breaks.map(({ path, problem }) => `${file}: ${path === '' ? '' : `${path}: `}${problem}`);
  });
}
