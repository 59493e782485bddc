/** An event before it goes into its envelope. */
export interface OutgoingEvent {
  /** UUID; that of a derived event is derived from the original's. */
  readonly eventId: string;
  readonly eventType: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A provider's catalogue entry. */
export interface ProviderFacts {
  readonly name: string;
  /** URL, or null without a logo. */
  readonly logo: string | null;
  /** The provider's number, `source_id` on the wire. */
  readonly sourceId: number;
}

export interface TransformContext {
  /** Facts of a provider slug; undefined when it is not in the catalogue. */
  findProvider(slug: string): ProviderFacts | undefined;
}

/** Restores what was removed: maps one event to one or more. Pure; returns the same event if it is not affected. */
export type EventTransform = (event: OutgoingEvent, context: TransformContext) => readonly OutgoingEvent[];

/** A contract change that removes something. */
export interface Deprecation {
  readonly id: string;
  /** The affected field, event type or path. */
  readonly where: string;
  /** Day of the announcement; null when only the removal is known. */
  readonly announcedOn: string | null;
  /** First day without it; null while it is announced and still served. */
  readonly removedOn: string | null;
  readonly replacement: string;
  /** Restores the former shape of an event; null when events are not affected. */
  readonly transform: EventTransform | null;
}
