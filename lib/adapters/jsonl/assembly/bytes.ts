// AssemblyScript. Names of bytes, and what both machines do with sixteen of them at once.

export const QUOTE = 0x22
export const PLUS = 0x2b
export const COMMA = 0x2c
export const MINUS = 0x2d
export const POINT = 0x2e
export const ZERO = 0x30
export const NINE = 0x39
export const COLON = 0x3a
export const BACKSLASH = 0x5c
export const LETTER_A = 0x61
export const LETTER_E = 0x65
export const LETTER_F = 0x66
export const LETTER_N = 0x6e
export const LETTER_R = 0x72
export const LETTER_T = 0x74
export const LETTER_U = 0x75
export const LETTER_X = 0x78
export const LETTER_Z = 0x7a
export const OPENING_BRACE = 0x7b
export const CLOSING_BRACE = 0x7d

/** How many bytes are looked at together. */
export const STEP = 16

export function byteAt(address: i32): i32 {
  return load<u8>(address) as i32
}

/** Which of sixteen bytes are this one: all bits of its place, or none. */
export function areByte(bytes: v128, byte: i32): v128 {
  return i8x16.eq(bytes, i8x16.splat(byte as i8))
}

/** One bit for each of sixteen places, the first one lowest. */
export function places(where: v128): i32 {
  return i8x16.bitmask(where)
}

/** Whether the eight bytes at both addresses are equal. */
export function sameEight(one: i32, other: i32): bool {
  return load<u64>(one) === load<u64>(other)
}

/** Zeroes behind a line, so that what an earlier line left there does not look like a part of it. */
export function clearBehind(end: i32): void {
  v128.store(end, i8x16.splat(0))
  v128.store(end + STEP, i8x16.splat(0))
}
