import type { Readable } from 'node:stream';

/** A request as it came in: for signatures over the exact bytes. */
export interface RawRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** As it came, without the question mark. */
  readonly queryText: string;
  readonly body: Buffer;
  /** Instead of `body` on routes that read it piece by piece. */
  readonly stream?: Readable;
}
