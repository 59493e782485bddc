import { escapeHtml } from './page.ts';

/** The parts of the OpenAPI document that the page shows. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

const schemaName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

function typeHtml(schema: Schema | undefined): string {
  if (schema === undefined) return '';
  if (schema.$ref !== undefined)
    return `<a href="#schema-${escapeHtml(schemaName(schema.$ref))}">${escapeHtml(schemaName(schema.$ref))}</a>`;
  if (schema.anyOf) return schema.anyOf.map(typeHtml).join(' or ');
  if (schema.enum) return `one of ${schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')}`;
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if ([schema.type].flat().includes('array')) return `list of ${typeHtml(schema.items)}`;
  return escapeHtml([[schema.type ?? 'any'].flat().join(' or '), schema.format].filter(Boolean).join(', '));
}

function fieldRows(schema: Schema): string {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(
      ([name, field]) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeHtml(field)}</td><td>${required.has(name) ? 'yes' : 'no'}</td><td>${escapeHtml(field.description ?? '')}</td></tr>`,
    )
    .join('');
}

const table = (head: readonly string[], rows: string) =>
  `<table><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead><tbody>${rows}</tbody></table>`;

function parametersHtml(operation: Operation): string {
  if (!operation.parameters?.length) return '';
  const rows = operation.parameters
    .map(
      (parameter) =>
        `<tr><td><code>${escapeHtml(parameter.name)}</code></td><td>${escapeHtml(parameter.in)}</td><td>${typeHtml(parameter.schema)}</td><td>${parameter.required ? 'yes' : 'no'}</td><td>${escapeHtml(parameter.description ?? parameter.schema?.description ?? '')}</td></tr>`,
    )
    .join('');
  return `<h3>Parameters</h3>${table(['Name', 'In', 'Type', 'Required', 'Meaning'], rows)}`;
}

function bodyHtml(operation: Operation): string {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  return schema === undefined ? '' : `<h3>Body</h3><p>${typeHtml(schema)}</p>`;
}

function answersHtml(operation: Operation): string {
  const rows = Object.entries(operation.responses ?? {})
    .map(
      ([status, answer]) =>
        `<tr><td>${escapeHtml(status)}</td><td>${typeHtml(Object.values(answer.content ?? {})[0]?.schema)}</td><td>${escapeHtml(answer.description ?? '')}</td></tr>`,
    )
    .join('');
  return `<h3>Answers</h3>${table(['Status', 'Body', 'When'], rows)}`;
}

function operationHtml(path: string, method: string, operation: Operation): string {
  const verb = method.toUpperCase();
  const note = operation.deprecated ? ' <span class="soft">(deprecated)</span>' : '';
  const text = operation.description === undefined ? '' : `<p>${escapeHtml(operation.description)}</p>`;
  return `<details id="${escapeHtml(operation.operationId)}"><summary><span class="verb ${verb}">${verb}</span><code>${escapeHtml(path)}</code> <span class="soft">${escapeHtml(operation.summary ?? '')}</span>${note}</summary><div>${text}${parametersHtml(operation)}${bodyHtml(operation)}${answersHtml(operation)}</div></details>`;
}

function schemaHtml(name: string, schema: Schema): string {
  const fields = schema.properties ? table(['Field', 'Type', 'Always there', 'Meaning'], fieldRows(schema)) : `<p>${typeHtml(schema)}</p>`;
  return `<details id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary><div>${fields}</div></details>`;
}

/** The reference page: every endpoint by area, then every schema. Plain HTML, no script: it opens, folds and tabs in any browser. */
export function renderDocs(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      area: operation.tags?.[0] ?? 'other',
      html: operationHtml(path, method, operation),
    })),
  );
  const areas = Map.groupBy(operations, ({ area }) => area);
  const links = [...areas.keys(), 'schemas'].map((area) => `<li><a href="#area-${escapeHtml(area)}">${escapeHtml(area)}</a></li>`).join('');
  const sections = [...areas]
    .map(
      ([area, items]) =>
        `<section aria-labelledby="area-${escapeHtml(area)}"><h2 id="area-${escapeHtml(area)}">${escapeHtml(area)}</h2>${items.map(({ html }) => html).join('')}</section>`,
    )
    .join('');
  const schemas = Object.entries(document.components?.schemas ?? {})
    .map(([name, schema]) => schemaHtml(name, schema))
    .join('');
  return `<a class="skip" href="#content">Skip to the endpoints</a>
<header><h1>${escapeHtml(document.info.title)} API</h1><p>${escapeHtml(document.info.description ?? '')}</p>
<p class="soft">Every request of a team carries its key in the header <code>x-service-api-key</code>. The same as data: <a href="/openapi.json">openapi.json</a></p></header>
<nav aria-label="Areas"><ul>${links}</ul></nav>
<main id="content">${sections}<section aria-labelledby="area-schemas"><h2 id="area-schemas">Schemas</h2>${schemas}</section></main>`;
}
