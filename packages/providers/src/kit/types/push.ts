import type { Quarantined } from '@pulsewire/contract';
import type { LoginHttp, ProviderHttp } from './http.ts';
import type { OAuthApplication } from './oauth.ts';
import type { MappedRecords, PullUser, PullWindow } from './pull.ts';

/**
 * For providers that push an item repeatedly while it grows: a partial version never replaces a final one or one with a larger extent, even if
 * it is received later. A final version always replaces, whatever its extent; of two final ones the one received last counts.
 */
export interface Growth {
  /** Identifies the item among all items of the user. */
  readonly item: string;
  /** The extent of this version: an integer in any unit. */
  readonly extent: number;
  /** The item no longer grows in this version: it is over, the provider calls it final, or a person corrected it. Absent: it may grow. */
  readonly isFinal?: true;
  /** When the item ends, ms since the epoch: items that ended longer ago than `keepDays` are no longer tracked. */
  readonly endMs: number;
  /** How many days back a push may bring this item again. Default: a little longer than providers retry a push. */
  readonly keepDays?: number;
}

/** A change that a provider announced. */
export type PushNotice =
  /** Days of a collection have changed: they are read again. */
  | { readonly kind: 'changed'; readonly providerUserId: string; readonly collection: string; readonly window: PullWindow }
  /** One object has changed: `pullObject` of the pulls that follow the collection. Also for a URL in the push. */
  | {
      readonly kind: 'object';
      readonly providerUserId: string;
      readonly collection: string;
      readonly objectId: string;
      /** The id grants access, such as a URL with a token: it is stored sealed. */
      readonly isSecret?: true;
      /** `providerUserId` is one of the `push_names` in the account facts, for providers that name their users in several ways. */
      readonly isAlias?: true;
    }
  /** One object was deleted: `removeObject` of the pulls that follow the collection. */
  | { readonly kind: 'removed'; readonly providerUserId: string; readonly collection: string; readonly objectId: string }
  /** The data itself: `PushSupport.map` maps it to records. */
  | {
      readonly kind: 'data';
      readonly providerUserId: string;
      readonly collection: string;
      readonly payload: unknown;
      readonly growth?: Growth;
    }
  /** The user's permissions have changed; they replace the granted scopes. */
  | { readonly kind: 'scopes'; readonly providerUserId: string; readonly grantedScopes: readonly string[] }
  | { readonly kind: 'revoked'; readonly providerUserId: string };

/** The notices of a push, and the reason and pointer of everything unreadable, never its value. */
export interface ParsedPush {
  readonly notices: readonly PushNotice[];
  /** The first hundred of them. */
  readonly unreadable: readonly Pick<Quarantined, 'reason' | 'pointer'>[];
  /** Number of further unreadable items, including items beyond `pushItemsMax`, which are not read. */
  readonly leftOut?: number;
}

export interface RawPush {
  /** Includes `HEAD`, which some providers use to check that the address exists. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, string>>;
  /** The exact bytes received. */
  readonly body: Buffer;
}

export interface PushReply {
  readonly status: number;
  readonly body: string;
  /** Default `text/plain`. */
  readonly contentType?: string;
}

/** The secrets that verify a push. */
export interface PushProof {
  readonly application: OAuthApplication;
  /** The secret from the application's subscription; null: none is stored. */
  readonly subscriptionSecret: string | null;
  readonly now: Date;
}

/** The URL that the provider calls, and the code that it sends in handshakes. */
export interface PushAddress {
  /** Contains an unguessable segment if the provider does not sign pushes. */
  readonly callbackUrl: string;
  readonly verificationCode: string;
}

export interface SubscribeCall {
  readonly http: ProviderHttp;
  readonly user: PullUser;
  /** Stable for a connection; letters and digits, 32 of them. */
  readonly subscriptionId: string;
  /** null when the deployment has no push address: subscriptions that need one are not possible. */
  readonly address: PushAddress | null;
}

/** The stored state of an application's subscription. */
export interface AppSubscription {
  /** What the next call needs, such as the provider's ids. JSON, no secret. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Stored encrypted; passed to `verify`. */
  readonly secret: string | null;
  /** When to call `ensure` again, well before the subscription expires. */
  readonly renewAt: Date;
}

export interface AppSubscriptionCall {
  readonly http: LoginHttp;
  readonly application: OAuthApplication;
  readonly address: PushAddress;
  /** The result of the last call; null: none. */
  readonly known: AppSubscription | null;
  readonly now: Date;
}

/**
 * For providers whose pushes (objects of lists) are too large to hold in memory. The edge compresses such a body while it arrives, and
 * the worker splits it into several bodies of the same shape, each with some of the items and stored separately.
 */
export interface PushInParts {
  /**
   * Lists with items that must be read together: consecutive items with the same key stay in one part; null: the item can be read
   * alone. Never throws.
   */
  readonly together: Readonly<Record<string, (item: unknown) => string | null>>;
}

/** A call whose body has not been read yet. */
export type PushHead = Pick<RawPush, 'method' | 'headers'>;

/** How replayed calls are distinguished from new ones. */
export interface PushReplay {
  /** The header with the signature, in lower case. It must cover the body, and the time where the provider sends one. */
  readonly signatureHeader: string;
  /** True when every call contains its time, so that an identical call is always a replay. */
  readonly callsDiffer: boolean;
}

/** How a provider calls us. Verification is pure; the edge stores the raw body and responds; a worker processes it later. */
export interface PushSupport {
  /**
   * False: the provider does not authenticate its calls. Then the address has an unguessable segment for each application
   * (`/v2/push/<slug>/<segment>`), which the edge checks before it calls `verify`.
   */
  readonly isSigned: boolean;
  /**
   * Whether the headers can belong to a valid call; checked before the body of a POST is read or any secret decrypted.
   * Absent: only the address is checked.
   */
  mayBeValid?(head: PushHead): boolean;
  /** Absent: identical calls are all processed, as for unsigned pushes. */
  readonly replay?: PushReplay;
  /** The response to a handshake (for example `?verify=`), or null when the request is not one. May be any method. */
  handshake(push: RawPush, secrets: { readonly verificationCode: string | null }): PushReply | null;
  /** Whether the application's provider sent this: signature, age, header. Compare in constant time (`isSameText`). */
  verify(push: RawPush, proof: PushProof): boolean;
  /**
   * An unreadable notice is skipped and reported. Throws AppError `push_unreadable` when the verified body as a whole has an unknown shape.
   */
  parse(push: RawPush): ParsedPush;
  /** Records of a `data` notice. Pure. Needed by providers that push data. */
  map?(notice: { readonly collection: string; readonly payload: unknown; readonly user: PullUser }): MappedRecords;
  readonly acceptedStatus: number;
  readonly rejectedStatus: number;
  /**
   * The maximum body in bytes; larger ones get 413. `noticeBytesMax` for providers that send one notice per call.
   */
  readonly bodyBytesMax: number;
  /** When set, `handshake` and `verify` receive no body. Absent: a body is read, verified and processed as a whole. */
  readonly inParts?: PushInParts;
  /** Registers this user's collections; safe to repeat. Absent: subscriptions are not per user. */
  subscribe?(call: SubscribeCall): Promise<void>;
  unsubscribe?(call: Omit<SubscribeCall, 'address'>): Promise<void>;
  /**
   * Creates, checks and renews the subscriptions of an application; safe to repeat. Absent: they are created in the
   * provider's portal, or per user. Throws AppError of a ProviderErrorCode.
   */
  ensure?(call: AppSubscriptionCall): Promise<AppSubscription>;
}
