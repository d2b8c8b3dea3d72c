/** Work that pauses again and again, so that the caller may see to something else in between. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Runs such work to its end without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** So many messages are examined between two pauses: a few milliseconds. */
const AT_ONCE = 400

/** Visits a list with a pause now and then. */
export function* eachInSteps<V>(list: readonly V[], visit: (value: V, index: number) => void): Steps<void> {
  for (let i = 0; i < list.length; i++) {
    visit(list[i] as V, i)
    if (i % AT_ONCE === AT_ONCE - 1) yield
  }
}
