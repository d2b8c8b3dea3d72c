// Where the functions of `assembly/text-machine.ts` expect things in memory. Plain numbers only: AssemblyScript reads this
// file too. All places are addresses, all lengths are bytes.

/** The longest line that is read. */
export const LINE_BYTES = 1 << 20
/** The most texts that are taken out of one line. */
export const MOST_TEXTS = 40
/** Room around a line, and behind texts: reads and writes go up to 16 bytes beyond what they are about. */
const MARGIN = 64

/** For each byte after a backslash the byte that is meant; 0 when there is none. */
export const ESCAPES = 0
/** For each byte its value as a hexadecimal digit; 255 when it is none. */
export const HEX = 256
/** For each byte of a text without escapes its class, times four. */
export const CLASSES = 512

/** Results of `scan`: how long the line with stand-ins is, and whether it has more than ASCII (0 or not). */
export const SKELETON_LENGTH = 768
export const SKELETON_WIDE = 772

/** Text that is compared or written eight bytes at a time; see `WORDS` in `text-machine.ts`. */
export const TEXT_FIELD = 776
export const THINKING_FIELD = 784
export const SUMMARY_FIELD = 792
export const STAND_IN = 800

/** One record for each text that was taken out, in their order, of these fields of four bytes. */
export const RECORDS = 1024
export const RECORD_BYTES = 32
/** Where the text is in the line, with its escapes. */
export const RAW_FROM = 0
export const RAW_TO = 4
/** Where it is without them, in the bytes that `UNITS` names. */
export const TEXT_FROM = 8
export const TEXT_TO = 12
/** Not 0: it has more than ASCII. */
export const TEXT_WIDE = 16
/** Sum of its weights. */
export const TEXT_WEIGHTS = 20

/** For each UTF-16 unit the byte that it becomes in a text without escapes: itself, or 128 + its class. */
export const UNITS = RECORDS + MOST_TEXTS * RECORD_BYTES
/** The estimator's cells, four bytes each: the offset of the next state below, the weight above. */
export const TABLE = UNITS + 65_536
/** The line that is scanned. */
export const LINE = TABLE + 65_536 + MARGIN
/** The line with stand-ins. They may be longer than nothing at all, but not longer than what they replace. */
export const SKELETON = LINE + LINE_BYTES + MARGIN
/** The texts without escapes. */
export const TEXTS = SKELETON + LINE_BYTES + MARGIN
export const END = TEXTS + LINE_BYTES + MOST_TEXTS * MARGIN
