/** What a receiver does with a request that it has read. */
export type ResponseBehaviour =
  | { readonly kind: 'respond'; readonly status: number; readonly delayMs?: number }
  /** Never responds. */
  | { readonly kind: 'hang' }
  /** 200, then one byte at a time. */
  | { readonly kind: 'drip'; readonly everyMs: number; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly location: string };

export interface ReceivedEvent {
  readonly webhookId: string;
  readonly eventType: string;
  /** Whether this id came before, among the last ids that are remembered. */
  readonly isRepeat: boolean;
  /** When the request's headers arrived: epoch milliseconds with fractions. */
  readonly arrivedAtMs: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body. */
  readonly body: unknown;
}

export interface ReceiverStatistics {
  readonly received: number;
  /** The signature was right. */
  readonly verified: number;
  /** No secret yet, a wrong signature, a missing header, an old timestamp, a body too large or not JSON. */
  readonly rejected: number;
  /** Verified, responded with 2xx. */
  readonly accepted: number;
  /** Verified, with an id that came before. */
  readonly repeated: number;
  /** Verified, with a body that `findProblem` reports as wrong. */
  readonly invalid: number;
  /** The problem of the first of these. */
  readonly firstProblem: string | undefined;
  readonly byEventType: Readonly<Record<string, number>>;
  readonly firstAt: string | undefined;
  readonly lastAt: string | undefined;
}
