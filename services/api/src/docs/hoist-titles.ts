interface Titled {
  readonly title?: unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Moves every schema that has a title to `components.schemas` under that name, and replaces it by a reference, so that a generated client
 * has one type for each. Different schemas with the same title stay in place.
 */
export function hoistTitles(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const schemas: Record<string, unknown> = {};
  const texts = new Map<string, string>();

  function walk(value: unknown, isProperties = false): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
      key,
      !isProperties && (key === 'example' || key === 'examples') ? item : walk(item, !isProperties && key === 'properties'),
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

  const { schemas: _schemas, securitySchemes, ...shared } = isObject(document['components']) ? document['components'] : {};
  // Paths first, so that of schemas with the same title those of responses are hoisted.
  const paths = walk(document['paths']);
  const parts = walk(shared) as object;
  const components = { ...(securitySchemes !== undefined && { securitySchemes }), ...parts };
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => a.localeCompare(b)));
  return { ...document, components: { ...components, schemas: sorted }, paths };
}
