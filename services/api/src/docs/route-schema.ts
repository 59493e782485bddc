import { CodedErrorBody, DetailBody, ValidationErrorBody } from '@pulsewire/contract';
import { Type, type TSchema } from 'typebox';
import { requiredScope } from '../route/required-scope.ts';
import type { ResponseSpec, Route } from '../route/route.ts';

const failures: Readonly<Record<number, ResponseSpec>> = {
  400: { description: 'The request violates a rule.', schema: DetailBody },
  401: { description: 'The API key is missing, unknown, expired or revoked.', schema: DetailBody },
  403: { description: 'The API key or its team may not do this, or not from this address.', schema: DetailBody },
  404: { description: 'Not found, or owned by another team.', schema: DetailBody },
  405: { description: 'Method not allowed; `Allow` lists the methods of the path.', schema: DetailBody },
  408: { description: 'The request did not arrive in time.', schema: DetailBody },
  409: { description: 'Conflict with the current state.', schema: DetailBody },
  413: { description: 'The body is too large.', schema: DetailBody },
  415: { description: 'Malformed Content-Type.', schema: DetailBody },
  417: { description: 'Unsupported Expect header.', schema: DetailBody },
  422: { description: 'All failing fields.', schema: ValidationErrorBody },
  429: { description: 'Too many requests; see `Retry-After`.', schema: DetailBody },
  431: { description: 'The headers are too large.', schema: DetailBody },
  500: { description: 'Internal error.', schema: DetailBody },
  503: { description: 'Overloaded or shutting down; see `Retry-After`.', schema: DetailBody },
};

const unreadable: ResponseSpec = { description: 'Malformed HTTP request.', schema: DetailBody };
const unchanged: ResponseSpec = { description: 'Unchanged since the response whose `ETag` is named by `If-None-Match`.' };
/** Responses of the server itself, for every route. */
const ofServer = [405, 408, 417, 431, 500, 503];

/** A route's own 400 combined with the server's 400 for unreadable requests, which has a different shape. */
function withUnreadable(spec: ResponseSpec): ResponseSpec {
  const { schema, contentType } = spec;
  if (schema === undefined || contentType !== undefined) return spec;
  const known = 'anyOf' in schema ? (schema.anyOf as readonly TSchema[]) : [schema];
  return known.includes(DetailBody) ? spec : { ...spec, schema: Type.Union([...known, DetailBody]) };
}

/** Every response of a route by status: the declared ones, then those implied by its other properties. */
export function responsesOf(route: Route): Readonly<Record<number, ResponseSpec>> {
  const isChecked = [route.params, route.query, route.headers, route.body].some((part) => part !== undefined);
  const statuses = [
    ...(route.failures ?? []),
    // Phones get 503 instead of 429.
    ...(route.auth === 'none' ? [] : route.auth === 'phone' ? [401, 403] : [401, 403, 429]),
    // A path that is not UTF-8 matches nothing.
    ...(route.params === undefined ? [] : [404]),
    ...(route.method === 'GET' ? [] : [413, 415]),
    ...(isChecked ? [422] : []),
    ...ofServer,
  ];
  const named = Object.fromEntries(statuses.map((status) => [status, failures[status] as ResponseSpec]));
  const linkRefusal = { 400: { description: 'The link token is invalid.', schema: CodedErrorBody } };
  const responses: Record<number, ResponseSpec> = {
    400: unreadable,
    ...(route.method === 'GET' && route.auth === 'key' && { 304: unchanged }),
    ...named,
    ...(route.auth === 'link' ? linkRefusal : {}),
    ...route.responses,
  };
  return { ...responses, 400: withUnreadable(responses[400] ?? unreadable) };
}

function specSchema({ description, schema, contentType }: ResponseSpec): object {
  if (schema === undefined) return { description, type: 'null' };
  return { description, content: { [contentType ?? 'application/json']: { schema } } };
}

const security: Readonly<Record<Route['auth'], readonly object[]>> = {
  key: [{ apiKey: [] }],
  link: [{ apiKey: [], linkToken: [] }],
  // Published without; the descriptions of the routes name the credentials.
  phone: [],
  app: [],
  none: [],
};

/** Documentation of a route, in the format of the swagger plugin. */
export function routeSchema(route: Route, method: string = route.method): Record<string, unknown> {
  const parts: Record<string, TSchema | undefined> = {
    params: route.params,
    querystring: route.query,
    headers: route.headers,
    body: route.body,
  };
  return {
    ...(route.bodyType !== undefined && { consumes: [route.bodyType] }),
    operationId: method === 'HEAD' ? `${route.operationId}Head` : route.operationId,
    tags: [route.area],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(route.deprecated && { deprecated: true }),
    ...(route.auth !== 'none' && route.scope !== null && { 'x-required-scope': requiredScope(route) }),
    security: security[route.auth],
    ...Object.fromEntries(Object.entries(parts).filter(([, schema]) => schema !== undefined)),
    response: Object.fromEntries(Object.entries(responsesOf(route)).map(([status, spec]) => [status, specSchema(spec)])),
  };
}
