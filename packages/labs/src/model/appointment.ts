/** Details of an appointment event, from the provider or from us; shown to teams. */
export interface AppointmentEventData {
  readonly origin?: string;
  readonly is_reschedule?: boolean;
  /** Why a booking failed. */
  readonly reason?: string;
}

/** A slot of a service center as JSON. */
export interface StoredSlot {
  readonly slotId: string;
  readonly startAt: string;
  readonly endAt: string;
  readonly expiresAt: string | null;
  readonly priceMinor: number;
  readonly isPriority: boolean;
  readonly available: number;
  readonly siteCode: string | null;
}

/** A booking to be removed at its partner, even after the appointment was erased. Contains no personal data. */
export interface BookingToRelease {
  /** Our reference, by which the partner finds it. */
  readonly appointmentId: string;
  readonly type: string;
  /** The partner's id; empty: not known. */
  readonly providerId: string;
}
