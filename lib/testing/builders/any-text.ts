import fc from 'fast-check'

const SURROGATES_FROM = 0xd800
const SURROGATES = 0x800

/**
 * Any character of Unicode, each as often as the others: the `unit` of `fc.string`. What `unit: 'binary'` means, without
 * the table of 1.1 million characters that fast-check makes of it in each process, which takes seconds.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES)
  .map((place) => String.fromCodePoint(place < SURROGATES_FROM ? place : place + SURROGATES))
