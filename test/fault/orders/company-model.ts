/** An order as its lab stores it. */
export interface CompanyOrder {
  readonly orderId: string;
  readonly sampleId: string;
  readonly lab: string;
  readonly isKit: boolean;
  readonly isCancelled: boolean;
  /** No more reports follow. */
  readonly isDone: boolean;
  /** States and reports that it has announced, in order. */
  readonly said: readonly string[];
  /** What it said last about each analyte, by code; null: not measured. */
  readonly values: Readonly<Record<string, string | null>>;
  readonly placedAtMs: number;
  /** How long after it was placed the lab begins with it, in milliseconds. */
  readonly testedAfterMs: number;
}

/** A parcel as the company that sends it stores it. */
export interface CompanyParcel {
  readonly orderId: string;
  readonly sampleId: string;
  readonly lab: string;
  readonly state: string;
  /** When it got this state. */
  readonly at: string;
  /** All states, in order. */
  readonly way: readonly string[];
  readonly sentAfterMs: number;
}

/** A webhook that is repeated until it is confirmed. */
export interface CompanyStep {
  readonly id: string;
  readonly path: string;
  readonly content: object;
}

/** As our interface for partners shows it. */
export function shownParcel({ orderId, sampleId, state, at }: CompanyParcel): object {
  const [outbound, inbound] = [{ tracking_number: `OUT-${sampleId}` }, { tracking_number: `IN-${sampleId}` }];
  return { shipment_id: `P-${orderId}`, order_id: orderId, sample_id: sampleId, state, at, outbound, inbound, notes: null };
}
