import { schemaExamples } from '@pulsewire/contract';
import { hoistRepeated } from './hoist-repeated.ts';
import { hoistTitles } from './hoist-titles.ts';
import { webhookSchemaReferences, webhooksSection } from './webhooks-section.ts';

interface Parameter {
  required?: boolean;
  readonly schema?: { readonly default?: unknown };
}

// A parameter with a default is always present in the handler, but clients need not send it.
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

// A body without required fields may be omitted.
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

// Headers of error responses.
function addHeaders(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key !== 'responses') addHeaders(item);
    else
      for (const [status, response] of Object.entries(item as object))
        Object.assign(response, headersOf[status] && { headers: headersOf[status] });
  }
}

type Components = Readonly<Record<string, object | undefined>>;

function mergeComponents(first: Components, second: Components): Components {
  const kinds = Object.entries(second).map(([kind, parts]) => [kind, { ...first[kind], ...parts }] as const);
  return { ...first, ...Object.fromEntries(kinds) };
}

/** The body of any event type: a union that clients narrow by `event_type`. */
function nameWebhookBodies(document: Record<string, unknown>): Record<string, unknown> {
  const { schemas = {} } = document['components'] as { schemas?: Record<string, object> };
  const { WebhookPayload: payload } = schemas;
  if (payload === undefined) return document;
  const { type: _type, properties: _properties, additionalProperties: _additional, ...rest } = payload as Record<string, unknown>;
  schemas['WebhookPayload'] = { ...rest, anyOf: webhookSchemaReferences() };
  return document;
}

function addExamples(document: Record<string, unknown>): Record<string, unknown> {
  const { schemas = {} } = document['components'] as { schemas?: Record<string, object> };
  for (const [title, example] of schemaExamples()) {
    const schema = schemas[title];
    if (schema !== undefined) Object.assign(schema, { examples: [example] });
  }
  return document;
}

/** The published document, built from the swagger plugin's object, which is modified. */
export function buildDocument(collected: object): Record<string, unknown> {
  const document = collected as Record<string, unknown>;
  relax(document['paths']);
  relaxBody(document['paths']);
  relaxWholeBody(document['paths']);
  addHeaders(document['paths']);
  const shared = hoistRepeated(document);
  const { webhooks, ...ofWebhooks } = webhooksSection();
  const components = mergeComponents(shared['components'] as Components, ofWebhooks);
  return addExamples(nameWebhookBodies(hoistTitles({ ...shared, components, webhooks })));
}
