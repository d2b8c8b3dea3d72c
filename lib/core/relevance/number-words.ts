const ONES =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/)
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ORDINALS = 'third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

/** "One", "first" and "second" mean too many other things. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, number) => [word, number] as const).filter(([word]) => word !== 'one'),
  ...TENS.map((word, i) => [word, (i + 2) * 10] as const),
  ...ORDINALS.map((word, i) => [word, i + 3] as const),
])

/** The digits of a number that is written as one English word, in lower case: `seven` and `seventh` are 7. */
export function digitsOf(word: string): string | null {
  const number = NUMBERS.get(word)
  return number === undefined ? null : String(number)
}

/** The digits of two words that make one number, such as `forty` and `three`; null when they do not. */
export function digitsOfPair(tens: string, ones: string): string | null {
  if (!TENS.includes(tens)) return null
  const one = ONES.indexOf(ones)
  return one > 0 && one < 10 ? String((NUMBERS.get(tens) ?? 0) + one) : null
}
