import type { Quarantined } from '@pulsewire/contract';
import type { LoginHttp, ProviderHttp } from './http.ts';
import type { OAuthApplication } from './oauth.ts';
import type { MappedRecords, PullUser, PullWindow } from './pull.ts';

/**
 * For providers that push a thing again and again while it grows: what goes less far than what was stored before does not replace
 * it, whichever of the two was received last.
 */
export interface Growth {
  /** The same for every push of the thing, and for nothing else of that user. */
  readonly item: string;
  /** How far this one goes: a whole number, in whatever measure. */
  readonly extent: number;
  /** When the thing ends, ms since the epoch: what ended days ago is not looked after any more. */
  readonly endMs: number;
}

/** A change that a provider announced. */
export type PushNotice =
  /** Days of a collection have changed: they are read again. */
  | { readonly kind: 'changed'; readonly providerUserId: string; readonly collection: string; readonly window: PullWindow }
  /** One object has changed: `pullObject` of the pulls that follow the collection. Also for a URL that the push gave. */
  | {
      readonly kind: 'object';
      readonly providerUserId: string;
      readonly collection: string;
      readonly objectId: string;
      /** The id opens something, such as a URL with a token: it is stored sealed. */
      readonly isSecret?: true;
    }
  /** One object is gone: `removeObject` of the pulls that follow the collection. */
  | { readonly kind: 'removed'; readonly providerUserId: string; readonly collection: string; readonly objectId: string }
  /** The data itself: `PushSupport.map` makes records of it. */
  | {
      readonly kind: 'data';
      readonly providerUserId: string;
      readonly collection: string;
      readonly payload: unknown;
      readonly growth?: Growth;
    }
  /** The user's permissions are others now; they replace the scopes granted. */
  | { readonly kind: 'scopes'; readonly providerUserId: string; readonly grantedScopes: readonly string[] }
  | { readonly kind: 'revoked'; readonly providerUserId: string };

/** What a push says, and where in it something could not be read: why and where, never what. */
export interface ParsedPush {
  readonly notices: readonly PushNotice[];
  /** The first hundred of them. */
  readonly unreadable: readonly Pick<Quarantined, 'reason' | 'pointer'>[];
  /** How many more there are: unreadable ones, and items beyond `pushItemsMax`, which were not looked at. */
  readonly leftOut?: number;
}

export interface RawPush {
  /** `HEAD` too, as some providers look whether the address is there. */
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

/** With what a push is verified. */
export interface PushProof {
  readonly application: OAuthApplication;
  /** The secret that the provider gave with the application's subscription; null: none is kept. */
  readonly subscriptionSecret: string | null;
  readonly now: Date;
}

/** Where the provider is to call, and the code that it brings along in handshakes. */
export interface PushAddress {
  /** With the unguessable segment where the provider signs nothing. */
  readonly callbackUrl: string;
  readonly verificationCode: string;
}

export interface SubscribeCall {
  readonly http: ProviderHttp;
  readonly user: PullUser;
  /** Stable for a connection; letters and digits, 32 of them. */
  readonly subscriptionId: string;
  /** null when the deployment has no push address: nothing can be subscribed that needs one. */
  readonly address: PushAddress | null;
}

/** What is kept of an application's subscription. */
export interface AppSubscription {
  /** Whatever the next call needs, such as the provider's ids. JSON, no secret. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Kept encrypted; given back to `verify`. */
  readonly secret: string | null;
  /** When `ensure` is to be called again, well before the provider ends it. */
  readonly renewAt: Date;
}

export interface AppSubscriptionCall {
  readonly http: LoginHttp;
  readonly application: OAuthApplication;
  readonly address: PushAddress;
  /** What the last call gave; null: nothing is known. */
  readonly known: AppSubscription | null;
  readonly now: Date;
}

/**
 * For providers whose pushes are too large to be held at once: objects of lists. The edge compresses such a body while it arrives, and
 * the worker reads it in several bodies of the same shape, each with some of the items and stored by itself.
 */
export interface PushInParts {
  /**
   * Lists of which some items make sense only together: those that follow each other with the same word are read together; null: this one
   * makes sense alone. Never throws.
   */
  readonly together: Readonly<Record<string, (item: unknown) => string | null>>;
}

/** A call of which nothing but the headers has come. */
export type PushHead = Pick<RawPush, 'method' | 'headers'>;

/** How calls that somebody has overheard and sends again are told from new ones. */
export interface PushReplay {
  /** The header with the signature, in lower case. It must cover the body, and the time where the provider sends one. */
  readonly signatureHeader: string;
  /** No two calls of the provider are equal, since each tells its time: an equal one is never anything new. */
  readonly callsDiffer: boolean;
}

/** How a provider calls us. Verification is pure; the edge stores the raw body, answers, and works later. */
export interface PushSupport {
  /**
   * False: the provider proves nothing about its calls. Then the address has an unguessable segment for each application
   * (`/v2/push/<slug>/<segment>`), which the edge checks before `verify` is asked.
   */
  readonly isSigned: boolean;
  /**
   * Whether headers such as these can come with a right call, looked at before the body of a POST is read and before any secret is opened.
   * Absent: the address is all there is to go by.
   */
  mayBeRight?(head: PushHead): boolean;
  /** Absent: equal calls are all worked on, as where nothing is signed. */
  readonly replay?: PushReplay;
  /** Answer to a handshake (for example `?verify=`), or null when the request is not one. May be any method. */
  handshake(push: RawPush, secrets: { readonly verificationCode: string | null }): PushReply | null;
  /** Whether the application's provider sent this: signature, age, header. Compare in constant time (`isSameText`). */
  verify(push: RawPush, proof: PushProof): boolean;
  /** A notice that cannot be read is left out and reported. Throws AppError `push_unreadable` when the verified body as a whole has an unknown shape. */
  parse(push: RawPush): ParsedPush;
  /** Records of a `data` notice. Pure. Needed by providers that push data. */
  map?(notice: { readonly collection: string; readonly payload: unknown; readonly user: PullUser }): MappedRecords;
  readonly acceptedStatus: number;
  readonly rejectedStatus: number;
  /**
   * The largest body that the provider sends, bytes; a larger one is answered 413. `noticeBytesMax` for those that send one notice a call.
   */
  readonly bodyBytesMax: number;
  /** Then `handshake` and `verify` are given no body. Absent: a body is read, verified and worked on as a whole. */
  readonly inParts?: PushInParts;
  /** Registers this user's collections; safe to repeat. Absent: there is nothing to register for one user. */
  subscribe?(call: SubscribeCall): Promise<void>;
  unsubscribe?(call: Omit<SubscribeCall, 'address'>): Promise<void>;
  /**
   * Makes, checks and renews the subscriptions of a whole application; safe to repeat. Absent: they are made by hand in the
   * provider's portal, or for each user. Throws AppError of a ProviderErrorCode.
   */
  ensure?(call: AppSubscriptionCall): Promise<AppSubscription>;
}
