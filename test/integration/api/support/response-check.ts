import { Compile, type Validator } from 'typebox/compile';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

/** The part of an OpenAPI document that responses are validated against. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>>; readonly responses: Readonly<Record<string, Response>> };
}

/** Inlines every referenced schema; none of ours is recursive. */
function inlined(document: Document, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => inlined(document, item));
  if (typeof node !== 'object' || node === null) return node;
  const name = '$ref' in node ? String(node.$ref).split('/').at(-1) : undefined;
  // Tests append events of any shape to the log; the bodies of real events are validated on receipt.
  if (name === 'WebhookPayload') return { type: 'object' };
  if (name !== undefined) return inlined(document, document.components.schemas[name]);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inlined(document, value)]));
}

const patternOf = (template: string) => new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`);

function resolved({ components }: Document, response: Response | undefined): Response | undefined {
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : components.responses[name];
}

/** Throws when a response, errors included, does not match the document for this operation and status. Unknown paths pass. */
export type ResponseCheck = (method: string, url: string, status: number, body: unknown) => void;

const checks = new Map<string, Promise<ResponseCheck>>();

/**
 * The check for an API whose document is determined by `key`. The files of a worker share it, because building the document and compiling
 * its schemas takes longer than most tests.
 */
export function sharedResponseCheck(key: string, readDocument: () => Promise<Document>): Promise<ResponseCheck> {
  const shared = checks.get(key) ?? readDocument().then(createResponseCheck);
  checks.set(key, shared);
  return shared;
}

function createResponseCheck(document: Document): ResponseCheck {
  const validators = new Map<object, Validator>();
  // Literal paths first, before a template that would match them with a variable.
  const templates = Object.keys(document.paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((template) => ({ template, pattern: patternOf(template) }));
  return (method, url, status, body) => {
    const path = url.split('?')[0] ?? '';
    const isOperation = (template: string) => document.paths[template]?.[method.toLowerCase()] !== undefined;
    const template = templates.find(({ template: candidate, pattern }) => pattern.test(path) && isOperation(candidate))?.template;
    if (template === undefined) return;
    const responses = document.paths[template]?.[method.toLowerCase()]?.responses ?? {};
    const named = resolved(document, responses[status]);
    if (named === undefined) throw new Error(`${method} ${template} responds ${status}, which the document does not name`);
    const schema = named.content?.['application/json']?.schema;
    if (schema === undefined) return;
    if (body === undefined) throw new Error(`${method} ${template} ${status} is not JSON, as the document says`);
    const validator = validators.get(schema) ?? Compile(inlined(document, schema) as object);
    validators.set(schema, validator);
    if (!validator.Check(body)) throw new Error(`${method} ${template} ${status}: ${JSON.stringify(validator.Errors(body))}`);
  };
}
