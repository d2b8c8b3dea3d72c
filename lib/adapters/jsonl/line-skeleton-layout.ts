// Where the function of `assembly/line-skeleton.ts` expects things in memory. Plain numbers only: AssemblyScript reads this
// file too. All places are addresses, all lengths are bytes.

/** The longest line that is read. */
export const LINE_BYTES = 1 << 20
/** Room behind a line: reads go up to 32 bytes beyond. */
const MARGIN = 64

/** For each byte after a backslash: 1 for an escape of two characters. */
export const ESCAPES = 0
/** For each byte its value as a hexadecimal digit; 255 when it is none. */
export const HEX = 256
/** Result of `strip`: not 0 when the skeleton has more than ASCII. */
export const WIDE = 512

/** Text that is compared or written eight bytes at a time; see `WORDS` in `line-skeleton.ts`. */
export const USAGE_FIELD = 520
export const COUNTS_LEFT_OUT = 528
export const NESTED_COUNTS_LEFT_OUT = 536
export const TEXT_FIELD = 544
/** Ends of further names of text fields, one behind the other. */
export const FIELD_ENDS = 552
export const MOST_FIELD_ENDS = 6

/** The line that is stripped, and its skeleton. Before the line is room for reads of what precedes a colon. */
export const LINE = FIELD_ENDS + MOST_FIELD_ENDS * 8 + MARGIN
export const SKELETON = LINE + LINE_BYTES + MARGIN
export const END = SKELETON + LINE_BYTES + MARGIN
