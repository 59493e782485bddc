/**
 * The states of a delivery, and what prevents its loss in each. Without a prefix, the position of its shard waits for it. `leased…`: it has
 * a row in webhook_pending, leased to us. `parking…`: such a row is being written. `lost…`: another member has its shard. `…Recording`:
 * what remains to be written is with the recorder. `recorded` and `dropped` (another dispatcher delivers it) are final.
 */
export type DeliveryState =
  | 'queued'
  | 'leased'
  | 'attempting'
  | 'leasedAttempting'
  | 'parkingAttempting'
  | 'lostAttempting'
  | 'parking'
  | 'recording'
  | 'leasedRecording'
  | 'parkingRecording'
  | 'recorded'
  | 'dropped';

export type Transition = Readonly<Partial<Record<DeliveryState, DeliveryState>>>;

/** Every legal transition, from each state in which it may happen to the one that follows. Everything else is illegal. */
export const transitions = {
  startAttempt: { queued: 'attempting', leased: 'leasedAttempting' },
  finishAttempt: {
    attempting: 'recording',
    leasedAttempting: 'leasedRecording',
    parkingAttempting: 'parkingRecording',
    lostAttempting: 'dropped',
  },
  /** A row leased to us is written while the attempt continues. */
  parkAttempt: { attempting: 'parkingAttempting' },
  /** The attempt ended before the row was written. */
  cancelParking: { parkingAttempting: 'attempting' },
  /** It becomes a row that any dispatcher may claim; an attempt in progress will be repeated. */
  park: { queued: 'parking', attempting: 'parking' },
  /** Any dispatcher may claim its row; an attempt in progress will be repeated. */
  release: { leased: 'leasedRecording', leasedAttempting: 'leasedRecording', parkingAttempting: 'parkingRecording' },
  /** It ends without a request: unsendable, superseded, or recorded by an earlier owner of the shard. */
  end: { queued: 'recording', leased: 'leasedRecording' },
  /** Its lease would run out during an attempt. */
  expire: { leased: 'dropped' },
  /** The row requested by `park` or `parkAttempt` is committed. */
  commitRow: { parking: 'recorded', parkingAttempting: 'leasedAttempting', parkingRecording: 'leasedRecording' },
  /** Its outcome, or the release of its row, is committed. The shard may have gone to another member during the commit. */
  commitOutcome: { recording: 'recorded', leasedRecording: 'recorded', dropped: 'dropped' },
  /** Its shard went to another member. A row that is committed remains ours. */
  lose: {
    queued: 'dropped',
    attempting: 'lostAttempting',
    parkingAttempting: 'lostAttempting',
    lostAttempting: 'lostAttempting',
    parking: 'dropped',
    recording: 'dropped',
    parkingRecording: 'dropped',
    recorded: 'recorded',
    dropped: 'dropped',
  },
} as const satisfies Readonly<Record<string, Transition>>;
