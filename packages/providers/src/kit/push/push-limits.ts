/** The largest body of a provider that sends one notice a call: some hundred bytes, with room for what will be added to them. */
export const noticeBytesMax = 16 * 1024;

/** Items of one push, or of one part of it, that are read. */
export const pushItemsMax = 10_000;

/** Items that could not be read and are reported one by one; of the others only their number. */
export const unreadableListed = 100;
