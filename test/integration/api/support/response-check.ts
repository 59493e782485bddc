import { Compile, type Validator } from 'typebox/compile';

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>>;
}

/** The part of an OpenAPI document that answers are held against. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Puts every referred schema in its place: none of ours refers to itself. */
function inlined(document: Document, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => inlined(document, item));
  if (typeof node !== 'object' || node === null) return node;
  const name = '$ref' in node ? String(node.$ref).split('/').at(-1) : undefined;
  if (name !== undefined) return inlined(document, document.components.schemas[name]);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inlined(document, value)]));
}

const fits = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** Throws when an answer, a refusal too, is not what the document says of this operation and status. Unknown paths pass. */
export function createResponseCheck(document: Document): (method: string, url: string, status: number, body: unknown) => void {
  const validators = new Map<object, Validator>();
  // A path without variables before one that would take it for a value.
  const templates = Object.keys(document.paths).toSorted((a, b) => a.split('{').length - b.split('{').length);
  return (method, url, status, body) => {
    const path = url.split('?')[0] ?? '';
    const template = templates.find((candidate) => fits(candidate, path) && document.paths[candidate]?.[method.toLowerCase()]);
    if (template === undefined) return;
    const responses = document.paths[template]?.[method.toLowerCase()]?.responses ?? {};
    const named = responses[status];
    if (named === undefined) throw new Error(`${method} ${template} answers ${status}, which the document does not name`);
    const schema = named.content?.['application/json']?.schema;
    if (schema === undefined) return;
    if (body === undefined) throw new Error(`${method} ${template} ${status} is not JSON, as the document says`);
    const validator = validators.get(schema) ?? Compile(inlined(document, schema) as object);
    validators.set(schema, validator);
    if (!validator.Check(body)) throw new Error(`${method} ${template} ${status}: ${JSON.stringify(validator.Errors(body))}`);
  };
}
