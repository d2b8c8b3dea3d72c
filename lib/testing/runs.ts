/** How many times as many cases as in `npm test`: `npm run fuzz` says. */
const TIMES = Number(process.env.PLIMSOLL_TIMES ?? 1)

/** Cases of a property of which `npm test` tries a few, with another seed each time, and `npm run fuzz` many more. */
export function runs(few: number): { readonly numRuns: number } {
  return { numRuns: few * TIMES }
}
