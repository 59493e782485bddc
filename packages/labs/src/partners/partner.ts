/**
 * Services that external companies provide for an order. To add a partner, create a folder and add one line to `all-partners.ts`.
 *
 * Every call that changes something has an idempotency key, the same for every attempt. For a partner that ignores it, a lookup
 * (`find…`) checks first whether an earlier attempt succeeded. Failures are AppErrors: `partner_unavailable` (kind `unavailable`: retry),
 * `partner_refused` and `partner_slot_gone` (kind `upstream`: final), `partner_timeout` (kind `unavailable`: the outcome is unknown, look
 * it up before another attempt). Unknown values in enumerations of partners are ignored: an unknown state changes nothing.
 */
interface PartnerCall {
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export interface PartnerPatient {
  readonly firstName: string;
  readonly lastName: string;
  /** `YYYY-MM-DD`. */
  readonly birthDate: string;
  readonly gender: string;
  readonly phoneNumber: string;
  readonly email: string;
}

export interface PartnerAddress {
  readonly firstLine: string;
  readonly secondLine: string | null;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
  readonly accessNotes: string | null;
}

/** An image or document. */
export interface PartnerFile {
  readonly contentType: string;
  readonly content: Buffer;
}

/** An order as a lab receives it. */
export interface LabOrderRequest extends PartnerCall {
  readonly orderId: string;
  /** Of a test kit, which has its sample id before the lab knows it; null: the lab assigns one. */
  readonly sampleId: string | null;
  readonly collectionMethod: string;
  readonly billingType: string;
  readonly icdCodes: readonly string[];
  readonly physician: { readonly firstName: string; readonly lastName: string; readonly npi: string } | null;
  readonly physicianSignature: PartnerFile | null;
  /** As the team sent it with the order, without images. */
  readonly insurance: Readonly<Record<string, unknown>> | null;
  readonly insuranceImages: Readonly<Record<'front' | 'back' | 'patientSignature', PartnerFile | null>>;
  readonly accountNumber: string;
  readonly patient: PartnerPatient;
  readonly address: PartnerAddress;
  /** The lab's own codes. */
  readonly providerIds: readonly string[];
  readonly clinicalNotes: string | null;
  readonly isUrgent: boolean;
  readonly isFasting: boolean;
  readonly answers: readonly { readonly code: string; readonly answer: string }[];
}

/** A value as a lab reports it. */
export interface PartnerResult {
  readonly providerId: string;
  /** The lab's name for it. */
  readonly name: string | null;
  readonly value: string;
  /** Absent: derived from the format of the value. */
  readonly type?: 'numeric' | 'range' | 'comment' | 'coded_value';
  readonly unit: string | null;
  readonly referenceRange: string | null;
  /** As in HL7: `L`, `H`, `LL`, `HH`, `A`, `AA`, `N`. */
  readonly flag: string | null;
  readonly note: string | null;
  readonly at: Date;
}

/** A result that a lab could not measure. */
export interface PartnerMissing {
  readonly providerId: string;
  /** The lab's name for it; absent: unknown. */
  readonly name?: string | null;
  readonly failure: string;
  readonly note: string | null;
  /** Absent: when the report was made. */
  readonly at?: Date;
}

/** The requisition of an order. */
export interface PlacedOrder {
  readonly sampleId: string;
  /** The notice for the patient that the insurance may not pay; null: none is needed. */
  readonly abn: PartnerFile | null;
}

/** The patient of a report, as the lab names it; null: absent or unreadable. */
export interface ReportedPatient {
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null;
  readonly gender: string | null;
}

/** A lab's update about an order: its state, or values. */
export type LabNotice =
  | {
      readonly kind: 'state';
      readonly orderId: string;
      readonly sampleId: string | null;
      readonly state: 'accepted' | 'collected' | 'received' | 'blocked' | 'sample_error' | 'redraw' | 'cancelled' | 'unknown';
      readonly detail: string | null;
      readonly at: Date;
    }
  | {
      readonly kind: 'results';
      /** Null: the lab has an order that we did not place. */
      readonly orderId: string | null;
      readonly sampleId: string;
      /** Null: the report names none. */
      readonly patient: ReportedPatient | null;
      readonly status: 'partial' | 'final' | 'corrected';
      readonly results: readonly PartnerResult[];
      readonly missing: readonly PartnerMissing[];
      readonly collectedAt: Date | null;
      readonly at: Date;
    }
  /** A notice that has a value which cannot be stored, or lacks what every notice of its kind has. */
  | { readonly kind: 'unreadable'; readonly reason: 'nul_character' | 'time_out_of_range' | 'incomplete'; readonly item: unknown };

export interface PartnerPush {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface LabPartner {
  readonly kind: 'lab';
  /** Slug of the lab. */
  readonly slug: string;
  /** A simulation of the company, labelled as such wherever it is shown. */
  readonly isSimulated: boolean;
  placeOrder(request: LabOrderRequest): Promise<PlacedOrder>;
  /** The requisition of an earlier attempt; null when the lab has none. */
  findOrder(request: PartnerCall & { readonly orderId: string }): Promise<PlacedOrder | null>;
  /** Also succeeds for an order that is cancelled or that the lab does not have. */
  cancelOrder(request: PartnerCall & { readonly orderId: string }): Promise<void>;
  /** Verifies and reads a webhook; webhooks may repeat or arrive out of order. Throws AppError `push_refused`. */
  readPush(push: PartnerPush): Promise<readonly LabNotice[]>;
}

export type ServiceTier = 'appointment-ready' | 'appointment-request';

export interface Slot {
  /** The partner's reference of the slot. */
  readonly slotId: string;
  readonly startAt: Date;
  readonly endAt: Date;
  readonly expiresAt: Date | null;
  readonly priceMinor: number;
  readonly isPriority: boolean;
  readonly available: number;
  /** At service centers. */
  readonly siteCode: string | null;
}

/** The state of an appointment as reported by the partner. */
export interface PartnerAppointment {
  readonly providerId: string;
  readonly externalId: string | null;
  readonly state: 'pending' | 'reserved' | 'scheduled' | 'in_progress' | 'completed' | 'cancelled' | 'unknown';
  readonly startAt: Date | null;
  readonly endAt: Date | null;
  readonly canReschedule: boolean;
}

export interface BookRequest extends PartnerCall {
  readonly appointmentId: string;
  /** Null: the partner sets the time (tier `appointment-request`). */
  readonly slotId: string | null;
  /** At service centers. */
  readonly siteCode: string | null;
  readonly patient: PartnerPatient;
  readonly address: PartnerAddress;
  readonly notes: string | null;
  readonly isFasting: boolean;
}

export interface CancellationReason {
  readonly reasonId: string;
  readonly name: string;
  readonly isRefundable: boolean;
}

/** Collects samples: at the patient's home, or at the service centers of a lab. */
export interface SchedulingPartner {
  readonly kind: 'phlebotomy' | 'service_center';
  /** `getlabs`, `phlebfinders`, `quest`, `sonora_quest`. */
  readonly slug: string;
  readonly isSimulated: boolean;
  readonly tiers: readonly ServiceTier[];
  readonly cancellationReasons: readonly CancellationReason[];
  /** How long a request waits for a change to be confirmed or refused. */
  readonly confirmationMs: number;
  findSlots(request: {
    /** The patient's home address; null for service centers. */
    readonly address: PartnerAddress | null;
    readonly siteCodes: readonly string[];
    /** Local days, both inclusive. */
    readonly from: string;
    readonly to: string;
    readonly timeZone: string;
    readonly signal: AbortSignal;
  }): Promise<readonly Slot[]>;
  book(request: BookRequest): Promise<PartnerAppointment>;
  /**
   * The bookings of earlier attempts that are not cancelled, oldest first. More than one when the partner ignores idempotency keys and an
   * attempt arrived after a later one had looked for it.
   */
  findBookings(request: PartnerCall & { readonly appointmentId: string }): Promise<readonly PartnerAppointment[]>;
  reschedule(request: BookRequest & { readonly providerId: string }): Promise<PartnerAppointment>;
  cancel(request: PartnerCall & { readonly providerId: string; readonly reasonId: string; readonly note: string | null }): Promise<void>;
  get(request: { readonly providerId: string; readonly signal: AbortSignal }): Promise<PartnerAppointment | null>;
  /** Verifies a webhook and returns the appointments that changed; their state is fetched by `get`. Throws AppError `push_refused`. */
  readPush(push: PartnerPush): Promise<readonly { readonly providerId: string }[]>;
}

/** What is known about the way of a kit to the patient and back to the lab. */
export interface ParcelDetails {
  readonly outboundTrackingNumber: string | null;
  readonly outboundTrackingUrl: string | null;
  readonly outboundCourier: string | null;
  readonly inboundTrackingNumber: string | null;
  readonly inboundTrackingUrl: string | null;
  readonly inboundCourier: string | null;
  readonly notes: string | null;
}

export const parcelStates = [
  'packing',
  'transit_customer',
  'out_for_delivery',
  'with_customer',
  'problem_in_transit_customer',
  'failure_to_deliver_to_customer',
  'transit_lab',
  'problem_in_transit_lab',
  'failure_to_deliver_to_lab',
  'delivered_to_lab',
  'lost',
  'cancelled',
] as const;

export interface ShipmentState {
  /** The company's id of the parcel. */
  readonly shipmentId: string;
  readonly orderId: string;
  /** Printed on the kit. */
  readonly sampleId: string | null;
  readonly state: (typeof parcelStates)[number] | 'unknown';
  readonly details: ParcelDetails;
  readonly at: Date;
}

/** Sends test kits. */
export interface KitPartner {
  readonly kind: 'kits';
  readonly slug: string;
  readonly isSimulated: boolean;
  /** Repeated calls for an order return the same shipment. */
  ship(
    request: PartnerCall & {
      readonly orderId: string;
      /** Of the requisition, to be printed on the kit; null: the company chooses one. */
      readonly sampleId: string | null;
      readonly recipient: string;
      readonly phoneNumber: string;
      readonly address: PartnerAddress;
    },
  ): Promise<ShipmentState>;
  /** Null when the company has none. */
  findShipment(request: PartnerCall & { readonly orderId: string }): Promise<ShipmentState | null>;
  /** Also succeeds for a parcel that is cancelled or unknown. Throws AppError `partner_refused` for one that has been sent. */
  cancel(request: PartnerCall & { readonly orderId: string }): Promise<void>;
  /** Verifies and reads a webhook; webhooks may repeat or arrive out of order. Throws AppError `push_refused`. */
  readPush(push: PartnerPush): Promise<readonly ShipmentState[]>;
}

export type Partner = LabPartner | SchedulingPartner | KitPartner;
