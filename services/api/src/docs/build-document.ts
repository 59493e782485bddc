import { hoistTitles } from './hoist-titles.ts';

interface Parameter {
  required?: boolean;
  readonly schema?: { readonly default?: unknown };
}

// A parameter with a default is there in every handler, and need not be sent all the same.
function relax(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(relax);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key !== 'parameters' || !Array.isArray(item)) relax(item);
    else for (const parameter of item as Parameter[]) if (parameter.schema?.default !== undefined) parameter.required = false;
  }
}

interface Body {
  required?: string[];
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
}

// The same for fields of bodies.
function relaxBody(value: unknown, isInBody = false): void {
  if (Array.isArray(value)) return value.forEach((item) => relaxBody(item, isInBody));
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) relaxBody(item, isInBody || key === 'requestBody');
  const body = value as Body;
  if (!isInBody || !Array.isArray(body.required) || !body.properties) return;
  body.required = body.required.filter((name) => body.properties?.[name]?.default === undefined);
  if (body.required.length === 0) delete body.required;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema?: { readonly type?: unknown; readonly required?: readonly string[] } }>>;
  required?: boolean;
}

// A body of which nothing is required may be left out.
function relaxWholeBody(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key !== 'requestBody') {
      relaxWholeBody(item);
      continue;
    }
    const body = item as Content;
    const schemas = Object.values(body.content).map(({ schema }) => schema);
    const isOptional = schemas.every(
      (schema = {}) =>
        schema.type === undefined || (schema.type === 'object' && (schema.required ?? []).length === 0 && !('allOf' in schema)),
    );
    body.required = !isOptional;
  }
}

const text = (description: string) => ({ description, schema: { type: 'string' } });
const headersOf: Readonly<Record<string, object>> = {
  405: { Allow: text('The methods of the path.') },
  429: { 'Retry-After': text('Seconds to wait.') },
  503: { 'Retry-After': text('Seconds to wait.') },
};

// The headers that make a refusal useful.
function addHeaders(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key !== 'responses') addHeaders(item);
    else
      for (const [status, response] of Object.entries(item as object))
        Object.assign(response, headersOf[status] && { headers: headersOf[status] });
  }
}

/** The document as we publish it, made of what the swagger plugin collected; that object is used up. */
export function buildDocument(collected: object): Record<string, unknown> {
  const document = collected as Record<string, unknown>;
  relax(document['paths']);
  relaxBody(document['paths']);
  relaxWholeBody(document['paths']);
  addHeaders(document['paths']);
  return hoistTitles(document);
}
