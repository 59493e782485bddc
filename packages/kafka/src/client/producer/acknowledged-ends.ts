/**
 * Where the acknowledged records of each partition end. A later acknowledgement below that end shows that the brokers lost records: a
 * replica that lagged behind was elected, or the topic was created anew. Nothing else tells a producer.
 */
export class AcknowledgedEnds {
  readonly #ends = new Map<string, bigint>();

  /** Records that a batch was written at `baseOffset`; returns how many records were lost since the last one, as far as can be seen. */
  note(topic: string, partition: number, baseOffset: string | undefined, records: number): number {
    // The broker no longer knows the offset of a batch that it had written before.
    if (baseOffset === undefined || baseOffset.startsWith('-')) return 0;
    const key = `${topic}/${partition}`;
    const base = BigInt(baseOffset);
    const end = this.#ends.get(key) ?? base;
    this.#ends.set(key, base + BigInt(records));
    return base < end ? Number(end - base) : 0;
  }
}
