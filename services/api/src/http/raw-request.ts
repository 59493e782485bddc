/** A request as it came in: for signatures over the exact bytes. */
export interface RawRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}
