/** A JSON Schema as data. */
export type Schema = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A part of a document as an object; empty where there is none. */
export function objectAt(value: unknown): Schema {
  return isObject(value) ? value : {};
}

/** The texts in a list; empty where there is none. */
export function textsAt(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Follows references within a document. */
export function resolve(value: unknown, document: unknown): Schema {
  let found = value;
  for (let steps = 0; steps < 20; steps += 1) {
    const reference = objectAt(found)['$ref'];
    if (typeof reference !== 'string') return objectAt(found);
    const parts = reference.replace(/^#\//, '').split('/');
    found = parts.reduce<unknown>((part, key) => objectAt(part)[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  }
  return {};
}

/** The alternatives of a schema: those of a union, or one for each of its types. */
export function alternativesOf(value: unknown, document: unknown): readonly Schema[] {
  const schema = resolve(value, document);
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return union.flatMap((item) => alternativesOf(item, document));
  const types = schema['type'];
  if (!Array.isArray(types)) return [schema];
  return textsAt(types).map((type) => ({ ...schema, type, ...(type === 'null' && { enum: undefined }) }));
}
