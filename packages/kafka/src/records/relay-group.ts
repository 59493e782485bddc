/** Group of the relay's positions in the log. */
export const relayGroup = 'relay';
