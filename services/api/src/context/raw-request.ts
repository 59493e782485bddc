import type { Readable } from 'node:stream';

/** A request as received, for signatures over the exact bytes. */
export interface RawRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** As received, without the question mark. */
  readonly queryText: string;
  readonly body: Buffer;
  /** Replaces `body` on routes that stream it. */
  readonly stream?: Readable;
}
