import type { PullUser } from '@pulsewire/providers';

/** One answer as it is kept. Of the request there is a hash and its path: no headers, no query, nothing that could be a token. */
export interface StoredResponse {
  /** `requestKey` of its request; for what a push brought, the collection. */
  readonly request: string;
  /** `GET /1/user/-/profile.json`, for people. */
  readonly place: string;
  readonly status: number;
  readonly contentType: string | null;
  /** Drawn when it arrived; 0 for a refusal, which brought nothing. */
  readonly version: bigint;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** How the provider refused; connectors go on after some refusals. null: it did not. */
  readonly errorCode: string | null;
  /** null: too large to be kept. */
  readonly bytes: Buffer | null;
}

/** What mappers were told of the user: the same answers mean the same only with the same facts. */
export type UserFacts = Omit<PullUser, 'userId'>;

/** The answers of one page, with what is needed to read them again. */
export interface VaultPart {
  readonly user: UserFacts;
  /** When the run began, ISO 8601: what pulls were told as `now`. */
  readonly now: string;
  readonly answers: readonly StoredResponse[];
}
