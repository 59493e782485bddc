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
