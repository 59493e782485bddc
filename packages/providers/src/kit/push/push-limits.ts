/** The maximum body of a provider that sends one notice per call: a few hundred bytes, with room for new fields. */
export const noticeBytesMax = 16 * 1024;

/** Maximum number of items read from one push, or from one part of it. */
export const pushItemsMax = 10_000;

/** Maximum number of unreadable items reported individually; the others are only counted. */
export const unreadableListed = 100;
