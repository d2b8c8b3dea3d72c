/** Places of a longest growing run in a list of different numbers: what stays when the rest is moved. */
export function longestRun(numbers: readonly number[]): ReadonlySet<number> {
  /** For each length, the place where the best run of that length ends. */
  const ends: number[] = []
  const previous = new Int32Array(numbers.length)
  numbers.forEach((number, place) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous[place] = ends[low - 1] ?? -1
    ends[low] = place
  })
  const run = new Set<number>()
  for (let place = ends.at(-1) ?? -1; place >= 0; place = previous[place] ?? -1) run.add(place)
  return run
}
