/** An object as JSON with `body` as its last key, containing the stored text unchanged: byte for byte what an endpoint gets. */
export function withRawBody(value: object, body: string | null): string {
  return `${JSON.stringify(value).slice(0, -1)},"body":${body ?? 'null'}}`;
}

/** Headers of a response with a body that is already JSON text. */
export const jsonText = { 'content-type': 'application/json; charset=utf-8' } as const;
