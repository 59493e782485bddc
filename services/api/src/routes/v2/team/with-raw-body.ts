/** An object as JSON with `body` as its last key, whose text goes in as it is: byte for byte what an endpoint gets. */
export function withRawBody(value: object, body: string | null): string {
  return `${JSON.stringify(value).slice(0, -1)},"body":${body ?? 'null'}}`;
}

/** Headers of a response whose body is JSON text already. */
export const jsonText = { 'content-type': 'application/json; charset=utf-8' } as const;
