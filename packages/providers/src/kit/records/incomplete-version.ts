/**
 * The version of a page whose item has more to it, as the provider says, than could be read: a file that is gone or damaged. Nothing was
 * received earlier, so such an item is stored where there is none yet, and never replaces what was read of it before.
 */
export const incompleteVersion = 0n;
