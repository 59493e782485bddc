/** An appointment at the simulated company. */
export interface GetlabsAppointment {
  readonly id: string;
  readonly externalId: string;
  status: 'pending' | 'scheduled' | 'in_progress' | 'completed' | 'canceled';
  start: string;
  end: string;
  /** The body of the request that created it or last changed it. */
  request: Readonly<Record<string, unknown>>;
}

/** What happens to a call that changes something. */
export type GetlabsFault = 'none' | 'lost_call' | 'lost_response' | 'held' | 'refused' | 'taken' | 'maintenance' | 'pending';

export interface GetlabsSimulator {
  /** With the version. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly apiToken: string;
  readonly webhookSecret: string;
  readonly appointments: readonly GetlabsAppointment[];
  /** Those that are not cancelled. */
  active(): readonly GetlabsAppointment[];
  /** The faults of the next calls that change something, in this order. */
  readonly faults: GetlabsFault[];
  /** Method and path of every call. */
  readonly calls: readonly string[];
  /** Invalidates every token. */
  expireTokens(how?: 'access' | 'all'): void;
  /** The signed webhook about an appointment. */
  webhookOf(appointment: GetlabsAppointment): { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  close(): Promise<void>;
}
