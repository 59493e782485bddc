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

/** The document as we publish it, made of what the swagger plugin collected; that object is used up. */
export function buildDocument(collected: object): Record<string, unknown> {
  const document = collected as Record<string, unknown>;
  relax(document['paths']);
  return hoistTitles(document);
}
