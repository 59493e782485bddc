/** A booking as the phlebotomist stores it. */
export interface Booking {
  readonly providerId: string;
  readonly appointmentId: string;
  readonly state: 'pending' | 'scheduled' | 'cancelled';
  readonly startAtMs: number;
  readonly endAtMs: number;
  readonly bookedAtMs: number;
}

export interface PartnerRequest {
  readonly appointmentId: string;
  readonly providerId: string;
  readonly slotId: string;
}
