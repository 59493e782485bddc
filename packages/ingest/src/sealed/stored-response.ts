import type { PullUser } from '@pulsewire/providers';

/** A stored response. The request is stored as a hash and its path: no headers, no query, nothing that could be a token. */
export interface StoredResponse {
  /** `requestKey` of its request; for pushed data, the collection. */
  readonly request: string;
  /** `GET /1/user/-/profile.json`, for people. */
  readonly place: string;
  readonly status: number;
  readonly contentType: string | null;
  /** The `Link` header, where some providers name the next page; absent: there was none. */
  readonly link?: string;
  /** Drawn when it arrived; 0 for a refusal, which contains no data. */
  readonly version: bigint;
  /** ISO 8601. */
  readonly receivedAt: string;
  /** The error code of a refusal, after some of which connectors continue. null: not refused. */
  readonly errorCode: string | null;
  /** null: too large to be stored. */
  readonly bytes: Buffer | null;
}

/** The facts about the user that mappers received: the same responses map to the same records only with the same facts. */
export type UserFacts = Omit<PullUser, 'userId'>;

/** The responses of one page, with what is needed to map them again. */
export interface VaultPart {
  readonly user: UserFacts;
  /** When the run began, ISO 8601: the `now` of its pulls. */
  readonly now: string;
  readonly responses: readonly StoredResponse[];
}
