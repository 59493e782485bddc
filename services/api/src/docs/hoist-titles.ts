interface Titled {
  readonly title?: unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Moves every schema that has a title to `components.schemas` under that name, and leaves a reference: a generated client then
 * has one type for each. Two schemas that share a title and differ stay where they are.
 */
export function hoistTitles(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const schemas: Record<string, unknown> = {};
  const texts = new Map<string, string>();

  function walk(value: unknown, isProperties = false): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
      key,
      key === 'example' || key === 'examples' ? item : walk(item, key === 'properties'),
    ]);
    const copy = Object.fromEntries(entries);
    const { title } = value as Titled;
    if (isProperties || typeof title !== 'string' || !('type' in value || 'anyOf' in value)) return copy;
    const text = JSON.stringify(copy);
    const known = texts.get(title);
    if (known !== undefined && known !== text) return copy;
    texts.set(title, text);
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  }

  const paths = walk(document['paths']);
  const components = isObject(document['components']) ? document['components'] : {};
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => a.localeCompare(b)));
  return { ...document, components: { ...components, schemas: sorted }, paths };
}
