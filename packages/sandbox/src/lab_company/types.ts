/** An order at the simulated lab. */
export interface LabCompanyOrder {
  readonly orderId: string;
  readonly sampleId: string;
  isCancelled: boolean;
  /** The body of the request that created it. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** A parcel of the simulated shipping company. */
export interface LabCompanyParcel {
  readonly shipmentId: string;
  readonly orderId: string;
  readonly sampleId: string;
  state: string;
  at: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** What happens to a call that changes something. */
export type LabCompanyFault = 'none' | 'lost_call' | 'lost_response' | 'refused' | 'unavailable';

export interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LabCompany {
  readonly baseUrl: string;
  readonly token: string;
  readonly webhookSecret: string;
  readonly orders: readonly LabCompanyOrder[];
  readonly parcels: readonly LabCompanyParcel[];
  /** Faults of the next calls that change something, in this order. */
  readonly faults: LabCompanyFault[];
  /** Method and path of every call. */
  readonly calls: readonly string[];
  /** Sent with the next requisition: a PDF in base64. */
  abn: string | null;
  /** A webhook of the lab with these notices. */
  labWebhook(notices: readonly object[]): SignedWebhook;
  /** Sets the state of a parcel. Returns the webhook about it. */
  move(orderId: string, state: string, at: Date): SignedWebhook;
  close(): Promise<void>;
}
