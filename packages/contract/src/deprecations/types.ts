/** An event before it goes into its envelope. */
export interface OutgoingEvent {
  /** UUID; a derived event gets one that is derived from its origin's. */
  readonly eventId: string;
  readonly eventType: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the catalogue knows of a provider. */
export interface ProviderFacts {
  readonly name: string;
  /** URL, or null where it has none. */
  readonly logo: string | null;
  /** The provider's number, on the wire `source_id`. */
  readonly sourceId: number;
}

export interface TransformContext {
  /** Facts of a provider slug; undefined when the catalogue does not hold it. */
  findProvider(slug: string): ProviderFacts | undefined;
}

/** Puts back what was removed: one event to one or more. Pure; gives the same event again when it does not concern it. */
export type EventTransform = (event: OutgoingEvent, context: TransformContext) => readonly OutgoingEvent[];

/** A change of the contract that takes something away. */
export interface Deprecation {
  readonly id: string;
  /** Where it shows: a field, an event type or a path. */
  readonly where: string;
  /** Day on which we announced it; null where the interface names the removal alone. */
  readonly announcedOn: string | null;
  /** First day without it; null while it is announced and still served. */
  readonly removedOn: string | null;
  readonly replacement: string;
  /** How an event looked before; null where events are not concerned. */
  readonly transform: EventTransform | null;
}
