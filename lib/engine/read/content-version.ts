/**
 * Number of the way in which transcripts become rows. Raise it with every change after which the same transcript gives
 * other facts, frames, totals, signs of findings or search texts: databases made before are then read again from the stores.
 */
export const CONTENT_VERSION = '26'
