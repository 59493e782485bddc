/** A booking as the scheduling company stores it. */
export interface Booking {
  readonly providerId: string;
  readonly appointmentId: string;
  /** `phlebotomy` or `service_center`. */
  readonly kind: string;
  /** Whether the company knows it as a real one: its visit takes place, and its changes are announced by webhooks. */
  readonly isReal: boolean;
  readonly state: 'pending' | 'scheduled' | 'in_progress' | 'completed' | 'cancelled';
  readonly startAtMs: number;
  readonly endAtMs: number;
  readonly bookedAtMs: number;
}

export interface PartnerRequest {
  readonly kind: string;
  readonly isReal: boolean;
  readonly appointmentId: string;
  readonly providerId: string;
  readonly slotId: string;
}
